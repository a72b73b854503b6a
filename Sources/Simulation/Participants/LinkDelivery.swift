import DeviceSimulation
import Journal
import NotificationGateway
import TriggerModel

/// Link handling in the simulated app: the transport of links from the system, and the deep-link router.
struct LinkDelivery: Participant {
  private let tables: CompiledLinks
  private var router: DeepLinkRouter
  /// The declared faults that affect later taps, in order.
  private var faults: [LinkFault] = []
  /// The links in transit between the system and the app, in order of departure.
  private var travelling: [Travelling] = []
  /// The record of the link whose destination is pending in the router.
  private var waiting: LinkRecord?
  /// The instant from which the process can show content.
  private var readyAt = Instant.distantPast
  /// The index of the edit in force, by reminder.
  private var edits: [ReminderID: Int] = [:]
  private var cancelled: Set<ReminderID> = []

  private struct Travelling: Sendable {
    var record: LinkRecord
    var departedAt: Instant
    var arrivesAt: Instant
  }

  init(_ tables: CompiledLinks) {
    self.tables = tables
    router = DeepLinkRouter(tables.registry)
  }

  static func listens(to body: JournalRecord.Body) -> Bool {
    switch body {
    case .happened, .observed: true
    case .truth, .effect, .outcome, .due, .notRequested, .uncalledFor, .link, .app, .person, .sync: false
    }
  }

  mutating func deliver(
    _ body: JournalRecord.Body, _ situation: Situation, into replies: inout Replies
  ) {
    switch body {
    case .happened(let event): happened(event, situation, into: &replies)
    case .observed(let event): observed(event, situation, into: &replies)
    default: break
    }
  }

  /// Delivers the links that have arrived, and shows a pending destination.
  mutating func timerFired(_ subject: UInt32, _ situation: Situation, into replies: inout Replies) {
    advance(situation, into: &replies)
  }

  private mutating func happened(_ event: PhoneEvent, _ situation: Situation, into replies: inout Replies) {
    switch event {
    case .linkFault(let fault): faults.append(fault)
    // The app under test does not receive a link to another app or to none.
    case .openLink(let link)
    where !situation.isPhoneOn || !tables.registry.opensApp(tables.texts[link.index]):
      break
    case .openLink(let link):
      let isWeb = DeepLink(tables.texts[link.index])?.domain != nil
      let source: DeepLinkRouter.Source = isWeb ? .universalLink : .openURL
      send(LinkRecord(link: link, source: source, step: .attempted), situation, into: &replies)
      advance(situation, into: &replies)
    case .cancel(let reminder): cancelled.insert(reminder)
    case .create(let reminder):
      edits[reminder] = nil
      cancelled.remove(reminder)
    case .edit(let reminder, let edit):
      edits[reminder] = Int(edit)
      cancelled.remove(reminder)
    case .forceQuit, .forceStop, .updateApp, .terminate, .powerOff, .reinstall: loseEverything(into: &replies)
    default: break
    }
  }

  private mutating func observed(
    _ event: ObservedEvent, _ situation: Situation, into replies: inout Replies
  ) {
    switch event.kind {
    case .launched:
      loseEverything(into: &replies)
      readyAt = situation.now + tables.startUp
    case .tapped:
      tapped(event.request, situation, into: &replies)
      advance(situation, into: &replies)
    default: break
    }
  }

  /// Delivers every link that has arrived, and shows the pending destination.
  private mutating func advance(_ situation: Situation, into replies: inout Replies) {
    while let index = travelling.firstIndex(where: { $0.arrivesAt <= situation.now }) {
      arrive(travelling.remove(at: index), situation.moment, into: &replies)
      show(at: situation.now, into: &replies)
    }
    show(at: situation.now, into: &replies)
  }

  /// Shows the pending destination when the process is ready. If no consumer observes the destination, it
  /// stays in the router, and its outcome is recorded immediately.
  private mutating func show(at now: Instant, into replies: inout Replies) {
    guard let shown = waiting, let destination = router.pending else { return }
    guard readyAt <= now else { return replies.wake(at: readyAt) }
    waiting = nil
    guard tables.registry.consumers[Int(destination.consumer)].isObserved else {
      return note(shown, .unconsumed(destination), into: &replies)
    }
    _ = router.consume()
    note(shown, .routed(destination), into: &replies)
  }

  // MARK: On the way

  private mutating func tapped(_ request: RequestID, _ situation: Situation, into replies: inout Replies) {
    let declaration = edits[request.reminder].map { $0 + tables.reminderCount } ?? request.reminder.index
    var record = LinkRecord(
      link: tables.ofDeclaration[declaration], request: request, source: .notification, step: .attempted)
    switch faults.isEmpty ? nil : faults.removeFirst() {
    case nil: send(record, situation, into: &replies)
    case .late(let span): send(record, after: span, situation, into: &replies)
    case .again(let span):
      send(record, situation, into: &replies)
      record.isRepeat = true
      record.source = .openURL
      send(record, after: span, situation, into: &replies)
    case .lost:
      note(record, .attempted, into: &replies)
      note(record, .failed(.linkLost), into: &replies)
    }
  }

  private mutating func send(
    _ record: LinkRecord, after span: TimeSpan = .zero, _ situation: Situation, into replies: inout Replies
  ) {
    note(record, .attempted, into: &replies)
    travelling.append(
      Travelling(record: record, departedAt: situation.now, arrivesAt: situation.now + span))
    if span > .zero { replies.wake(at: situation.now + span) }
  }

  private mutating func arrive(_ arrival: Travelling, _ moment: Moment, into replies: inout Replies) {
    let record = arrival.record
    let tap = record.request.map { DeepLinkRouter.Tap(on: $0, at: arrival.departedAt) }
    let exists = record.request.map { !cancelled.contains($0.reminder) } ?? true
    let displaced = router.pending
    let outcome = router.open(
      tables.texts[record.link.index], from: record.source, of: tap, at: moment, subjectExists: exists)
    switch outcome {
    case .duplicate: note(record, .duplicate, into: &replies)
    case .failed(let reason): note(record, .failed(reason), into: &replies)
    case .pending:
      if let waiting, let displaced { note(waiting, .unconsumed(displaced), into: &replies) }
      waiting = record
    }
  }

  /// Discards the links and the destination that the ended process has not shown.
  private mutating func loseEverything(into replies: inout Replies) {
    if let destination = router.consume(), let waiting {
      note(waiting, .unconsumed(destination), into: &replies)
    }
    waiting = nil
    for lost in travelling { note(lost.record, .failed(.linkLost), into: &replies) }
    travelling.removeAll()
  }

  private func note(_ record: LinkRecord, _ step: LinkRecord.Step, into replies: inout Replies) {
    var record = record
    record.step = step
    replies.record(.link(record))
  }
}
