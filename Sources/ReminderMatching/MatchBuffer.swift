package import TriggerModel

/// One reminder that saw its trigger with every condition holding: the record of a decision to ask for
/// a notification.
@usableFromInline package struct Match: Hashable, Sendable, BitwiseCopyable {
  package var reminder: ReminderID
  /// The declaration that was in force: the reminder's own, or an edit's.
  package var declaration: UInt32
  /// How many matches the reminder had before.
  package var occurrence: UInt32

  package init(reminder: ReminderID, declaration: UInt32, occurrence: UInt32) {
    self.reminder = reminder
    self.declaration = declaration
    self.occurrence = occurrence
  }
}

/// One reminder that saw its trigger and asks for nothing.
package struct Miss: Hashable, Sendable, BitwiseCopyable {
  package var reminder: ReminderID
  package var reason: Reason
  /// Every kind of condition that did not hold.
  package var failed: ConditionKinds

  package init(reminder: ReminderID, reason: Reason, failed: ConditionKinds) {
    self.reminder = reminder
    self.reason = reason
    self.failed = failed
  }
}

/// The matches of one event, in a buffer that is used again for the next.
@usableFromInline package struct MatchBuffer: Sendable {
  private var room = MatchRoom.none
  /// Where the room begins, which lives as long as a buffer has it.
  @usableFromInline nonisolated(unsafe) private(set) var base = UnsafePointer(MatchRoom.none.matches.base)
  @usableFromInline package var count = 0
  /// Filled only when ``wantsMisses`` is set; telling every miss apart costs time for each of them.
  package var misses: [Miss] = []
  package var wantsMisses: Bool { didSet { isAskedForMore = wantsMisses || keepsWords } }
  /// Matches that ask alike are ``held`` as words, and what misses its trigger alike is ``counted``.
  package var keepsWords = false { didSet { isAskedForMore = wantsMisses || keepsWords } }
  /// Anything but the matches one by one.
  package private(set) var isAskedForMore: Bool
  /// The matches that are not taken one by one: nothing is changed by them so far.
  package internal(set) var held: [HeldMatches] = []
  /// What missed its trigger, in place of ``misses``.
  package internal(set) var counted: [CountedReminders] = []

  package init(wantsMisses: Bool = false) {
    self.wantsMisses = wantsMisses
    isAskedForMore = wantsMisses
  }

  /// The matches, in ascending order of declaration within a trigger.
  package var matches: [Match] { (0..<count).map { self[$0] } }

  /// The match at a position, 0 ..< ``count``.
  @inlinable
  package subscript(index: Int) -> Match {
    precondition(index >= 0 && index < count, "position of a match")
    return base[index]
  }

  package mutating func clear() {
    count = 0
    clearDetails()
  }

  /// Clears what is beside the matches.
  package mutating func clearDetails() {
    if !isAskedForMore { return }
    misses.removeAll(keepingCapacity: true)
    held.removeAll(keepingCapacity: true)
    counted.removeAll(keepingCapacity: true)
  }

  /// Room for this many more matches, shared with no copy of the buffer. What is written there counts
  /// when ``commit(_:)`` says so.
  @inline(__always)
  mutating func reserve(_ more: Int) -> UnsafeMutablePointer<Match> {
    if count + more > room.matches.count || !isKnownUniquelyReferenced(&room) { grow(more) }
    return room.matches.base + count
  }

  /// Counts matches that were written to the room that was reserved.
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

/// The memory behind a ``MatchBuffer``.
private final class MatchRoom: Sendable {
  /// No room at all, which every fresh buffer shares.
  static let none = MatchRoom(capacity: 0)

  let matches: PlainTable<Match>

  init(capacity: Int) {
    let none = Match(reminder: ReminderID(0), declaration: 0, occurrence: 0)
    matches = PlainTable(repeatElement(none, count: capacity))
  }

  deinit { matches.deallocate() }
}

/// How often reminders matched and why they did not, over everything that an engine has seen: always
/// counted. A miss counts under the first kind that failed, in the order of the fields.
package struct MatchTotals: Hashable, Sendable, BitwiseCopyable {
  /// Events that some reminder listened to.
  package var lookedAt: Int64 = 0
  /// Waiting reminders that saw their trigger.
  package var triggered: Int64 = 0
  package var matched: Int64 = 0
  package var failedCharging: Int64 = 0
  package var failedWeekdays: Int64 = 0
  package var failedRegion: Int64 = 0
  package var failedTimeWindow: Int64 = 0
  /// A fact condition, or the second of a kind.
  package var failedOther: Int64 = 0
  /// Of ``failedOther``, those whose first fact condition that does not hold says so.
  package var staleData: Int64 = 0
  package var lowConfidence: Int64 = 0
  package var notEntitled: Int64 = 0

  /// Adds what the steps of looks take away, all that is left counting as missed for its window.
  mutating func add(_ counts: StepCounts) {
    triggered &+= counts.live
    failedCharging &+= counts.live &- counts.charged
    failedWeekdays &+= counts.charged &- counts.onDay
    failedRegion &+= counts.onDay &- counts.inPlace
    failedTimeWindow &+= counts.inPlace
  }

  /// Adds what the conditions take away of those that wait, all that is left counting as missed for its window.
  @inline(__always)
  mutating func add(_ state: BucketState, eligible: Int32) {
    triggered &+= Int64(state.live)
    failedCharging &+= Int64(state.failedCharging)
    failedWeekdays &+= Int64(state.failedWeekdays)
    failedRegion &+= Int64(state.failedRegion)
    failedTimeWindow &+= Int64(eligible)
  }

  /// Misses of every kind: ``triggered`` is this and ``matched``.
  package var failed: Int64 {
    failedCharging + failedWeekdays + failedRegion + failedTimeWindow + failedOther
  }
}
