package import ScenarioModel
package import CivilTime
package import TriggerModel

extension Scenario {
  /// Reads a moment as people and reports write it: `2026-03-02 17:40`, in the local time of wherever the
  /// phone is, or with the offset from UTC, `2026-10-25 02:30 +01:00`, where clocks show that twice.
  package func instant(written text: String) throws(InvalidCivilText) -> Instant {
    let parts = text.replacing("T", with: " ").split(separator: " ")
    let word = parts.prefix(2).joined(separator: "T") + parts.dropFirst(2).joined()
    do throws(InvalidCivilText) {
      return instant(of: try LocalTime(iso8601: word))
    } catch {
      guard let complete = try? Instant(iso8601: word) else { throw error }
      return complete
    }
  }

  /// The first instant at which the phone shows a local time, wherever it is then; a time that is never
  /// shown, because of a gap or a journey, is the end of the gap.
  package func instant(of local: LocalTime) -> Instant {
    for (index, stay) in timeline.stays.enumerated() {
      let end = index + 1 < timeline.stays.count ? timeline.stays[index + 1].from : Instant.distantFuture
      let instant = zones[stay.zone].instant(of: local)
      if instant < end { return max(instant, index == 0 ? instant : stay.from) }
    }
    return zones[zone].instant(of: local)
  }
}
