import Scenarios
import TriggerModel

/// What belongs to a run's person as a whole, and not to a reminder.
package struct PersonAccount: Hashable, Sendable {
  /// Times that the app primed the person for the permission to notify.
  package var primed = 0
  /// Times that the person gave it at the system's prompt.
  package var granted = 0
  /// Months that began with the system's permission to notify; see ``Scenarios/Metric/disableRate``.
  package var months = 0
  /// Of these, the ones in which the person switched off notifications.
  package var monthsWithOptOut = 0

  package init() {}

  package init(_ accounts: RunAccounts, of program: Program) {
    primed = accounts.app.primed
    granted = accounts.app.granted
    let ledger = accounts.optOutLedger
    guard var month = ledger.permissions.first(where: \.allows)?.from else { return }
    while month < program.end {
      let next = month + .days(30)
      if ledger.permissions.last(where: { $0.from <= month })?.allows == true {
        months += 1
        if ledger.instants.contains(where: { $0 >= month && $0 < next }) { monthsWithOptOut += 1 }
      }
      month = next
    }
  }
}
