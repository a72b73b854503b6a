package import CivilTime
import TriggerModel

/// The whole days of one recorded phone.
package struct RecordedPhone: Hashable, Sendable {
  /// By date.
  package let days: [RecordedDay]
  /// By the raw value of the weekday: positions among ``days``.
  package let ofWeekday: [[Int]]
  /// Dates on which the recording is not whole: it begins or ends then, or a table has no row of them.
  package let left: Int

  /// - Parameters:
  ///   - days: By date.
  ///   - left: How many dates are not among them.
  package init(days: [RecordedDay], left: Int) {
    self.days = days
    self.left = left
    ofWeekday = Weekday.allCases.map { weekday in days.indices.filter { days[$0].date.weekday == weekday } }
  }

  /// Cuts tables of one phone into days.
  ///
  /// Shutdowns, levels, and what a screen shows without being unlocked are left out.
  ///
  /// - Parameters:
  ///   - battery: Nil: the phone is never charged.
  ///   - zone: In which its days are counted.
  /// - Complexity: O(rows + dates)
  package init(screen: AwareTable<ScreenRow>, battery: AwareTable<BatteryRow>?, in zone: Zone) {
    var tables = [screen.rows.map(\.instant)]
    if let battery { tables.append(battery.rows.map(\.instant)) }
    let (firsts, lasts) = (tables.compactMap(\.first), tables.compactMap(\.last))
    guard firsts.count == tables.count, let first = firsts.min(), let last = lasts.max() else {
      self.init(days: [], left: 0)
      return
    }
    let span = (firsts.max() ?? first)..<max(firsts.max() ?? first, lasts.min() ?? last)
    var timeline = Self.changes(screen, battery)[...]
    // What is changed first was otherwise before.
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
        // In an hour that comes twice the hands go back.
        let least = day.events.last?.second ?? RecordedDay.start
        day.events.append(.init(second: min(max(second, least), RecordedDay.end - 1), change: next.change))
      }
      let before = positions
      for (table, instants) in tables.enumerated() {
        while positions[table] < instants.count, instants[positions[table]] < range.upperBound {
          positions[table] += 1
        }
      }
      let isTold = zip(positions, before).allSatisfy { $0 > $1 }
      if isTold, range.lowerBound >= span.lowerBound, range.upperBound <= span.upperBound { days.append(day) }
      date = date + 1
    }
    self.init(days: days, left: count - days.count)
  }

  private static func start(of date: CivilDate, in zone: Zone) -> Instant {
    zone.instant(of: LocalTime(date: date, millisecondOfDay: RecordedDay.start * 1_000))
  }

  private static func date(of instant: Instant, in zone: Zone) -> CivilDate {
    let date = zone.local(at: instant).date
    return instant < start(of: date, in: zone) ? date - 1 : date
  }

  /// In the order of time; the screen first.
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
