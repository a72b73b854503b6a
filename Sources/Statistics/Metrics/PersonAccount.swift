import CivilTime
import DeviceSimulation
import ScenarioModel
package import Simulation
import TriggerModel

/// Counts for one person, or their sum over several persons, that do not belong to a single reminder.
package struct PersonAccount: Hashable, Sendable {
  /// 1 if the app primed the person for the notification permission and the person skipped it or saw the
  /// system's prompt.
  package var primed = 0
  /// 1 if the app primed the person and the story does not state the person's reaction.
  package var unanswered = 0
  /// 1 if the primed person granted the permission at the system's prompt.
  package var granted = 0
  /// The number of months that began while the system's permission was granted. See
  /// ``ScenarioModel/Metric/disableRate``.
  package var months = 0
  /// The number of these months in which the person opted out.
  package var monthsWithOptOut = 0

  package init() {}

  package mutating func add(_ other: PersonAccount) {
    primed += other.primed
    unanswered += other.unanswered
    granted += other.granted
    months += other.months
    monthsWithOptOut += other.monthsWithOptOut
  }

  package init(_ accounts: RunAccounts, of program: Program) {
    let events = accounts.app.entries.map(\.event)
    if let priming = events.firstIndex(where: { if case .primingShown = $0 { true } else { false } }) {
      let answers = events[priming...].contains {
        switch $0 {
        case .primingSkipped, .permissionRequested(.notifications): true
        default: false
        }
      }
      (primed, unanswered) = answers ? (1, 0) : (0, 1)
      granted = events[priming...].contains(.permissionGranted(.notifications)) ? 1 : 0
    }
    let ledger = accounts.optOutLedger
    guard var month = ledger.permissions.first(where: \.allows)?.from else { return }
    let zone = program.scenario.zones[program.scenario.zone]
    var local = zone.local(at: month)
    // An incomplete last month is left out. Counting it only if it has an opt-out would make the rate of
    // short runs too high. Counting it always would make the rate too low.
    while true {
      local.date = local.date + 30
      let next = zone.instant(of: local)
      if next > program.end { return }
      if ledger.permissions.last(where: { $0.from <= month })?.allows == true {
        months += 1
        if ledger.instants.contains(where: { $0 >= month && $0 < next }) { monthsWithOptOut += 1 }
      }
      month = next
    }
  }
}
