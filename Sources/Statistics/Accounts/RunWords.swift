package import CivilTime
import ReminderMatching
package import ScenarioModel
package import Simulation
package import TriggerModel

/// Says in words when and how things happened in a run: in the phone's local time.
package struct RunWords {
  private let program: Program

  package init(_ program: Program) {
    self.program = program
  }

  /// As files name it: `phone`, `tablet`.
  package func name(ofDevice device: UInt8) -> String {
    program.devices[Int(device)].name
  }

  package func local(_ moment: Moment) -> LocalTime {
    program.scenario.zones[moment.zone].local(at: moment.wall)
  }

  /// "2026-03-02 17:42:10", with the offset where clocks show that twice.
  package func time(_ moment: Moment) -> String {
    program.scenario.zones[moment.zone].words(at: moment.wall)
  }

  /// Whether the phone's clock shows a time of the occasion.
  package func isIn(_ occasion: Occasion, _ moment: Moment) -> Bool {
    occasion.contains(moment.wall, in: program.scenario.zones[moment.zone])
  }

  /// The reminder's id, as its author wrote it.
  package func name(_ reminder: ReminderID) -> String { program.reminders.declarations[reminder.index].id }

  /// How many local dates the run touches.
  package var localDays: Int {
    let scenario = program.scenario
    return scenario.zones[scenario.zone].localDays(in: scenario.start..<program.end)
  }

  /// How many days the run takes, each from the time of day at which it starts until that of the next date; the last may
  /// be cut short. What is counted per day is counted per these: fourteen days that begin at seven touch fifteen dates.
  package var days: Int {
    let scenario = program.scenario
    return scenario.zones[scenario.zone].wholeDays(in: scenario.start..<program.end)
  }

  /// "none", "1 fire (2026-03-02 17:42)" or "7 fires (…, …, …, 4 more)".
  package func times(_ noun: String, _ moments: [Moment]) -> String {
    if moments.isEmpty { return "no \(noun)" }
    let shown = moments.prefix(3).map { time($0) }
    let more = moments.count > 3 ? ["\(moments.count - 3) more"] : []
    return
      "\(moments.count) \(noun)\(moments.count == 1 ? "" : "s") (\((shown + more).joined(separator: ", ")))"
  }

  package func list(_ fires: [RunAccounts.Fire]) -> String {
    let shown = fires.prefix(5).map { "\(name($0.request.reminder)) at \(time($0.moment))" }
    let more = fires.count > 5 ? ["\(fires.count - 5) more"] : []
    return (shown + more).joined(separator: ", ")
  }

  package func describe(_ ending: RunAccounts.Ending) -> String { "\(how(ending)) at \(time(ending.moment))" }

  /// One line for each way of ending, with how often and when first, in order of first occurrence.
  package func summarise(_ endings: [RunAccounts.Ending]) -> [String] {
    var order: [String] = []
    var groups: [String: [RunAccounts.Ending]] = [:]
    for ending in endings {
      let words = how(ending)
      if groups[words] == nil { order.append(words) }
      groups[words, default: []].append(ending)
    }
    return order.map { words in
      let moments = groups[words, default: []].map(\.moment)
      let first = moments.first.map { time($0) } ?? ""
      return moments.count == 1
        ? "\(words) at \(first)" : "\(words), \(moments.count) times, first at \(first)"
    }
  }

  func how(_ ending: RunAccounts.Ending) -> String {
    var blockers = ending.blockers
    blockers.remove(ending.reason)
    let others = Reason.allCases.filter(blockers.contains).map(\.name)
    let also = others.isEmpty ? "" : " (also \(others.joined(separator: ", ")))"
    switch ending.kind {
    case .notRequested:
      return "trigger seen, no request: \(ending.reason.name)\(kinds(ending.failed))"
    case .denied: return "denied by \(ending.reason.name)\(also)"
    case .deferred: return "deferred by \(ending.reason.name)\(also)"
    case .failed: return "failed: \(ending.reason.name)"
    case .lost: return "lost: \(ending.reason.name)"
    case .replaced: return "replaced by a later plan"
    }
  }

  private func kinds(_ failed: ConditionKinds) -> String {
    let names = failed.names
    return names.isEmpty ? "" : " (\(names.joined(separator: ", ")))"
  }
}
