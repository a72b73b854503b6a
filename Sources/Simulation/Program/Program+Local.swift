import ScenarioModel
package import CivilTime
import DeviceSimulation
package import TriggerModel

extension Program {
  /// Reads a moment as people and reports write it: `2026-03-02 17:40`, or `day 2 17:40` counted from the day
  /// of the start, on the phone's own clock wherever it is and however its user has set it; with the offset from
  /// UTC, `2026-10-25 02:30 +01:00`, where clocks show that twice.
  package func instant(written text: String) throws(InvalidCivilText) -> Instant {
    var parts = text.replacing("T", with: " ").split(separator: " ").map { String($0) }
    if parts.count > 1, parts[0] == "day", let day = Int(parts[1]), (1...40_000).contains(day) {
      let first = scenario.zones[scenario.zone].local(at: scenario.start).date
      parts.replaceSubrange(0...1, with: [(first + (day - 1)).iso8601])
    }
    let word = parts.prefix(2).joined(separator: "T") + parts.dropFirst(2).joined()
    do throws(InvalidCivilText) {
      let local = try LocalTime(iso8601: word)
      return instant { $0.instant(of: local) }
    } catch {
      guard let complete = try? Instant(iso8601: word) else { throw error }
      return instant { _ in complete }
    }
  }

  /// The first instant at which the phone's clock shows a time; one that it never shows, because of a gap, a
  /// journey or a clock that was set forward, is the end of the gap.
  private func instant(showing wall: (Zone) -> Instant) -> Instant {
    let clocks = clocks
    for (index, clock) in clocks.enumerated() {
      let instant = wall(scenario.zones[clock.zone]) - clock.ahead
      let end = index + 1 < clocks.count ? clocks[index + 1].from : Instant.distantFuture
      if instant < end { return index == 0 ? instant : max(instant, clock.from) }
    }
    return scenario.start
  }

  /// What the phone's clock follows, and since when; ascending.
  private var clocks: [(from: Instant, zone: ZoneID, ahead: TimeSpan)] {
    var clocks = [(from: scenario.start, zone: scenario.zone, ahead: TimeSpan.zero)]
    for event in events where event.device == 0 {
      var clock = clocks[clocks.count - 1]
      clock.from = event.instant
      switch event.event {
      case .travel(let zone): clock.zone = zone
      case .setClock(let ahead): clock.ahead = ahead
      default: continue
      }
      clocks.append(clock)
    }
    return clocks
  }
}
