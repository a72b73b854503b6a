import DeviceSimulation
package import Journal
import ScenarioModel
package import Simulation
package import Statistics
import TriggerModel

/// The notification outcomes of a run, in chronological order.
///
/// Consecutive equal outcomes of a reminder are merged into one entry. Only the first ``limit`` entries are
/// kept, to bound the size. Later outcomes are only counted.
package struct Chronology: JournalSink, Sendable {
  /// The maximum number of entries of a run.
  package static let limit = 1_000
  /// The largest product of reminder count and event count for which denials and misses are listed. A larger
  /// run can have millions of them, and skipping them makes it much faster.
  private static let maximumWork = 100_000

  /// The entries, in chronological order.
  package private(set) var entries: [ChronologyEntry] = []
  /// The number of outcomes that were not kept because the limit was reached.
  package private(set) var omitted = 0
  /// Whether denials and misses are listed.
  package let listsMisses: Bool
  private let reminderCount: Int
  /// The index of the last entry by device and reminder, or -1 if there is none.
  private var latest: [Int32]
  /// The facts that the app knows, or `nil` if misses are not listed.
  private var knownFacts: KnownFacts?
  /// The facts of the last miss. The list is reused, because most misses are merged.
  private var readings: [FactReading] = []

  package init(_ program: Program) {
    reminderCount = program.scenario.reminders.count
    let (work, isTooMuch) = reminderCount.multipliedReportingOverflow(by: program.events.count)
    listsMisses = !isTooMuch && work <= min(Self.maximumWork, program.origin.budget.records / 4)
    latest = Array(repeating: -1, count: reminderCount * program.devices.count)
    if listsMisses { knownFacts = KnownFacts(program) }
  }

  package static var wantsEveryFix: Bool { false }

  package var keepsEveryMiss: Bool { listsMisses }

  package mutating func record(_ body: JournalRecord.Body, _ stamp: RecordStamp) {
    switch body {
    case .effect(let effect): take(effect, stamp)
    case .outcome(let outcome): take(outcome, stamp)
    case .observed(let event): knownFacts?.observed(event, stamp)
    case .truth(let event):
      if event.kind == .tapped { respond(.tapped, to: event.request, stamp) }
      if event.kind == .dismissed { respond(.dismissed, to: event.request, stamp) }
      if event.kind == .acted { respond(.acted, to: event.request, stamp) }
    case .link(let link):
      guard let request = link.request, let reason = link.step.loss, !link.isRepeat else { return }
      add(.lost, of: request.reminder, because: reason, request: request, stamp)
    case .happened, .due, .notRequested, .uncalledFor, .app, .person, .sync: break
    }
  }

  private mutating func take(_ effect: EngineEffect, _ stamp: RecordStamp) {
    switch effect {
    case .noRequest(let reminder, let reason, let failed):
      if listsMisses {
        if failed.contains(.fact) {
          knownFacts?.findFailing(reminder, stamp, into: &readings)
        } else {
          readings.removeAll(keepingCapacity: true)
        }
        add(.notRequested, of: reminder, because: reason, failed: failed, known: readings, stamp)
      }
    case .decided(let request, let decision):
      let reason = decision.reason ?? .addFailed
      let fate: ChronologyEntry.Fate
      switch decision.outcome {
      case .admit: return
      case .deny:
        if !listsMisses { return }
        fate = .denied
      case .defer: fate = .deferred(until: decision.until)
      case .fail: fate = .failed
      }
      add(
        fate, of: request.id.reminder, because: reason, blockers: decision.blockers, request: request.id,
        stamp)
    case .dropped(let request, let reason):
      end(request.id, reason, stamp)
    case .request, .add, .remove, .withdraw, .removeShown, .monitor, .unmonitor, .watch, .unwatch, .wake,
      .wakeForRelease, .persist, .storeUnusable:
      break
    }
  }

  private mutating func take(_ outcome: PhoneOutcome, _ stamp: RecordStamp) {
    switch outcome {
    case .refused(let id, let reason): add(.failed, of: id.reminder, because: reason, request: id, stamp)
    // A removal by quiet hours only defers the request, so it is not an outcome.
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
    let fate = reason == .superseded ? ChronologyEntry.Fate.withdrawn : .lost
    add(fate, of: request.reminder, because: reason, request: request, stamp)
  }

  private mutating func add(
    _ fate: ChronologyEntry.Fate, of reminder: ReminderID, because reason: Reason? = nil,
    blockers: ReasonSet = [], failed: ConditionKinds = [], known: [FactReading] = [],
    request: RequestID? = nil, _ stamp: RecordStamp
  ) {
    var others = blockers
    if let reason { others.remove(reason) }
    let entry = ChronologyEntry(
      reminder: reminder, device: stamp.device, fate: fate, cause: reason.map { .reason($0) },
      blockers: others, failed: failed, known: known, instant: stamp.instant, moment: stamp.moment,
      request: request)
    let place = Int(stamp.device) * reminderCount + reminder.index
    if latest[place] >= 0, entries[Int(latest[place])].merge(entry) { return }
    guard entries.count < Self.limit else {
      omitted += 1
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

  /// Adds the due occurrences that the engine never requested because the app did not observe them. At equal
  /// instants, they follow other entries.
  package mutating func close(_ accounts: RunAccounts) {
    var missed = MissedEntries(accounts)
    var next = missed.next()
    if next == nil { return }
    let known = entries
    let end = omitted > 0 ? entries.last?.instant : nil
    entries = []
    var latest: [Int: Int] = [:]
    for entry in known {
      while let found = next, found.instant < entry.instant {
        merge(found, &latest)
        next = missed.next()
      }
      merge(entry, &latest)
    }
    while let found = next {
      if let end, found.instant > end { omitted += 1 } else { merge(found, &latest) }
      next = missed.next()
    }
  }

  /// - Parameter latest: The index of the last entry, by device and reminder.
  private mutating func merge(_ entry: ChronologyEntry, _ latest: inout [Int: Int]) {
    let key = Int(entry.device) << 32 | entry.reminder.index
    if let place = latest[key], entries[place].merge(entry) { return }
    guard entries.count < Self.limit else {
      omitted += entry.count
      latest[key] = nil
      return
    }
    latest[key] = entries.count
    entries.append(entry)
  }
}

/// The due occurrences of all devices that were never requested, in order of time, device and reminder.
/// Entries are created lazily because a run may have millions of them.
struct MissedEntries: IteratorProtocol {
  private struct Source {
    var device: UInt8
    var reminder: ReminderID
    var next: MissedRequest
    var rest: AnyIterator<MissedRequest>
  }

  private struct Turn: Comparable, Sendable {
    var instant: Instant
    var source: Int

    static func < (a: Turn, b: Turn) -> Bool { (a.instant, a.source) < (b.instant, b.source) }
  }

  private var sources: [Source] = []
  private var turns = MinHeap<Turn>()

  init(_ accounts: RunAccounts) {
    for (device, account) in accounts.devices.enumerated() {
      for reminder in account.unansweredReminders {
        var rest = account.missedRequests(reminder).makeIterator()
        guard let next = rest.next() else { continue }
        sources.append(
          Source(device: UInt8(device), reminder: reminder, next: next, rest: AnyIterator(rest)))
        queue(sources.count - 1)
      }
    }
  }

  private mutating func queue(_ source: Int) {
    turns.insert(Turn(instant: Self.instant(sources[source].next), source: source))
  }

  mutating func next() -> ChronologyEntry? {
    guard let turn = turns.popFirst() else { return nil }
    let source = sources[turn.source]
    if let next = source.rest.next() {
      sources[turn.source].next = next
      queue(turn.source)
    }
    return ChronologyEntry(
      reminder: source.reminder, device: source.device, fate: .missed, cause: .missed(source.next.cause),
      blockers: [], failed: [], instant: turn.instant, moment: source.next.due.moment, request: nil)
  }

  private static func instant(_ missed: MissedRequest) -> Instant {
    missed.due.instant ?? missed.due.moment.wall
  }
}
