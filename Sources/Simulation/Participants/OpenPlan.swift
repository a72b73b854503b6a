import CivilTime
import PersonModel
import TriggerModel

/// When the person opens our app unasked: the times of one local day after the other, where the phone is.
struct OpenPlan: Sendable {
  private let opens: OrganicOpens?
  private let person: UInt64
  private let seed: UInt64
  /// What would happen at it or later is not looked for.
  private let end: Instant
  /// The local day of the start: the days that luck depends on are counted from it.
  private var first = CivilDate(dayNumber: 0)
  /// The day whose openings are under way.
  private var date = CivilDate(dayNumber: 0)
  /// Those of it that are still to come, as time since its midnight.
  private var times: ArraySlice<TimeSpan> = []
  /// Simulation time; nil: never.
  private(set) var next: Instant?

  /// - Parameter opens: Nil: never.
  init(_ opens: OrganicOpens?, person: UInt64, seed: UInt64, until end: Instant) {
    self.opens = opens.flatMap { $0.perDay > 0 && $0.waking.length > 0 ? $0 : nil }
    self.person = person
    self.seed = seed
    self.end = end
  }

  mutating func begin(at now: Instant, in zone: Zone) {
    guard opens != nil else { return }
    first = zone.local(at: now).date
    // What was done after midnight belongs to the day before.
    plan(first + -1)
    move(at: now, to: zone)
  }

  /// The phone has come to another zone: what is past there does not happen any more.
  mutating func move(at now: Instant, to zone: Zone) {
    guard opens != nil else { return }
    repeat { find(in: zone) } while skip(before: now)
  }

  /// Takes one whose time has come.
  mutating func takeDue(at now: Instant, in zone: Zone) -> Bool {
    guard let next, next <= now else { return false }
    times.removeFirst()
    find(in: zone)
    return true
  }

  private mutating func skip(before now: Instant) -> Bool {
    guard let next, next < now else { return false }
    times.removeFirst()
    return true
  }

  /// Looks for the next one, on later days where this one has no more.
  private mutating func find(in zone: Zone) {
    while times.isEmpty {
      if zone.startOfDay(date) >= end {
        next = nil
        return
      }
      plan(date + 1)
    }
    next = times.first.map { zone.startOfDay(date) + $0 }
  }

  private mutating func plan(_ day: CivilDate) {
    date = day
    times =
      opens.map {
        $0.times(of: person, seed: seed, on: CivilDate(dayNumber: day.dayNumber - first.dayNumber))[...]
      } ?? []
  }
}

extension OpenPlan: Packable {
  mutating func pack(in parcel: inout Parcel) {
    parcel.carry(&self, \.first, \.date, \.next)
    var times = Array(times)
    parcel.carry(&times)
    self.times = times[...]
  }
}
