import CivilTime
import NotificationGateway
import ReminderMatching
package import ScenarioModel
package import TextFormats
import TriggerModel

/// Expectations that no run of a scenario can meet, whatever its profile, its luck and its time line: a reason that is
/// expected of a reminder which has nothing that could lead to it, or a time that no clock of the story shows. Beside
/// them those that every run meets.
///
/// A run lets them fail as it does others; `check`, which runs nothing, refuses them.
package enum UnmeetableExpectations {
  package static func diagnostics(_ scenario: Scenario) -> [Diagnostic] {
    scenario.expectations.compactMap { expectation in
      if expectation.claim.count == .atLeast(0) {
        return scenario.sources.diagnostic(
          "'\(expectation.text)' is always so, and says nothing", at: expectation.position,
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

  /// What is missing for it ever to come; nil: it may come.
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
      // Only another device's notification takes back for it what this one has admitted.
      return scenario.sync?.caps == .person
        ? lack(of: reason, scenario.policy)
        : "no device counts what others have shown: 'sync: {caps: person}'"
    case .lost(let reason): return lack(of: reason, own.id, forms, hasLinks: scenario.links != nil)
    case .denied(nil), .deferred(nil, _): return nil
    case .doubled: return nil
    }
  }

  /// Of a request that is not made.
  private static func lack(of reason: Reason, _ name: String, _ forms: [ReminderDeclaration]) -> String? {
    switch reason {
    // What our app has stored can be stale too, where there is no condition.
    case .conditionFailed, .notEntitled, .lowConfidence:
      return forms.contains { !$0.conditions.isEmpty } ? nil : "'\(name)' has no condition"
    case .expired: return forms.contains { $0.expires != .distantFuture } ? nil : "'\(name)' never expires"
    default: return nil
    }
  }

  /// Of a request that the scheduler does not let through.
  private static func lack(of reason: Reason, _ policy: CapPolicy) -> String? {
    let isMade = policy.checkOrder.contains(reason) || CapPolicy.standingChecks.contains(reason)
    if !isMade { return "the policy's checks leave \(reason.name) out" }
    let isNone =
      switch reason {
      case .quietHours: policy.quietHours.map { $0.from == $0.to } ?? true
      case .dailyCap: policy.dailyCap == nil
      case .criticalDailyCap: policy.criticalDailyCap == nil
      case .minimumInterval: policy.minimumInterval <= .zero
      default: false
      }
    return isNone ? "the policy has no \(reason.name)" : nil
  }

  /// Of a rule that counts other notifications than these.
  private static func lack(
    of reason: Reason, _ name: String, buckets forms: [ReminderDeclaration]
  ) -> String? {
    let counted: Bucket
    switch reason {
    case .dailyCap, .typeDailyCap, .typeWeeklyCap, .minimumInterval: counted = .standard
    case .criticalDailyCap: counted = .critical
    default: return nil
    }
    let isCounted = forms.map(\.notification).contains {
      $0.bucket == counted || counted == .critical && !$0.criticalConditions.isEmpty
    }
    return isCounted
      ? nil : "'\(name)' is never in the bucket \(counted.name), which alone \(reason.name) counts"
  }

  /// Of what is lost on its way.
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
  /// The offsets from UTC that its zones have while it runs, in order.
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
