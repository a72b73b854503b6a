package import TriggerModel

/// A reminder whose trigger was observed while all its conditions held. It requests a notification.
@usableFromInline package struct Match: Hashable, Sendable, BitwiseCopyable {
  package var reminder: ReminderID
  /// The declaration that was in force: the reminder's own, or that of an edit.
  package var declaration: UInt32
  /// The number of earlier matches of the reminder.
  package var occurrence: UInt32

  package init(reminder: ReminderID, declaration: UInt32, occurrence: UInt32) {
    self.reminder = reminder
    self.declaration = declaration
    self.occurrence = occurrence
  }
}

/// A waiting reminder whose trigger was observed but that requests nothing.
package struct Miss: Hashable, Sendable, BitwiseCopyable {
  package var reminder: ReminderID
  package var reason: Reason
  /// All kinds of conditions that failed.
  package var failed: ConditionKinds

  package init(reminder: ReminderID, reason: Reason, failed: ConditionKinds) {
    self.reminder = reminder
    self.reason = reason
    self.failed = failed
  }
}

/// The matches of one event, in a buffer that is reused for the next event.
@usableFromInline package struct MatchBuffer: Sendable {
  private var room = MatchRoom.none
  /// The start of the buffer's memory, which exists as long as the buffer.
  @usableFromInline nonisolated(unsafe) private(set) var base = UnsafePointer(MatchRoom.none.matches.base)
  @usableFromInline package var count = 0
  /// The individual misses. They are collected only if ``wantsMisses`` is set, because each of them takes
  /// time.
  package var misses: [Miss] = []
  package var wantsMisses: Bool { didSet { collectsDetails = wantsMisses || collectsBatches } }
  /// Whether matches with interchangeable requests are collected in ``held``, and misses in ``counted``, as
  /// words of 64 entries.
  package var collectsBatches = false { didSet { collectsDetails = wantsMisses || collectsBatches } }
  /// Whether the buffer collects anything in addition to individual matches.
  package private(set) var collectsDetails: Bool
  /// The matches that were collected as words. They have not yet changed the state.
  package internal(set) var held: [MatchBatch] = []
  /// The misses that were collected as words instead of in ``misses``.
  package internal(set) var counted: [CountedReminders] = []

  package init(wantsMisses: Bool = false) {
    self.wantsMisses = wantsMisses
    collectsDetails = wantsMisses
  }

  /// The matches, in ascending order of declarations within each trigger.
  package var matches: [Match] { (0..<count).map { self[$0] } }

  /// The match at a position in 0 ..< ``count``.
  @inlinable
  package subscript(index: Int) -> Match {
    precondition(index >= 0 && index < count, "position of a match")
    return base[index]
  }

  package mutating func clear() {
    count = 0
    clearDetails()
  }

  /// Clears everything but the matches.
  package mutating func clearDetails() {
    if !collectsDetails { return }
    misses.removeAll(keepingCapacity: true)
    held.removeAll(keepingCapacity: true)
    counted.removeAll(keepingCapacity: true)
  }

  /// Reserves memory for more matches that no copy of the buffer shares. Call ``commit(_:)`` after writing
  /// them.
  @inline(__always)
  mutating func reserve(_ more: Int) -> UnsafeMutablePointer<Match> {
    if count + more > room.matches.count || !isKnownUniquelyReferenced(&room) { grow(more) }
    return room.matches.base + count
  }

  /// Adds matches that were written to reserved memory.
  @inline(__always)
  mutating func commit(_ more: Int) {
    count += more
    assert(count <= room.matches.count, "matches without room")
  }

  @inline(never)
  private mutating func grow(_ more: Int) {
    let larger = MatchRoom(capacity: max(count + more, 2 * count))
    larger.matches.base.update(from: room.matches.base, count: count)
    room = larger
    base = UnsafePointer(larger.matches.base)
  }
}

/// The memory of a ``MatchBuffer``.
private final class MatchRoom: Sendable {
  /// The empty memory of every new buffer.
  static let none = MatchRoom(capacity: 0)

  let matches: PlainTable<Match>

  init(capacity: Int) {
    let none = Match(reminder: ReminderID(0), declaration: 0, occurrence: 0)
    matches = PlainTable(repeatElement(none, count: capacity))
  }

  deinit { matches.deallocate() }
}

/// The number of matches, and of misses by reason, over all events of an engine.
///
/// The totals are always counted. A miss counts for the first kind of condition that failed, in the order of
/// the properties.
package struct MatchTotals: Hashable, Sendable, BitwiseCopyable {
  /// The number of events that at least one reminder listens to.
  package var lookedAt: Int64 = 0
  /// The number of times that the trigger of a waiting reminder was observed.
  package var triggered: Int64 = 0
  package var matched: Int64 = 0
  package var failedCharging: Int64 = 0
  package var failedWeekdays: Int64 = 0
  package var failedRegion: Int64 = 0
  package var failedTimeWindow: Int64 = 0
  /// The misses because of a fact condition, or of a second condition of a kind.
  package var failedOther: Int64 = 0
  /// The misses in ``failedOther`` for which the first failing fact condition has this reason.
  package var staleData: Int64 = 0
  package var lowConfidence: Int64 = 0
  package var notEntitled: Int64 = 0

  /// Adds the misses of each step. All entries that remain are counted as missed because of their window.
  mutating func add(_ counts: StepCounts) {
    triggered &+= counts.live
    failedCharging &+= counts.live &- counts.charged
    failedWeekdays &+= counts.charged &- counts.onDay
    failedRegion &+= counts.onDay &- counts.inPlace
    failedTimeWindow &+= counts.inPlace
  }

  /// Adds the misses of a bucket. All eligible entries are counted as missed because of their window.
  @inline(__always)
  mutating func add(_ state: BucketState, eligible: Int32) {
    triggered &+= Int64(state.live)
    failedCharging &+= Int64(state.failedCharging)
    failedWeekdays &+= Int64(state.failedWeekdays)
    failedRegion &+= Int64(state.failedRegion)
    failedTimeWindow &+= Int64(eligible)
  }

  /// The number of all misses. Together with ``matched``, it adds up to ``triggered``.
  package var failed: Int64 {
    failedCharging + failedWeekdays + failedRegion + failedTimeWindow + failedOther
  }
}
