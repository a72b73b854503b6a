import CivilTime
import TriggerModel

/// When a repeated entry of a time line happens, one instant after the other, never descending.
struct Occurrences: Sendable {
  private let repetition: Repetition
  private let stays: [Timeline.Stay]
  private let zones: ZoneTable
  private let start: Instant
  private let end: Instant
  /// Of elapsed time: the next.
  private var next: Instant
  /// Of times of the day: the stay, the date and the time that come next; no date: the stay has not begun.
  private var stay = 0
  private var date: CivilDate?
  private var time = 0

  init(
    _ repetition: Repetition, in stays: [Timeline.Stay], from start: Instant, to end: Instant,
    _ zones: ZoneTable
  ) {
    self.repetition = repetition
    self.stays = stays
    self.zones = zones
    self.start = start
    self.end = end
    next = start
  }

  /// - Returns: Nil at the end.
  mutating func following() -> Instant? {
    switch repetition.step {
    case .elapsed(let span): following(after: span)
    case .timesOfDay(let times): following(at: times)
    }
  }

  private mutating func following(after span: TimeSpan) -> Instant? {
    while next < end {
      defer { next = next + span }
      if repetition.isUnlimited { return next }
      let zone = zones[(stays.last { $0.from <= next } ?? stays[0]).zone]
      if repetition.includes(zone.local(at: next).date) { return next }
    }
    return nil
  }

  private mutating func following(at times: [Int32]) -> Instant? {
    while stay < stays.count {
      let begin = max(stays[stay].from, start)
      let finish = min(stay + 1 < stays.count ? stays[stay + 1].from : end, end)
      if begin < finish {
        let zone = zones[stays[stay].zone]
        let last = zone.local(at: finish).date
        var day = date ?? zone.local(at: begin).date
        while day <= last {
          if time > 0 || repetition.includes(day) && !zone.skips(day) {
            while time < times.count {
              let instant = zone.instant(of: LocalTime(date: day, millisecondOfDay: times[time]))
              time += 1
              if instant >= begin, instant < finish {
                date = day
                return instant
              }
            }
          }
          day = day + 1
          time = 0
        }
      }
      stay += 1
      date = nil
      time = 0
    }
    return nil
  }
}

extension Repetition {
  /// It happens on every date.
  fileprivate var isUnlimited: Bool { weekdays == .all && from == nil && until == nil }

  /// Whether it happens on a local date.
  fileprivate func includes(_ date: CivilDate) -> Bool {
    weekdays.contains(date.weekday) && from.map { $0 <= date } ?? true && until.map { date < $0 } ?? true
  }
}
