import Journal
import DeviceSimulation
import Journal
import TriggerModel

/// What an explanation of one reminder asks of a run beside its accounts.
struct ExplanationJournal: JournalSink {
  /// What the app was last told of a fact, and when.
  struct Known {
    var value: FactValue
    var moment: Moment
  }

  /// A request that came to nothing before or after the time for which it was planned.
  struct Lost {
    var reason: Reason
    /// For when it was planned, on the wall clock.
    var deliverAt: Instant
    var instant: Instant
    var moment: Moment
  }

  private let reminder: ReminderID
  private(set) var facts: [UInt32: Known] = [:]
  private(set) var lost: [Lost] = []
  /// The requests that the engine holds, with the wall-clock instant at which it decides again.
  private(set) var held: [RequestID: Instant] = [:]
  /// When the engine looked for an occurrence to come, because one was delivered.
  private(set) var plannedAt: Set<Instant> = []
  private var deliverAt: [RequestID: Instant] = [:]
  /// What the app was told last.
  private var last: ObservedEvent?

  static var wantsEveryFix: Bool { false }

  init(of reminder: ReminderID) {
    self.reminder = reminder
  }

  mutating func record(_ body: JournalRecord.Body, _ stamp: RecordStamp) {
    switch body {
    case .observed(let event):
      last = event
      if event.kind == .factChanged || event.kind == .factFound {
        facts[event.subject] = Known(
          value: FactValue(bits: event.value), moment: event.moment.earlier(by: event.age))
      }
    case .effect(.request(let request)) where request.id.reminder == reminder:
      deliverAt[request.id] = request.deliverAt
    case .effect(.noRequest(reminder, _, _)):
      if last?.kind == .delivered, last?.subject == reminder.rawValue { plannedAt.insert(stamp.instant) }
    case .effect(.decided(let request, let decision)) where request.id.reminder == reminder:
      held[request.id] = decision.outcome == .defer ? decision.until : nil
    case .effect(.dropped(let request, let reason)):
      held[request.id] = nil
      lose(request.id, reason, stamp)
    case .outcome(.removed(let id, let reason)), .outcome(.refused(let id, let reason)):
      lose(id, reason, stamp)
    case .happened, .truth, .effect, .outcome, .due, .link, .app: break
    }
  }

  private mutating func lose(_ id: RequestID, _ reason: Reason, _ stamp: RecordStamp) {
    guard let deliverAt = deliverAt[id] else { return }
    lost.append(
      Lost(reason: reason, deliverAt: deliverAt, instant: stamp.instant, moment: stamp.moment))
  }
}
