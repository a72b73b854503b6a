import ReminderMatching
package import ScenarioModel
package import TextFormats
import CivilTime
import NotificationGateway
import TriggerModel

/// Expectations that no run of a scenario can meet, whatever its profile, its luck and its time line: a reason that is
/// expected of a reminder which has nothing that could lead to it.
///
/// A run lets them fail as it does others; `check`, which runs nothing, refuses them.
package enum UnmeetableExpectations {
  package static func diagnostics(_ scenario: Scenario) -> [Diagnostic] {
    scenario.expectations.compactMap { expectation in
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
    case .denied(let reason?), .deferred(let reason?, _): return lack(of: reason, scenario.policy)
    case .lost(let reason) where reason.stage == .scheduler && reason != .userDisabled:
      // Only another device's notification takes back for it what this one has admitted.
      return scenario.sync?.caps == .person
        ? lack(of: reason, scenario.policy)
        : "no device counts what others have shown: 'sync: {caps: person}'"
    case .lost(let reason): return lack(of: reason, own.id, forms, hasLinks: scenario.links != nil)
    case .denied(nil), .deferred(nil, _): return nil
    case .doubled: return scenario.sync == nil ? "the scenario has no sync" : nil
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
