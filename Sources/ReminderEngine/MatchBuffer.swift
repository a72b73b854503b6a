public import TriggerModel

/// One reminder that saw its trigger with every condition holding: the record of a decision to ask for
/// a notification.
public struct Match: Hashable, Sendable, BitwiseCopyable {
  public var reminder: ReminderID
  /// The declaration that was in force: the reminder's own, or an edit's.
  public var declaration: UInt32
  /// How many matches the reminder had before.
  public var occurrence: UInt32
}

/// One reminder that saw its trigger and asks for nothing.
public struct Miss: Hashable, Sendable, BitwiseCopyable {
  public var reminder: ReminderID
  public var reason: Reason
  /// Every kind of condition that did not hold.
  public var failed: ConditionKinds
}

/// The matches of one event, in a buffer that is used again for the next.
public struct MatchBuffer: Sendable {
  private var storage: [Match] = []
  public private(set) var count = 0
  /// Filled only when ``wantsMisses`` is set; telling every miss apart costs time for each of them.
  public internal(set) var misses: [Miss] = []
  public var wantsMisses: Bool

  public init(wantsMisses: Bool = false) {
    self.wantsMisses = wantsMisses
  }

  /// The matches, in ascending order of declaration within a trigger.
  public var matches: ArraySlice<Match> { storage[..<count] }

  public subscript(index: Int) -> Match { storage[index] }

  @inline(__always)
  mutating func clear() {
    count = 0
    if !misses.isEmpty { misses.removeAll(keepingCapacity: true) }
  }

  /// Room for this many more matches.
  @inline(__always)
  mutating func reserve(_ more: Int) {
    if count + more > storage.count { grow(more) }
  }

  @inline(never)
  private mutating func grow(_ more: Int) {
    let none = Match(reminder: ReminderID(0), declaration: 0, occurrence: 0)
    storage += Array(repeating: none, count: max(count + more, 2 * storage.count) - storage.count)
  }

  /// Appends within the room that was reserved.
  @inline(__always)
  mutating func append(_ match: Match) {
    storage[count] = match
    count += 1
  }
}

/// How often reminders matched and why they did not, over everything that an engine has seen: always
/// counted. A miss counts under the first kind that failed, in the order of the fields.
public struct MatchTotals: Hashable, Sendable, BitwiseCopyable {
  /// Events that some reminder listened to.
  public internal(set) var lookedAt: Int64 = 0
  /// Waiting reminders that saw their trigger.
  public internal(set) var triggered: Int64 = 0
  public internal(set) var matched: Int64 = 0
  public internal(set) var failedCharging: Int64 = 0
  public internal(set) var failedWeekdays: Int64 = 0
  public internal(set) var failedRegion: Int64 = 0
  public internal(set) var failedTimeWindow: Int64 = 0
  /// A condition without a row: a fact, or the second of a kind.
  public internal(set) var failedOther: Int64 = 0

  public init() {}
}
