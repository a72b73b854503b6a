import DeviceSimulation
import Journal
import TriggerModel

/// The additional records, beyond the accounts, that explain one reminder.
struct ExplanationJournal: JournalSink {
  /// The last observed value of a fact, and when the app observed it.
  struct Known {
    var value: FactValue
    var moment: Moment
  }

  struct Admission: Hashable {
    var device: UInt8
    var request: RequestID
  }

  private let reminder: ReminderID
  private(set) var facts: [UInt32: Known] = [:]
  /// The instants at which the reminder was due.
  private(set) var dues: [(instant: Instant, moment: Moment)] = []
  /// The deferred requests, with the wall-clock instants of their next decisions.
  private(set) var held: [RequestID: Instant] = [:]
  /// The instants at which an engine that was planning the next occurrence after a delivery made no request.
  private(set) var plannedAt: Set<Instant> = []
  /// Whether the engine has requested a notification for the reminder.
  private(set) var hasRequested = false
  /// The instants at which requests of any reminder were admitted.
  private(set) var admitted: [Admission: Instant] = [:]
  /// The instants at which the app observed that it was opened or reinstalled, by device.
  private(set) var openings: [UInt8: [Instant]] = [:]
  private(set) var reinstallations: [UInt8: [Instant]] = [:]
  /// The last observed event.
  private var last: ObservedEvent?

  static var wantsEveryFix: Bool { false }

  init(of reminder: ReminderID) {
    self.reminder = reminder
  }

  mutating func record(_ body: JournalRecord.Body, _ stamp: RecordStamp) {
    switch body {
    case .observed(let event):
      last = event
      if event.kind == .opened { openings[stamp.device, default: []].append(stamp.instant) }
      if event.kind == .reinstalled { reinstallations[stamp.device, default: []].append(stamp.instant) }
      if event.kind == .factChanged || event.kind == .factFound {
        facts[event.subject] = Known(
          value: FactValue(bits: event.value), moment: event.moment.earlier(by: event.age))
      }
    case .due(let id, _, _) where id.reminder == reminder: dues.append((stamp.instant, stamp.moment))
    case .effect(.noRequest(reminder, _, _)):
      if last?.kind == .delivered, last?.subject == reminder.rawValue { plannedAt.insert(stamp.instant) }
    case .effect(.request(let request)) where request.id.reminder == reminder: hasRequested = true
    case .effect(.decided(let request, let decision)):
      if decision.outcome == .admit {
        admitted[Admission(device: stamp.device, request: request.id)] = stamp.instant
      }
      if request.id.reminder == reminder {
        held[request.id] = decision.outcome == .defer ? decision.until : nil
      }
    case .effect(.dropped(let request, _)): held[request.id] = nil
    case .happened, .truth, .effect, .outcome, .due, .notRequested, .uncalledFor, .link, .app, .person, .sync:
      break
    }
  }
}
