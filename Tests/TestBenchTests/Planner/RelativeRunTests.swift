import CivilTime
import PlatformRuns
import RandomScenarios
import Simulation
import Statistics
import TestSupport
import Testing
import TriggerModel

/// Tests schedules that count days from a fact, in complete runs. Completing the task restarts the count in
/// any zone, whether or not the app is open.
@Suite struct RelativeRunTests {
  /// A task that is completed from time to time, and its reminder.
  private struct Chore {
    var name: String
    var days: [Int]
    var minutes: [Int]
    /// The instants of completion. The first one precedes the run.
    var done: [Instant]
  }

  private struct Stay {
    var from: Instant
    var until: Instant
    var zone: Zone
  }

  private static let length = 60
  private static let zones = ["Europe/Berlin", "Asia/Tokyo", "America/New_York", "Pacific/Auckland"]

  @Test(arguments: 0..<60)
  func `notifications equal an independent count on every profile that keeps pending requests`(seed: Int)
    throws
  {
    var random = SplitMix64(seed: UInt64(seed) &+ 4_711)
    let zones = try Self.zones.map { try Zone(identifier: $0) }
    let start = zones[0].instant(of: CivilDate(year: 2026, month: 3, day: 2), minute: 420)
    let stays = Self.stays(from: start, zones, &random)
    var chores = (0..<Int.random(in: 1...4, using: &random)).map { Self.chore("c\($0)", start, &random) }
    // The app is open at each completion. The story contains the phone's local time.
    var line: [(Instant, String)] = stays.dropFirst().map { ($0.from, "travel to \($0.zone.identifier)") }
    for index in chores.indices {
      for _ in 0..<Int.random(in: 0...6, using: &random) {
        let then = start + .minutes(Int64.random(in: 60..<Int64(Self.length * 1_440), using: &random))
        chores[index].done.append(then)
        line.append((then, "complete \(chores[index].name)"))
      }
      chores[index].done.sort()
    }
    for _ in 0..<Int.random(in: 0...8, using: &random) {
      let then = start + .minutes(Int64.random(in: 60..<Int64(Self.length * 1_440), using: &random))
      line.append(
        (then, ["reboot, unlock", "force quit", "terminate", "open"].randomElement(using: &random) ?? "open"))
    }
    for profile in ["ideal", "ios"] {
      let text = Self.text(chores, line.sorted { $0.0 < $1.0 }, stays[0], profile)
      let run = try PlatformRun(text)
      #expect(run.accounts.contradictions.isEmpty, "\(run.accounts.contradictions)")
      let fired = run.accounts.fires.map { fire in
        "\(chores[fire.request.reminder.index].name) \(fire.moment.wall.iso8601)"
      }
      let expected = chores.flatMap { chore in
        Self.expected(chore, stays, start).map { "\(chore.name) \($0.iso8601)" }
      }
      #expect(fired.sorted() == expected.sorted(), "\(profile), seed \(seed): \(text)")
    }
  }

  private static func chore(_ name: String, _ start: Instant, _ random: inout SplitMix64) -> Chore {
    let days = Set(
      (0...Int.random(in: 0...2, using: &random)).map { _ in Int.random(in: 0...14, using: &random) })
    let minutes = Set(
      (0...Int.random(in: 0...1, using: &random)).map { _ in Int.random(in: 0..<1_440, using: &random) })
    let before = start - .minutes(Int64.random(in: 10...20_000, using: &random))
    return Chore(name: name, days: days.sorted(), minutes: minutes.sorted(), done: [before])
  }

  private static func stays(
    from start: Instant, _ zones: [Zone], _ random: inout SplitMix64
  ) -> [Stay] {
    var stays = [Stay(from: start, until: .distantFuture, zone: zones[0])]
    var then = start
    for _ in 0..<Int.random(in: 0...3, using: &random) {
      then = then + .minutes(Int64.random(in: 600..<25_000, using: &random))
      guard then < start + .days(Int64(length)) else { break }
      let others = zones.filter { $0.identifier != stays[stays.count - 1].zone.identifier }
      stays[stays.count - 1].until = then
      stays.append(
        Stay(from: then, until: .distantFuture, zone: others.randomElement(using: &random) ?? zones[0]))
    }
    return stays
  }

  private static func text(
    _ chores: [Chore], _ line: [(Instant, String)], _ first: Stay, _ profile: String
  ) -> String {
    let facts = chores.map { chore in
      let first = chore.done[0].iso8601(in: first.zone)
      return "  \(chore.name).done: \(first.prefix(16))"
    }
    let reminders = chores.map { chore in
      let days = chore.days.map { "\($0)" }.joined(separator: ", ")
      let times = chore.minutes.map(MinuteOfDay.text).joined(separator: ", ")
      return
        "  \(chore.name): {when: \"\(days) days after \(chore.name).done at \(times)\", notify: {title: T, bucket: user}}"
    }
    let entries = line.map { then, what in
      let minutes = (then - first.from).milliseconds / 60_000
      let isDone = what.hasPrefix("complete")
      let actions = isDone ? "unlock, open, \(what), leave" : what
      return "  - {at: +\(minutes)min, do: [\(actions)]}"
    }
    return """
      for: \(length) days
      profile: \(profile)
      knobs: {presentsInForeground: true, jumpedOverShown: true}
      policy: {quietHours: none}
      facts:
      \(facts.joined(separator: "\n"))
      reminders:
      \(reminders.joined(separator: "\n"))
      timeline:
      \((["  - +1min background refresh off"] + entries).joined(separator: "\n"))
      expect: [fires >= 0]
      """
  }

  /// Returns the expected notifications. Days are counted from the local date of a completion until the next
  /// completion. Each day has a notification at each of the local times. If a journey skips a time, its
  /// notification is delivered on arrival.
  private static func expected(_ chore: Chore, _ stays: [Stay], _ start: Instant) -> [Instant] {
    func stay(at instant: Instant) -> Stay { stays.last { $0.from <= instant } ?? stays[0] }
    let zone = stays[0].zone
    let end = zone.instant(of: zone.local(at: start).date + length, minute: 420)
    var fires: [Instant] = []
    for (index, done) in chore.done.enumerated() {
      let next = index + 1 < chore.done.count ? chore.done[index + 1] : end
      let date = stay(at: done).zone.local(at: done).date
      let planned = max(done, start)
      for day in chore.days {
        for minute in chore.minutes {
          var fire: Instant?
          for stay in stays where stay.until > planned && fire == nil {
            let time = stay.zone.instant(of: date + day, minute: minute)
            let from = max(stay.from, planned)
            if time > from || time == from && from == stay.from && from > planned {
              if time < stay.until { fire = time }
            } else if from > planned {
              fire = from
            } else {
              // The time had passed before the app planned it.
              fire = .distantFuture
            }
          }
          if let fire, fire < next, fire < end { fires.append(fire) }
        }
      }
    }
    return fires
  }
}
