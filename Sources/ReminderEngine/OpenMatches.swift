import TriggerModel

/// The matches whose requests may still come to nothing: a cap may forbid them, the system may refuse them,
/// or they wait for the end of quiet hours. Each with what it takes to undo it.
struct OpenMatches: Sendable {
  struct Entry: Hashable, Sendable, BitwiseCopyable {
    var request: RequestID
    /// The local day that it counts for.
    var day: Int32
    /// The day of its reminder's match before it.
    var dayBefore: Int32
    /// From this wall-clock instant on it counts as kept.
    var keptFrom: Instant
  }

  /// How long after its delivery a request may turn out to be refused. The system answers within
  /// milliseconds; the margin is for an app that was suspended in between.
  static let confirmationTime = TimeSpan.minutes(1)

  /// In the order in which they were made.
  private var entries: [Entry] = []
  /// At so many entries those that are kept by now are cleared away: amortised, an entry costs O(1).
  private var limit = Self.leastLimit

  private static let leastLimit = 16

  mutating func append(_ request: RequestID, day: Int32, dayBefore: Int32, deliverAt: Instant, now: Instant) {
    if entries.count >= limit {
      entries.removeAll { $0.keptFrom <= now }
      limit = max(Self.leastLimit, 2 * entries.count)
    }
    entries.append(
      Entry(
        request: request, day: day, dayBefore: dayBefore,
        keptFrom: max(deliverAt, now) + Self.confirmationTime))
  }

  /// Takes out the matches of some requests, the latest first.
  ///
  /// - Complexity: O(*n* log *r*) in the matches since the oldest of them and the requests.
  mutating func take(_ requests: [RequestID]) -> [Entry] {
    if requests.isEmpty { return [] }
    let wanted = requests.sorted()
    var taken: [Entry] = []
    for index in entries.indices.reversed() where taken.count < wanted.count {
      guard entries[index].keptFrom != .distantPast, wanted.containsSorted(entries[index].request) else {
        continue
      }
      taken.append(entries[index])
      // It is cleared away with those that are kept.
      entries[index].keptFrom = .distantPast
    }
    return taken
  }

  /// Takes out the matches of a reminder whose requests would be delivered later, the latest first.
  mutating func take(of reminder: ReminderID, dueAfter now: Instant) -> [Entry] {
    let due = now + Self.confirmationTime
    return take(
      entries.filter { $0.request.reminder == reminder && $0.keptFrom > due }.map(\.request))
  }

  /// Says from when on a request counts as delivered; nothing if that is known of it.
  mutating func keep(_ request: RequestID, from instant: Instant) {
    guard let index = entries.lastIndex(where: { $0.request == request && $0.keptFrom != .distantPast })
    else { return }
    entries[index].keptFrom = instant
  }

  /// The match after one that is undone has another day before it.
  mutating func relink(_ reminder: ReminderID, from day: Int32, to dayBefore: Int32) {
    let next = entries.firstIndex {
      $0.request.reminder == reminder && $0.dayBefore == day && $0.keptFrom != .distantPast
    }
    if let next { entries[next].dayBefore = dayBefore }
  }

  /// What a reminder matched before is of no importance any more.
  mutating func forget(_ reminder: ReminderID) {
    entries.removeAll { $0.request.reminder == reminder }
  }

  /// The latest of each reminder.
  var latest: [ReminderID: RequestID] {
    entries.reduce(into: [:]) { latest, entry in
      if entry.keptFrom != .distantPast { latest[entry.request.reminder] = entry.request }
    }
  }
}

extension [RequestID] {
  /// Whether it holds an element, being sorted.
  fileprivate func containsSorted(_ element: RequestID) -> Bool {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < element { low = middle + 1 } else { high = middle }
    }
    return low < count && self[low] == element
  }
}
