import CivilTime

/// What a matcher remembers, in tables that one matcher owns. A matcher that shares its state with a copy
/// of itself takes a copy of the state before it changes anything.
package final class MatcherState: Sendable {
  /// The rows that change, bucket after bucket; see ``TriggerBucket/state(_:)``.
  let words: PlainTable<UInt64>
  let buckets: PlainTable<BucketState>
  let memories: PlainTable<ReminderMemory>
  /// By bucket, word and reason: the entries of which a fact condition fails.
  let factRows: PlainTable<UInt64>
  /// By declaration; empty where none has fact conditions.
  let failing: PlainTable<FailingFacts>
  let series: PlainTable<SeriesState>

  /// The state before anything happened.
  package convenience init(of program: ReminderProgram) { self.init(copying: program.template) }

  init(
    words: [UInt64], buckets: [BucketState], reminderCount: Int, factWords: Int, failing: [FailingFacts],
    seriesCount: Int
  ) {
    self.words = PlainTable(words)
    self.buckets = PlainTable(buckets)
    memories = PlainTable(repeatElement(ReminderMemory(), count: reminderCount))
    factRows = PlainTable(repeatElement(0, count: factWords))
    self.failing = PlainTable(failing)
    series = PlainTable(repeatElement(SeriesState(), count: seriesCount))
  }

  /// Whether it has room for all that a program remembers.
  func fits(_ program: ReminderProgram) -> Bool {
    words.count >= program.wordCount * StateRow.count && buckets.count >= program.tables.buckets.count
      && memories.count >= program.reminderCount && factRows.count >= program.factWords
      && failing.count >= program.failingCount && series.count >= program.tables.facts.series.count
  }

  /// A copy with room for what was added to the program, and for more.
  init(copying other: MatcherState, fitting program: ReminderProgram) {
    words = PlainTable(
      copying: other.words, atLeast: program.wordCount * StateRow.count, filling: 0)
    buckets = PlainTable(copying: other.buckets)
    memories = PlainTable(
      copying: other.memories, atLeast: program.reminderCount, filling: ReminderMemory())
    factRows = PlainTable(copying: other.factRows, atLeast: program.factWords, filling: 0)
    failing = PlainTable(
      copying: other.failing, atLeast: program.failingCount, filling: FailingFacts())
    series = PlainTable(
      copying: other.series, atLeast: program.tables.facts.series.count, filling: SeriesState())
  }

  init(copying other: MatcherState) {
    words = PlainTable(copying: other.words)
    buckets = PlainTable(copying: other.buckets)
    memories = PlainTable(copying: other.memories)
    factRows = PlainTable(copying: other.factRows)
    failing = PlainTable(copying: other.failing)
    series = PlainTable(copying: other.series)
  }

  deinit {
    words.deallocate()
    buckets.deallocate()
    memories.deallocate()
    factRows.deallocate()
    failing.deallocate()
    series.deallocate()
  }

  package var bytes: Int {
    words.bytes + buckets.bytes + memories.bytes + factRows.bytes + failing.bytes
      + series.bytes
  }
}

/// How far a bucket's rows are brought up to date. Buckets that nothing looks at cost nothing: each
/// catches up when its trigger comes.
struct BucketState: Hashable, Sendable, BitwiseCopyable {
  /// The minute of the day for which the window row holds; ``unknown`` when it must be made anew.
  var minute: Int32 = 0
  /// The next window edge: the first whose minute is after ``minute``.
  var nextEdge: Int32
  /// The local day for which the live row holds.
  var day: Int32 = Self.unknown
  /// The latest local day for which it ever held.
  var latestDay: Int32 = Self.unknown
  /// The ``LocalView/key(regions:)`` for which the eligible row holds.
  var key: UInt32 = Self.noKey
  /// The regions for which the row of failing region conditions holds.
  var inside: UInt32 = 0

  // Live entries, and those among them that fail, by the first kind of condition that does.
  var live: Int32 = 0
  var failedCharging: Int32 = 0
  var failedWeekdays: Int32 = 0
  var failedRegion: Int32 = 0
  var failedTimeWindow: Int32 = 0

  static let unknown = Int32.min
  static let noKey = UInt32.max
}
