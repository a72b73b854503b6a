import CivilTime
import DeviceSimulation
import Journal
import ReminderEngine
import ReminderMatching
import ScenarioModel
import Simulation
import Statistics
import TriggerEngine
package import TriggerModel

extension Explainer {
  /// The requests that are scheduled ahead at an instant, on the first device.
  package struct Plan: Sendable {
    /// One request.
    package struct Row: Sendable {
      package var reminder: String
      /// The origin of the request: "occurrence", "stage 2", "repetition 1" or "snooze".
      package var source: String
      /// The due time, in the phone's local time.
      package var local: String
      /// "pending", "wanted", "lost", or the reason why it is not pending.
      package var state: String
      package var isDesired: Bool
      package var isKnown: Bool
    }

    /// The instant of the plan, in the phone's local time.
    package var local: String
    /// The requests, in chronological order.
    package var rows: [Row]
  }

  /// Returns the plan of the built-in engine at an instant of the scenario.
  package func plan(at instant: Instant) -> Plan? {
    var world = World(program: program, engine: program.makeEngine())
    var journal = NoJournal()
    world.run(until: instant + TimeSpan(milliseconds: 1), into: &journal)
    guard let engine = world.engine as? BuiltInEngine else { return nil }
    let moment = world.phone.moment(at: instant)
    let words = RunWords(program)
    let rows = engine.reminders.planSnapshot(at: moment).entries.map { entry in
      Plan.Row(
        reminder: program.scenario.reminders[entry.reminder.index].declaration.id,
        source: entry.source.words,
        local: words.time(Moment(wall: entry.due, uptime: moment.uptime, zone: moment.zone)),
        state: entry.status.words,
        isDesired: entry.isDesired, isKnown: entry.request != nil)
    }
    return Plan(local: words.time(moment), rows: rows)
  }
}

extension PlanSnapshot.Source {
  fileprivate var words: String {
    switch self {
    case .occurrence: "occurrence"
    case .stage(let number): "stage \(number + 1)"
    case .repetition(let number): "repetition \(number + 1)"
    case .snooze: "snooze"
    }
  }
}

extension PlanSnapshot.Status {
  fileprivate var words: String {
    switch self {
    case .pending: "pending"
    case .wanted: "wanted"
    case .lost: "lost"
    case .unwanted(_, let reason), .absent(let reason): reason.name
    }
  }
}
