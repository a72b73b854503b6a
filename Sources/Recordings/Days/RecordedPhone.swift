package import CivilTime
import TriggerModel

/// The completely recorded days of one phone.
package struct RecordedPhone: Hashable, Sendable {
  /// The days, ascending by date.
  package let days: [RecordedDay]
  /// For each weekday, in the order of raw values, the indices of its days in ``days``.
  package let ofWeekday: [[Int]]
  /// The number of dates that are not completely recorded. On such a date, the recording starts or ends, or a
  /// table has no rows.
  package let incompleteDates: Int

  /// - Parameters:
  ///   - days: The complete days, ascending by date.
  ///   - incompleteDates: The number of dates that are not completely recorded.
  package init(days: [RecordedDay], incompleteDates: Int) {
    self.days = days
    self.incompleteDates = incompleteDates
    ofWeekday = Weekday.allCases.map { weekday in days.indices.filter { days[$0].date.weekday == weekday } }
  }

  /// Splits the tables of a phone into days.
  ///
  /// Ignores shutdowns, levels, and all screen rows except unlocks and locks.
  ///
  /// - Parameters:
  ///   - battery: The battery table, or `nil` if the phone is never charged.
  ///   - zone: The zone whose dates delimit the days.
  /// - Complexity: O(rows + dates)
  package init(screen: AwareTable<ScreenRow>, battery: AwareTable<BatteryRow>?, in zone: Zone) {
    var tables = [screen.rows.map(\.instant)]
    if let battery { tables.append(battery.rows.map(\.instant)) }
    let (firsts, lasts) = (tables.compactMap(\.first), tables.compactMap(\.last))
    guard firsts.count == tables.count, let first = firsts.min(), let last = lasts.max() else {
      self.init(days: [], incompleteDates: 0)
      return
    }
    let span = (firsts.max() ?? first)..<max(firsts.max() ?? first, lasts.min() ?? last)
    var timeline = Self.changes(screen, battery)[...]
    // The phone must have been in the opposite state before the first lock or unlock.
    var state = RecordedDay.State(
      isUnlocked: timeline.first { $0.change.isOfLock }?.change == .locked,
      isPlugged: battery?.rows.first?.isPowered(.adaptor) ?? false)
    var positions = tables.map { _ in 0 }
    var days: [RecordedDay] = []
    var date = Self.date(of: first, in: zone)
    let end = Self.date(of: last, in: zone)
    let count = end - date + 1
    while date <= end {
      let range = Self.start(of: date, in: zone)..<Self.start(of: date + 1, in: zone)
      var day = RecordedDay(date: date, beginning: state, events: [])
      while let next = timeline.first, next.instant < range.upperBound {
        timeline.removeFirst()
        state.apply(next.change)
        let local = zone.local(at: next.instant)
        let second = Int32(local.date - date) * 86_400 + local.millisecondOfDay / 1_000
        // Local time jumps back at the start of a repeated hour, so no event is earlier than the one before
        // it.
        let least = day.events.last?.second ?? RecordedDay.start
        day.events.append(.init(second: min(max(second, least), RecordedDay.end - 1), change: next.change))
      }
      let before = positions
      for (table, instants) in tables.enumerated() {
        while positions[table] < instants.count, instants[positions[table]] < range.upperBound {
          positions[table] += 1
        }
      }
      let hasRows = zip(positions, before).allSatisfy { $0 > $1 }
      if hasRows, range.lowerBound >= span.lowerBound, range.upperBound <= span.upperBound {
        days.append(day)
      }
      date = date + 1
    }
    self.init(days: days, incompleteDates: count - days.count)
  }

  private static func start(of date: CivilDate, in zone: Zone) -> Instant {
    zone.instant(of: LocalTime(date: date, millisecondOfDay: RecordedDay.start * 1_000))
  }

  private static func date(of instant: Instant, in zone: Zone) -> CivilDate {
    let date = zone.local(at: instant).date
    return instant < start(of: date, in: zone) ? date - 1 : date
  }

  /// Returns the changes in chronological order. At equal times, screen changes precede battery changes.
  private static func changes(
    _ screen: AwareTable<ScreenRow>, _ battery: AwareTable<BatteryRow>?
  ) -> [(instant: Instant, change: RecordedDay.Change)] {
    var all = screen.changes(screen.unlockRule).map { change in
      (instant: change.row.instant, change: change.kind == .unlocked ? RecordedDay.Change.unlocked : .locked)
    }
    for change in battery?.changes(.adaptor) ?? [] {
      switch change.kind {
      case .chargingStarted: all.append((change.row.instant, .pluggedIn))
      case .chargingStopped: all.append((change.row.instant, .unplugged))
      case .level, .shutdown, .reboot: break
      }
    }
    let order = all.indices.sorted { (all[$0].instant, $0) < (all[$1].instant, $1) }
    return order.map { all[$0] }
  }
}

extension RecordedDay.Change {
  fileprivate var isOfLock: Bool { self == .unlocked || self == .locked }
}

/// One day of a recorded phone, for replay. A day starts at 04:00 of its date and ends at 04:00 of the next
/// date, because people use their phones least at that time.
package struct RecordedDay: Hashable, Sendable {
  /// A change of the phone's state.
  package enum Change: UInt8, Hashable, Sendable, BitwiseCopyable {
    case unlocked, locked, pluggedIn, unplugged
  }

  package struct Event: Hashable, Sendable, BitwiseCopyable {
    /// The local time in whole seconds since midnight of the date, from ``RecordedDay/start`` up to but not
    /// including ``RecordedDay/end``.
    package var second: Int32
    package var change: Change
  }

  /// The state of the phone's lock and charger.
  package struct State: Hashable, Sendable, BitwiseCopyable {
    package var isUnlocked: Bool
    package var isPlugged: Bool

    package init(isUnlocked: Bool = false, isPlugged: Bool = false) {
      self.isUnlocked = isUnlocked
      self.isPlugged = isPlugged
    }

    package mutating func apply(_ change: Change) {
      switch change {
      case .unlocked: isUnlocked = true
      case .locked: isUnlocked = false
      case .pluggedIn: isPlugged = true
      case .unplugged: isPlugged = false
      }
    }

    /// Returns the changes from this state to another.
    package func changes(to other: State) -> [Change] {
      var changes: [Change] = []
      if isPlugged != other.isPlugged { changes.append(other.isPlugged ? .pluggedIn : .unplugged) }
      if isUnlocked != other.isUnlocked { changes.append(other.isUnlocked ? .unlocked : .locked) }
      return changes
    }
  }

  /// The start of a day in seconds since midnight of its date.
  package static let start: Int32 = 4 * 3_600
  /// The end of a day in seconds since midnight of its date.
  package static let end: Int32 = 86_400 + start

  package var date: CivilDate
  package var beginning: State
  /// The changes in chronological order. Locks and unlocks alternate, and so do plugging in and unplugging.
  package var events: [Event]
}
