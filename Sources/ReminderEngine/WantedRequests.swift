import TriggerModel

/// The missing requests of one source of a reminder, in the order in which they are made.
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
    /// The number of the stage or of the pattern, or 0 for an occurrence.
    var number = 0

    static func < (a: Self, b: Self) -> Bool { (a.at, a.number) < (b.at, b.number) }
  }

  let reminder: ReminderID
  let declaration: UInt32
  let source: Source
  /// The request to make next, or `nil` if there is none.
  var next: Request?
  /// The other requests, in reverse order. Occurrences are not listed, because they are computed one by one.
  var others: [Request] = []
  /// The number of occurrences that are still to be considered.
  var left: UInt32 = 0
  /// The instant at which the first occurrence is due.
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

  /// The next request of a source, ordered by its due time among all sources.
  struct Turn: Comparable, Sendable, BitwiseCopyable {
    var due: RankedOccurrence
    var source: WantedRequests.Source
    var number: Int

    static func < (a: Self, b: Self) -> Bool {
      (a.due, a.source, a.number) < (b.due, b.source, b.number)
    }
  }

  /// The schedules to consider when all changes are known.
  var schedules: [ReminderID] = []
  var wanted: [Key: WantedRequests] = [:]
  var turns = MinHeap<Turn>()
  /// The instant from which there is no room, or `nil` before the first request.
  var fullFrom: Instant?
  /// The number of requests for which there is room, or `nil` if it must be determined.
  var room: Int?
  /// The left-out occurrences that were retried in this pass.
  var triedAgain: [RankedOccurrence] = []
  /// The first request of each reminder for which there was no room.
  var withoutRoom: [ReminderID: Instant] = [:]
}
