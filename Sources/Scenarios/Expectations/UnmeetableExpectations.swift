import CivilTime
import NotificationGateway
import ReminderMatching
package import ScenarioModel
package import TextFormats
import TriggerModel

/// Finds expectations that no run of a scenario can meet, regardless of its profile, seed and time line.
/// Examples are a denial for a reason that does not apply to the reminder, and a local time that never
/// occurs. Also finds expectations that every run meets.
///
/// A run reports such expectations as failed. `triggerbench check` rejects them without a run.
package enum UnmeetableExpectations {
  package static func diagnostics(_ scenario: Scenario) -> [Diagnostic] {
    scenario.expectations.compactMap { expectation in
      if expectation.claim.count == .atLeast(0) {
        return scenario.sources.diagnostic(
          "'\(expectation.text)' always holds", at: expectation.position,
          hint: "write 'at least once', or 'never'")
      }
      if let offset = expectation.claim.occasion?.offset, !scenario.offsets.contains(offset) {
        let known = scenario.offsets.map(UTCOffset.text).joined(separator: ", ")
        return scenario.sources.diagnostic(
          "nothing can meet '\(expectation.text)': no clock of the story is at \(UTCOffset.text(offset))",
          at: expectation.position, hint: "its zones are at \(known)")
      }
      guard case .ends(let reminder, let ending, let count, _) = expectation.claim, !count.contains(0),
        let lack = lack(of: ending, reminder, scenario)
      else { return nil }
      return scenario.sources.diagnostic(
        "nothing can meet '\(expectation.text)': \(lack)", at: expectation.position,
        hint: "expect another reason; 'triggerbench reasons' says what each of them means")
    }
  }

  /// Returns the missing precondition of an ending, or `nil` if the ending is possible.
  private static func lack(
    of ending: Expectation.Ending, _ reminder: ReminderID, _ scenario: Scenario
  ) -> String? {
    let own = scenario.reminders[reminder.index].declaration
    let forms = [own] + scenario.edits.filter { $0.reminder == reminder }.map(\.declaration)
    switch ending {
    case .notRequested(let reason): return lack(of: reason, own.id, forms)
    case .denied(let reason?), .deferred(let reason?, _):
      return lack(of: reason, scenario.policy) ?? lack(of: reason, own.id, buckets: forms)
    case .lost(let reason) where reason.stage == .scheduler && reason != .userDisabled:
      // An admitted request is withdrawn for this reason only if another device uses up a cap.
      return scenario.sync?.caps == .person
        ? lack(of: reason, scenario.policy)
        : "the caps of a device ignore the other devices: 'sync: {caps: person}'"
    case .lost(let reason): return lack(of: reason, own.id, forms, hasLinks: scenario.links != nil)
    case .denied(nil), .deferred(nil, _): return nil
    case .doubled: return nil
    }
  }

  /// Returns the precondition that a reminder lacks to make no request for a reason, or `nil` if it lacks
  /// none.
  private static func lack(of reason: Reason, _ name: String, _ forms: [ReminderDeclaration]) -> String? {
    switch reason {
    // `staleData` has no precondition, because stored state can be stale too.
    case .conditionFailed, .notEntitled, .lowConfidence:
      return forms.contains { !$0.conditions.isEmpty } ? nil : "'\(name)' has no condition"
    case .expired: return forms.contains { $0.expires != .distantFuture } ? nil : "'\(name)' never expires"
    default: return nil
    }
  }

  /// Returns the rule that the policy lacks to deny a request for a reason, or `nil` if it lacks none.
  private static func lack(of reason: Reason, _ policy: CapPolicy) -> String? {
    let isMade = policy.checkOrder.contains(reason) || CapPolicy.standingChecks.contains(reason)
    if !isMade { return "the policy's checks leave \(reason.name) out" }
    let isNone =
      switch reason {
      case .quietHours: policy.quietHours?.isEmpty ?? true
      case .dailyCap: policy.dailyCap == nil
      case .criticalDailyCap: policy.criticalDailyCap == nil
      case .minimumInterval: policy.minimumInterval <= .zero
      case .weeklyCap, .monthlyCap, .rollingCap:
        !TypeCap.ofBuckets.contains { $0.ofBucket?.reason == reason && policy[ofBucket: $0] != nil }
      case .typeMonthlyCap, .typeRollingCap:
        TypeCap.allCases.allSatisfy { $0.reason != reason || policy[$0].isEmpty }
      default: false
      }
    return isNone ? "the policy has no \(reason.name)" : nil
  }

  /// Returns the bucket that a reminder lacks for a rule to apply, or `nil` if the rule can apply.
  private static func lack(
    of reason: Reason, _ name: String, buckets forms: [ReminderDeclaration]
  ) -> String? {
    let counted: Bucket
    switch reason {
    case .dailyCap, .weeklyCap, .monthlyCap, .rollingCap, .typeDailyCap, .typeWeeklyCap, .typeMonthlyCap,
      .typeRollingCap, .minimumInterval:
      counted = .standard
    case .criticalDailyCap: counted = .critical
    default: return nil
    }
    let isCounted = forms.map(\.notification).contains {
      $0.bucket == counted || counted == .critical && !$0.criticalConditions.isEmpty
    }
    return isCounted
      ? nil : "'\(name)' is never in the bucket \(counted.name), the only one that \(reason.name) counts"
  }

  /// Returns the precondition that a scenario lacks to lose a notification for a reason, or `nil` if it lacks
  /// none.
  private static func lack(
    of reason: Reason, _ name: String, _ forms: [ReminderDeclaration], hasLinks: Bool
  ) -> String? {
    switch reason {
    case .regionLimit:
      let hasPlace = forms.contains { form in
        form.triggers.contains {
          switch $0 {
          case .regionEntered, .regionExited: true
          default: false
          }
        }
          || form.conditions.contains {
            switch $0 {
            case .inside, .outside: true
            default: false
            }
          }
      }
      return hasPlace ? nil : "'\(name)' waits for no place"
    case .linkUnresolved, .linkLost, .linkUnconsumed: return hasLinks ? nil : "the scenario has no links"
    default: return nil
    }
  }
}

extension Scenario {
  /// The offsets from UTC that occur in the scenario's zones during a run, in ascending order.
  fileprivate var offsets: [TimeSpan] {
    let range = start + .days(-1)..<max(end, start) + .days(1)
    var offsets: Set<TimeSpan> = []
    for zone in zones.zones {
      for instant in [range.lowerBound] + zone.transitions(in: range) {
        offsets.insert(zone.offset(at: instant))
      }
    }
    return offsets.sorted()
  }
}
