import TriggerModel

/// What is planned together, what is due next first: occurrences of schedules, stages of lapses, and what the system is
/// to repeat.
struct PlanningRound: Sendable {
  /// What is to be handed over, if there is room.
  struct Turn: Comparable, Sendable, BitwiseCopyable {
    enum Part: Hashable, Sendable, BitwiseCopyable {
      /// The next occurrence of the reminder's ``PlanningRound/looks``.
      case schedule
      /// By its number.
      case stage(Int)
      /// By the number of the pattern.
      case repetition(Int)

      /// Of parts of one reminder that are due at once this one is the first.
      fileprivate var order: (Int, Int) {
        switch self {
        case .schedule: (0, 0)
        case .stage(let number): (1, number)
        case .repetition(let number): (2, number)
        }
      }
    }

    var occurrence: RankedOccurrence
    var part: Part

    static func < (a: Self, b: Self) -> Bool {
      a.occurrence == b.occurrence ? a.part.order < b.part.order : a.occurrence < b.occurrence
    }
  }

  /// What is planned waits for its turn; where not, it is handed over at once.
  var isOpen = false
  /// The schedules that are to be looked at.
  var schedules: [ReminderID] = []
  /// How far each schedule was looked at.
  var looks: [ReminderID: ReminderEngine.Lookahead] = [:]
  /// Of each reminder that the system is to repeat, when the app is to be woken to try again.
  var wishes: [ReminderID: Instant] = [:]
  var turns = MinHeap<Turn>()
  /// From here on there is no room for what takes its turn; nil: none has begun.
  var fullFrom: Instant?
  /// For how many requests there is room, once turns have begun; nil: to be counted.
  var room: Int?
  /// What was left out and is tried again.
  var triedAgain: [RankedOccurrence] = []
  /// Of each reminder of which something found no room, what is due first of that.
  var withoutRoom: [ReminderID: Instant] = [:]
}
