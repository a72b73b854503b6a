package import CivilTime
import DeviceSimulation
import Journal
import ScenarioModel
package import TriggerModel

extension Program {
  /// Parses a moment in the notation of reports: `2026-03-02 17:40`, or `day 2 17:40`, counted from the day
  /// on which the scenario starts.
  ///
  /// The moment is read on the phone's clock, with its zone and setting at that time. If a local time occurs
  /// twice, an offset from UTC selects one of the two instants, as in `2026-10-25 02:30 +01:00`.
  package func instant(written text: String) throws(InvalidCivilText) -> Instant {
    var parts = text.replacing("T", with: " ").split(separator: " ").map { String($0) }
    if parts.count > 1, parts[0] == "day", let day = Int(parts[1]), (1...40_000).contains(day) {
      let first = scenario.zones[scenario.zone].local(at: scenario.start).date
      parts.replaceSubrange(0...1, with: [(first + (day - 1)).iso8601])
    }
    let word = parts.prefix(2).joined(separator: "T") + parts.dropFirst(2).joined()
    do throws(InvalidCivilText) {
      let local = try LocalTime(iso8601: word)
      return instant(on: clocks) { $0.instant(of: local) }
    } catch {
      guard let complete = try? Instant(iso8601: word) else { throw error }
      return instant(on: clocks) { _ in complete }
    }
  }

  /// Returns the first instant at which the phone's clock shows a time.
  ///
  /// If the clock never shows the time because of a gap, a journey or a clock set forward, returns the end of
  /// the gap.
  private func instant(on clocks: [ClockSetting], showing wall: (Zone) -> Instant) -> Instant {
    let instants = clocks.map { wall(scenario.zones[$0.zone]) - $0.ahead }
    let ends = clocks.dropFirst().map(\.from) + [.distantFuture]
    // After a journey westward, the clock may show a time that was before the scenario's start in the first
    // zone.
    let shown = clocks.indices.first { clocks[$0].from <= instants[$0] && instants[$0] < ends[$0] }
    if let shown { return instants[shown] }
    for (index, clock) in clocks.enumerated() where instants[index] < ends[index] {
      return index == 0 ? instants[0] : max(instants[index], clock.from)
    }
    return scenario.start
  }

  /// Returns the first instant at which the phone's clock shows each local time, with the phone's zone at
  /// that instant.
  package func moments(showing times: [LocalTime]) -> [(instant: Instant, zone: ZoneID)] {
    if times.isEmpty { return [] }
    let clocks = clocks
    return times.map { time in
      let instant = instant(on: clocks) { $0.instant(of: time) }
      return (instant, (clocks.last { $0.from <= instant } ?? clocks[0]).zone)
    }
  }

  private typealias ClockSetting = (from: Instant, zone: ZoneID, ahead: TimeSpan)

  /// The successive settings of the phone's clock, in ascending order of the instants from which they apply.
  private var clocks: [ClockSetting] {
    var clocks: [ClockSetting] = [(from: scenario.start, zone: scenario.zone, ahead: TimeSpan.zero)]
    let settings = events.filter { event in
      if case .setClock = event.event { event.device == 0 } else { false }
    }
    // Only a run shows which settings take effect. For example, the phone may be off.
    if !settings.isEmpty {
      var settings = ClockSettings()
      var world = World(program: self, engine: makeEngine(explainsMisses: false))
      world.run(into: &settings)
      return clocks + settings.settings
    }
    for event in events where event.device == 0 {
      guard case .travel(let zone) = event.event else { continue }
      clocks.append((event.instant, zone, .zero))
    }
    return clocks
  }

  /// Records the settings of the phone's clock.
  private struct ClockSettings: JournalSink {
    var settings: [ClockSetting] = []

    static var wantsEveryFix: Bool { false }

    mutating func record(_ body: JournalRecord.Body, _ stamp: RecordStamp) {
      guard stamp.device == 0, case .truth(let event) = body,
        [.clockChanged, .zoneChanged].contains(event.kind)
      else { return }
      settings.append((stamp.instant, event.moment.zone, event.moment.wall - stamp.instant))
    }
  }
}
