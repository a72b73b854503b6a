import DeviceSimulation
package import Journal
import ScenarioModel
package import Simulation
package import Statistics
import TriggerModel

/// What became of every notification of one run, in the order of time: what a person reads who asks "what fired when".
///
/// What repeats itself is one entry: of one reminder the same fate for the same reason, with nothing else of it
/// between. It keeps ``limit`` entries and counts the others, so that it stays small in a run of any length.
package struct Chronology: JournalSink, Sendable {
  /// So many entries are kept of one run.
  package static let limit = 1_000
  /// Denials and triggers that come to nothing are told one by one where there are at most so many reminders times
  /// entries of the time line; elsewhere there may be millions, and a run that need not tell of each is far faster.
  private static let mostWork = 100_000

  /// In the order of time.
  package private(set) var entries: [ChronologyEntry] = []
  /// What came after the last entry that is kept, counted one by one.
  package private(set) var untold = 0
  /// Whether it tells of denials, and of triggers that came to nothing.
  package let tellsMisses: Bool
  private let deviceCount: Int
  /// By device and reminder: its last entry; negative: none.
  private var latest: [Int32]

  package init(_ program: Program) {
    let reminders = program.scenario.reminders.count
    let (work, isTooMuch) = reminders.multipliedReportingOverflow(by: program.events.count)
    tellsMisses = !isTooMuch && work <= min(Self.mostWork, program.origin.budget.records / 4)
    deviceCount = program.devices.count
    latest = Array(repeating: -1, count: reminders * deviceCount)
  }

  package static var wantsEveryFix: Bool { false }

  package var keepsEveryMiss: Bool { tellsMisses }

  package mutating func record(_ body: JournalRecord.Body, _ stamp: RecordStamp) {
    switch body {
    case .effect(let effect): take(effect, stamp)
    case .outcome(let outcome): take(outcome, stamp)
    case .truth(let event):
      if event.kind == .tapped { respond(.tapped, to: event.request, stamp) }
      if event.kind == .dismissed { respond(.dismissed, to: event.request, stamp) }
      if event.kind == .acted { respond(.acted, to: event.request, stamp) }
    case .link(let link):
      guard let request = link.request, let reason = link.step.loss, !link.isRepeat else { return }
      add(.lost, of: request.reminder, because: reason, request: request, stamp)
    case .happened, .observed, .due, .app, .person, .sync: break
    }
  }

  private mutating func take(_ effect: EngineEffect, _ stamp: RecordStamp) {
    switch effect {
    case .noRequest(let reminder, let reason, let failed):
      if tellsMisses { add(.notRequested, of: reminder, because: reason, failed: failed, stamp) }
    case .decided(let request, let decision):
      let reason = decision.reason ?? .addFailed
      let fate: ChronologyEntry.Fate
      switch decision.outcome {
      case .admit: return
      case .deny:
        if !tellsMisses { return }
        fate = .denied
      case .defer: fate = .deferred(until: decision.until)
      case .fail: fate = .failed
      }
      add(
        fate, of: request.id.reminder, because: reason, blockers: decision.blockers, request: request.id,
        stamp)
    case .dropped(let request, let reason):
      end(request.id, reason, stamp)
    case .request, .add, .remove, .withdraw, .monitor, .unmonitor, .watch, .unwatch, .wake, .wakeForRelease,
      .persist, .storeUnusable:
      break
    }
  }

  private mutating func take(_ outcome: PhoneOutcome, _ stamp: RecordStamp) {
    switch outcome {
    case .refused(let id, let reason): add(.failed, of: id.reminder, because: reason, request: id, stamp)
    // It is still put off, until another time.
    case .removed(_, .quietHours): break
    case .removed(let id, let reason): end(id, reason, stamp)
    case .delivered(let id, let presentation):
      let exposure = Exposure(presentation)
      let reason = exposure == .hidden ? Reason.notPresented : nil
      add(.delivered(exposure), of: id.reminder, because: reason, request: id, stamp)
    case .presentedLate(let id, _): add(.shownLate, of: id.reminder, request: id, stamp)
    case .repeated, .rescheduled, .ignored, .reserved, .regionSuppressed, .missed, .falseSign, .prompted,
      .readingChanged:
      break
    }
  }

  private mutating func end(_ request: RequestID, _ reason: Reason, _ stamp: RecordStamp) {
    let fate = reason == .superseded ? ChronologyEntry.Fate.takenBack : .lost
    add(fate, of: request.reminder, because: reason, request: request, stamp)
  }

  private mutating func add(
    _ fate: ChronologyEntry.Fate, of reminder: ReminderID, because reason: Reason? = nil,
    blockers: ReasonSet = [], failed: ConditionKinds = [], request: RequestID? = nil, _ stamp: RecordStamp
  ) {
    var others = blockers
    if let reason { others.remove(reason) }
    let entry = ChronologyEntry(
      reminder: reminder, device: stamp.device, fate: fate, cause: reason.map { .reason($0) },
      blockers: others,
      failed: failed, instant: stamp.instant, moment: stamp.moment, request: request)
    let place = Int(stamp.device) * (latest.count / max(deviceCount, 1)) + reminder.index
    if latest[place] >= 0, entries[Int(latest[place])].take(entry) { return }
    guard entries.count < Self.limit else {
      untold += 1
      latest[place] = -1
      return
    }
    latest[place] = Int32(entries.count)
    entries.append(entry)
  }

  private mutating func respond(_ response: Response, to id: RequestID, _ stamp: RecordStamp) {
    let answered = entries.lastIndex {
      $0.request == id && $0.device == stamp.device && $0.fate.isExposed && $0.response == nil
    }
    if let answered { entries[answered].response = (response, stamp.moment) }
  }

  /// Adds what was due and never asked for, as the app did not know; of one instant after what is there.
  package mutating func close(_ accounts: RunAccounts) {
    var unasked = UnaskedEntries(accounts)
    var next = unasked.next()
    if next == nil { return }
    let known = entries
    let end = untold > 0 ? entries.last?.instant : nil
    entries = []
    var latest: [Int: Int] = [:]
    for entry in known {
      while let found = next, found.instant < entry.instant {
        merge(found, &latest)
        next = unasked.next()
      }
      merge(entry, &latest)
    }
    while let found = next {
      if let end, found.instant > end { untold += 1 } else { merge(found, &latest) }
      next = unasked.next()
    }
  }

  /// - Parameter latest: By device and reminder: its last entry.
  private mutating func merge(_ entry: ChronologyEntry, _ latest: inout [Int: Int]) {
    let whose = Int(entry.device) << 32 | entry.reminder.index
    if let place = latest[whose], entries[place].take(entry) { return }
    guard entries.count < Self.limit else {
      untold += entry.count
      latest[whose] = nil
      return
    }
    latest[whose] = entries.count
    entries.append(entry)
  }
}
