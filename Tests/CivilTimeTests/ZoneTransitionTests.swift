import CivilTime
import Foundation
import Testing
import TriggerModel

/// Compares zones with Foundation around every offset change from 1970 to 2100, for every known zone.
@Suite struct ZoneTransitionTests {
  static let parts = 4

  @Test(arguments: 0..<parts) func `zones agree with Foundation at every transition`(part: Int) throws {
    var instantsLookedAt = 0
    for (number, identifier) in TimeZone.knownTimeZoneIdentifiers.enumerated()
    where number % Self.parts == part {
      let oracle = try ZoneOracle(identifier)
      let zone = try Zone(identifier: identifier.contains("/") ? identifier : "GMT")
      let transitions = zone.transitions(in: Instant.distantPast..<Instant.distantFuture)
      #expect(transitions.map(\.millisecondsSince1970) == oracle.transitions, "\(identifier)")
      for (index, transition) in transitions.enumerated() {
        let next = index + 1 < transitions.count ? transitions[index + 1] : nil
        let after = transition + TimeSpan(milliseconds: 1)
        #expect(zone.firstTransition(in: transition..<after) == transition, "\(identifier)")
        #expect(zone.firstTransition(in: after..<Instant.distantFuture) == next, "\(identifier)")
        #expect(zone.firstTransition(in: after..<(next ?? after)) == nil, "\(identifier)")
      }
      for transition in oracle.transitions {
        let half = abs(oracle.offset(transition) - oracle.offset(transition - 1)) / 2
        for distance in [-half, -1, 0, 1, half] {
          if let problem = disagreement(zone, oracle, transition + distance) {
            Issue.record("\(identifier): \(problem)")
          }
          instantsLookedAt += 1
        }
      }
    }
    #expect(instantsLookedAt > 10_000)
  }

  /// Returns a description of the first difference between the zone and Foundation at an instant, or `nil`.
  private func disagreement(_ zone: Zone, _ oracle: ZoneOracle, _ milliseconds: Int64) -> String? {
    let instant = Instant(milliseconds)
    let date = oracle.date(milliseconds)
    let local = zone.local(at: instant)
    let parts = oracle.calendar.dateComponents(
      [.year, .month, .day, .hour, .minute, .second, .weekday], from: date)
    if zone.offset(at: instant).milliseconds != oracle.offset(milliseconds) {
      return "offset at \(milliseconds)"
    }
    if local.date.year != parts.year || local.date.month != parts.month || local.date.day != parts.day {
      return "date at \(milliseconds)"
    }
    let second = Int(local.millisecondOfDay) / 1_000
    if second / 3_600 != parts.hour || second / 60 % 60 != parts.minute || second % 60 != parts.second {
      return "time of day at \(milliseconds)"
    }
    // Foundation numbers weekdays from Sunday, which is 1.
    if local.date.weekday.days(since: .sunday) + 1 != parts.weekday { return "weekday at \(milliseconds)" }
    let start = Int64((oracle.calendar.startOfDay(for: date).timeIntervalSince1970 * 1_000).rounded())
    if zone.startOfDay(local.date) != Instant(start) {
      return
        "start of day at \(milliseconds): \(zone.startOfDay(local.date).iso8601), Foundation \(Instant(start).iso8601)"
    }
    let minute = local.milliseconds / 60_000 * 60_000
    for wall in [minute, minute + oracle.offset(milliseconds + 1_000) - oracle.offset(milliseconds - 1_000)] {
      let occurrences = oracle.instants(showing: wall)
      let asked = LocalTime(milliseconds: wall)
      if zone.instant(of: asked, .first).millisecondsSince1970 != occurrences.first {
        return "first \(asked.iso8601)"
      }
      if zone.instant(of: asked, .last).millisecondsSince1970 != occurrences.last {
        return "last \(asked.iso8601)"
      }
    }
    return nil
  }
}
