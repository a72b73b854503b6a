import ArgumentParser
import CivilTime
import ScenarioModel
import Simulation
import TriggerModel

/// Reads an option that names an instant of a scenario in the phone's local time.
enum LocalInstant {
  /// - Parameter text: Such as `2026-03-02 17:40` or `2026-03-02T17:40:30`, with an offset from UTC where clocks
  ///   show a time twice.
  static func read(_ text: String, in program: Program) throws -> Instant {
    let instant: Instant
    do {
      instant = try program.instant(written: text)
    } catch {
      // Of what is a date at least the reader says what is wrong with it.
      let isDate = text.prefix(4).allSatisfy(\.isWholeNumber) && text.contains("-")
      throw ValidationError(
        isDate
          ? "--at: \(error)"
          : "--at: '\(text)' is no date and time; write '2026-03-02 17:40', or 'day 2 17:40' counted from the start"
      )
    }
    guard instant >= program.scenario.start, instant < program.end else {
      let zone = program.scenario.zones[program.scenario.zone]
      Terminal.diagnose(
        "triggerbench: \(text) is not within the scenario, which lasts from "
          + "\(program.scenario.start.iso8601(in: zone)) to \(program.end.iso8601(in: zone))")
      throw Exit.failure
    }
    return instant
  }
}
