import ReminderMatching
package import ScenarioPrograms
import ScenarioModel
import CivilTime
import NotificationGateway
package import TriggerModel

/// What was delivered, held against the caps by counting the deliveries of a run anew: nothing of the
/// scheduler's own accounts is in it.
///
/// Days and weeks are those that the phone's wall showed at delivery. More than a cap allows can be right:
/// counters that lag behind, a reinstall, or a journey, as a reservation keeps the day that it was made for.
package struct CapAudit: Sendable {
  package struct Row: Hashable, Sendable {
    package var cap: Reason
    /// Of several types the highest; nil when nothing is capped.
    package var limit: Int?
    /// The most that one day, or week, had: in all, or of one type.
    package var most: Int
    /// How many deliveries were beyond the cap.
    package var over: Int
  }

  package private(set) var rows: [Row] = []
  /// The most of the standard bucket within any 24 hours of elapsed time. A day cap is one of calendar days,
  /// so it can be more than that.
  package private(set) var mostIn24Hours = 0

  package init(_ program: Program, _ accounts: RunAccounts) {
    let policy = program.scenario.policy
    let types = program.reminders.names.types
    let deliveries = accounts.fires.map { Delivery($0, program) }
    let standard = deliveries.filter { $0.bucket == .standard }
    let byType = Dictionary(grouping: standard, by: \.type)
    rows = [
      Self.row(.dailyCap, [(policy.dailyCap, standard.map(\.day))]),
      Self.row(
        .typeDailyCap,
        byType.map { type, deliveries in
          (policy.typeDailyCaps[types[type.index]] ?? policy.typeDailyCap, deliveries.map(\.day))
        }),
      Self.row(
        .typeWeeklyCap,
        byType.map { type, deliveries in
          (
            policy.typeWeeklyCaps[types[type.index]],
            deliveries.map { $0.day + -$0.day.weekday.days(since: policy.weekStart) }
          )
        }),
      Self.row(
        .criticalDailyCap,
        [(policy.criticalDailyCap, deliveries.filter { $0.bucket == .critical }.map(\.day))]),
    ]
    mostIn24Hours = Self.most(in: .days(1), standard.map(\.instant))
  }

  /// The rows whose cap was exceeded.
  package var exceeded: [Row] { rows.filter { $0.over > 0 } }

  private struct Delivery {
    var type: TypeID
    var bucket: Bucket
    var instant: Instant
    var day: CivilDate

    init(_ fire: RunAccounts.Fire, _ program: Program) {
      type = fire.type
      bucket = fire.bucket
      instant = fire.instant
      day = program.scenario.zones[fire.moment.zone].local(at: fire.moment.wall).date
    }
  }

  /// - Parameter groups: What is counted apart: its cap, and for each delivery the day, or the first day of
  ///   the week, that it falls on.
  private static func row(_ cap: Reason, _ groups: [(limit: Int?, days: [CivilDate])]) -> Row {
    var row = Row(cap: cap, limit: nil, most: 0, over: 0)
    for (limit, days) in groups {
      if let limit { row.limit = max(row.limit ?? limit, limit) }
      for count in Dictionary(grouping: days, by: { $0 }).values.map(\.count) {
        row.most = max(row.most, count)
        if let limit { row.over += max(0, count - limit) }
      }
    }
    return row
  }

  /// The highest number of instants in any half-open window of a length.
  private static func most(in span: TimeSpan, _ instants: [Instant]) -> Int {
    let sorted = instants.sorted()
    var first = 0
    var most = 0
    for (last, instant) in sorted.enumerated() {
      while instant - sorted[first] >= span { first += 1 }
      most = max(most, last - first + 1)
    }
    return most
  }
}
