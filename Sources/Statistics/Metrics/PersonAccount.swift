import CivilTime
import DeviceSimulation
import ScenarioModel
package import Simulation
import TriggerModel

/// What belongs to a run's person as a whole, and not to a reminder; or the sum over persons.
package struct PersonAccount: Hashable, Sendable {
  /// 1 when the app primed the person for the permission to notify, however often, and the person put that off
  /// or met the system's prompt.
  package var primed = 0
  /// 1 when the app primed the person, and nothing says what the person did.
  package var unanswered = 0
  /// 1 when the person, once primed, gave it at the system's prompt.
  package var granted = 0
  /// Months that began with the system's permission to notify; see ``ScenarioModel/Metric/disableRate``.
  package var months = 0
  /// Of these, the ones in which the person switched off notifications.
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
    // Of a month that the run cuts short nothing is known: to count it only when the person has opted out of it
    // already would make short runs look worse than long ones, and to count it always, better.
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
