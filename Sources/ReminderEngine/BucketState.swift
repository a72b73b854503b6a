import CivilTime

/// How far a bucket's rows are brought up to date. Buckets that nothing looks at cost nothing: each
/// catches up when its trigger comes.
struct BucketState: Hashable, Sendable, BitwiseCopyable {
  /// The minute of the day for which the window row holds; ``unknown`` when it must be made anew.
  var minute: Int32 = 0
  /// The next window edge: the first whose minute is after ``minute``.
  var nextEdge: Int32
  /// The local day for which the live row holds.
  var day: Int32 = Self.unknown
  /// The ``LocalView/key`` for which the eligible row holds.
  var key: UInt32 = Self.noKey
  /// The regions for which the row of failing region conditions holds.
  var inside: UInt32 = 0

  // Live entries by the first kind of condition that fails.
  var live: Int32 = 0
  var failedCharging: Int32 = 0
  var failedWeekdays: Int32 = 0
  var failedRegion: Int32 = 0
  var failedTimeWindow: Int32 = 0

  static let unknown = Int32.min
  static let noKey = UInt32.max
}

/// What an engine remembers of one declaration.
struct ReminderMemory: Hashable, Sendable, BitwiseCopyable {
  /// The local day on which it last matched.
  var lastDay = Int32.min
  /// How often it matched.
  var occurrences: UInt32 = 0
}
