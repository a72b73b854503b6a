import TriggerModel

/// The missing requests of one source of a reminder, in the order in which they must be made.
struct WantedRequests: Sendable {
  /// The origin of requests that a reminder makes in advance.
  enum Source: Comparable, Sendable, BitwiseCopyable {
    /// The next occurrences of a schedule.
    case occurrences
    /// The stages of a lapse.
    case stages
    /// The patterns that the system repeats.
    case repetitions
  }

  /// One of the requests.
  struct Request: Comparable, Sendable, BitwiseCopyable {
    /// The instant at which the request is due.
    var at: Instant
    /// The index of the stage or of the pattern, or 0 for an occurrence.
    var number = 0

    static func < (a: Self, b: Self) -> Bool { (a.at, a.number) < (b.at, b.number) }
  }

  let reminder: ReminderID
  let declaration: UInt32
  let source: Source
  /// The request to make next, or `nil` if there is none.
  var next: Request?
  /// The remaining requests, in reverse order. Occurrences are not listed, because they are computed one at a
  /// time.
  var others: [Request] = []
  /// The number of occurrences that remain to be considered.
  var left: UInt32 = 0
  /// The due time of the first occurrence.
  var first: Instant?
  /// The instant at which the app must be woken to retry a repetition.
  var wish = Instant.distantFuture
  /// Whether the system had no room for an occurrence, or for the last stage or repetition.
  var lacksRoom = false
}

/// A reconciliation in which the requests of several reminders compete for room. Requests that are due
/// earlier are made first.
struct ReconciliationPass: Sendable {
  /// A source of a reminder.
  struct Key: Hashable, Sendable, BitwiseCopyable {
    var reminder: ReminderID
    var source: WantedRequests.Source
  }

  /// The next request of a source, ordered among all sources by due time.
  struct Turn: Comparable, Sendable, BitwiseCopyable {
    var due: RankedOccurrence
    var source: WantedRequests.Source
    var number: Int

    static func < (a: Self, b: Self) -> Bool {
      (a.due, a.source, a.number) < (b.due, b.source, b.number)
    }
  }

  /// The schedules to consider after all changes are known.
  var schedules: [ReminderID] = []
  var wanted: [Key: WantedRequests] = [:]
  var turns = MinHeap<Turn>()
  /// The instant from which there is no room, or `nil` until the first request is made.
  var fullFrom: Instant?
  /// The number of further requests that the system can hold, or `nil` if it must be determined.
  var room: Int?
  /// The left-out occurrences that were retried in this pass.
  var triedAgain: [RankedOccurrence] = []
  /// The due time of each reminder's first request for which there was no room.
  var withoutRoom: [ReminderID: Instant] = [:]
}
