import ReminderMatching
import TriggerModel

/// The matches whose requests may still come to nothing: a cap may forbid them, the system may refuse them,
/// or they wait for the end of quiet hours. Each with what it takes to undo it.
struct OpenMatches: Sendable {
  struct Entry: Hashable, Sendable, BitwiseCopyable {
    var request: RequestID
    /// The local day that it counts for.
    var day: Int32
    /// From this wall-clock instant on it counts as kept.
    var keptFrom: Instant
  }

  /// How long after its delivery a request may turn out to be refused. The system answers within
  /// milliseconds; the margin is for an app that was suspended in between.
  static let confirmationTime = TimeSpan.minutes(1)

  private var entries: [RequestID: Entry] = [:]
  /// The request made last of each reminder that ever had an entry.
  private var last: [ReminderID: RequestID] = [:]
  /// At so many entries those that are kept by now are cleared away: amortised, an entry costs O(1).
  private(set) var limit = Self.leastLimit

  private static let leastLimit: UInt32 = 16

  init() {}

  /// What was stored.
  init(_ entries: [Entry], limit: UInt32) {
    self.limit = max(Self.leastLimit, limit)
    for entry in entries {
      self.entries[entry.request] = entry
      last[entry.request.reminder] = max(entry.request, last[entry.request.reminder] ?? entry.request)
    }
  }

  /// The reminders that have any.
  var reminders: Set<ReminderID> { Set(entries.keys.map(\.reminder)) }

  /// Those of each reminder, in order.
  var sorted: [ReminderID: [Entry]] {
    Dictionary(grouping: entries.values) { $0.request.reminder }
      .mapValues { $0.sorted { $0.request < $1.request } }
  }

  mutating func append(_ request: RequestID, day: Int32, deliverAt: Instant, now: Instant) {
    if entries.count >= limit {
      entries = entries.filter { $0.value.keptFrom > now }
      limit = max(Self.leastLimit, UInt32(clamping: 2 * entries.count))
    }
    entries[request] = Entry(
      request: request, day: day, keptFrom: max(deliverAt, now) + Self.confirmationTime)
    last[request.reminder] = request
  }

  /// Takes out the matches of some requests, of each reminder the latest first.
  ///
  /// - Complexity: O(*r* log *r*) in the requests.
  mutating func take(_ requests: [RequestID]) -> [Entry] {
    if entries.isEmpty { return [] }
    return requests.sorted(by: >).compactMap { entries.removeValue(forKey: $0) }
  }

  /// Takes out the matches of a reminder whose requests would be delivered later, the latest first.
  ///
  /// - Complexity: O(*n*) in the entries.
  mutating func take(of reminder: ReminderID, dueAfter now: Instant) -> [Entry] {
    let due = now + Self.confirmationTime
    return take(
      entries.values.filter { $0.request.reminder == reminder && $0.keptFrom > due }.map(\.request))
  }

  /// Says from when on a request counts as delivered; nothing if that is known of it.
  mutating func keep(_ request: RequestID, from instant: Instant) {
    entries[request]?.keptFrom = instant
  }

  /// The phone has come to another zone, and what a reminder has handed over keeps its local time.
  ///
  /// - Parameter moved: the instant at which the new zone's clocks show what the old one's do at another.
  mutating func move(_ reminder: ReminderID, after now: Instant, _ moved: (Instant) -> Instant) {
    for (request, entry) in entries
    where request.reminder == reminder && entry.keptFrom != .distantFuture && entry.keptFrom > now {
      entries[request]?.keptFrom = moved(entry.keptFrom - Self.confirmationTime) + Self.confirmationTime
    }
  }

  /// What a reminder matched before is of no importance any more.
  mutating func forget(_ reminder: ReminderID) {
    if last.removeValue(forKey: reminder) == nil { return }
    entries = entries.filter { $0.key.reminder != reminder }
  }

  /// The latest of a reminder.
  ///
  /// - Complexity: O(1) where that is the request it made last, O(*n*) in the entries otherwise.
  func latest(of reminder: ReminderID) -> RequestID? {
    guard let last = last[reminder] else { return nil }
    if entries[last] != nil { return last }
    return entries.keys.filter { $0.reminder == reminder }.max()
  }
}
