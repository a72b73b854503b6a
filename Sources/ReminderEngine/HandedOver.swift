import TriggerModel

/// What became of the occurrences of one schedule that were handed over beforehand.
struct HandedOver: Hashable, Sendable {
  /// One that the scheduler, or the system, has and that is not delivered yet.
  struct Entry: Hashable, Sendable, BitwiseCopyable {
    var id: RequestID
    var at: Instant
    /// The local day that it counts for.
    var day: Int32
    /// The day of its reminder's match before it.
    var dayBefore: Int32
  }

  /// In order of ``Entry/at``.
  private(set) var pending: [Entry] = []
  /// The last occurrence that was looked at, whether its conditions held or not.
  private(set) var lookedTo = Instant.distantPast
  /// Up to here the person took everything back: what is to be ahead is counted from here.
  private(set) var takenBackTo = Instant.distantPast
  /// Up to here occurrences were denied, refused or dropped.
  private(set) var lostTo = Instant.distantPast
  /// The last one whose time came, or that a snooze asked for again.
  var last: RequestID?
  /// The app was asked to be woken, and the wish stands.
  var hasWish = false

  /// Nothing was looked at yet.
  init() {}

  /// What was stored; `pending` is in order.
  init(pending: [Entry], lookedTo: Instant, takenBackTo: Instant, lostTo: Instant) {
    self.pending = pending
    self.lookedTo = lookedTo
    self.takenBackTo = takenBackTo
    self.lostTo = lostTo
  }

  mutating func lookedAt(_ occurrence: Instant, _ entry: Entry?) {
    lookedTo = occurrence
    if let entry { pending.append(entry) }
  }

  /// The time of everything up to `now` has come.
  mutating func deliver(upTo now: Instant) {
    let count = pending.prefix { $0.at <= now }.count
    if count == 0 { return }
    last = pending[count - 1].id
    pending.removeFirst(count)
  }

  /// Takes a request out that will not be delivered; nil when it is not pending.
  mutating func remove(_ id: RequestID) -> Entry? {
    guard let index = pending.firstIndex(where: { $0.id == id }) else { return nil }
    let entry = pending.remove(at: index)
    if index < pending.count { pending[index].dayBefore = entry.dayBefore }
    return entry
  }

  /// Takes out what would come before an instant.
  mutating func removeAll(before instant: Instant) -> [Entry] {
    let removed = Array(pending.prefix { $0.at < instant })
    pending.removeFirst(removed.count)
    return removed
  }

  /// The person took back all that is pending.
  mutating func takeBackAll() {
    pending = []
    takenBackTo = lookedTo
  }

  /// Looks again at the occurrences after the last one that is pending.
  mutating func lookAgain() {
    lostTo = .distantPast
    lookedTo = max(pending.last?.at ?? .distantPast, takenBackTo)
  }

  /// An occurrence was denied, refused or dropped.
  mutating func lost(_ occurrence: Instant) {
    lostTo = max(lostTo, occurrence)
  }

  /// As ``lookAgain()``, but not at an occurrence that was lost, nor at any before it.
  mutating func lookAgainAfterLosses() {
    lookedTo = max(pending.last?.at ?? .distantPast, takenBackTo, lostTo)
  }

  /// The occurrence after a match that is undone has another day before it.
  mutating func relink(from day: Int32, to dayBefore: Int32) {
    if let next = pending.firstIndex(where: { $0.dayBefore == day }) { pending[next].dayBefore = dayBefore }
  }
}
