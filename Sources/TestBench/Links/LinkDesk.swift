package import DeviceSimulation
package import Journal
import NotificationGateway
package import TriggerModel

/// The part of a simulated app that takes links: the router, and how they get there.
///
/// A value like everything else of a world. What it has to say it leaves in ``records``, and when it wants
/// to be asked again in ``alarms``.
package struct LinkDesk: Sendable {
  package private(set) var records: [LinkRecord] = []
  /// Instants of simulation time, each said once.
  package private(set) var alarms: [Instant] = []

  private let book: LinkBook
  private var router: DeepLinkRouter
  /// Faults that await a tap, first come first served.
  private var faults: [LinkFault] = []
  /// Links between the system and the app, in the order in which they set out.
  private var travelling: [Travelling] = []
  /// What the router's pending destination came of.
  private var waiting: LinkRecord?
  /// From when on the process can show something.
  private var readyAt = Instant.distantPast
  /// Reminders that an edit replaced: the declaration now in force.
  private var edits: [ReminderID: Int] = [:]
  private var cancelled: Set<ReminderID> = []

  private struct Travelling: Sendable {
    var record: LinkRecord
    var arrivesAt: Instant
  }

  init(_ book: LinkBook) {
    self.book = book
    router = DeepLinkRouter(book.registry)
  }

  package mutating func removeOutput() {
    records.removeAll(keepingCapacity: true)
    alarms.removeAll(keepingCapacity: true)
  }

  /// Takes what happens to the phone, after the phone has taken it.
  package mutating func happened(_ event: PhoneEvent, at now: Instant, _ moment: Moment) {
    switch event {
    case .linkFault(let fault): faults.append(fault)
    case .openLink(let link):
      let isWeb = DeepLink(book.texts[link.index])?.domain != nil
      send(LinkRecord(link: link, source: isWeb ? .universalLink : .openURL, step: .attempted), at: now)
      advance(at: now, moment)
    case .cancel(let reminder): cancelled.insert(reminder)
    case .edit(let reminder, let edit):
      edits[reminder] = Int(edit)
      cancelled.remove(reminder)
    case .forceQuit, .terminate, .powerOff, .reinstall: loseEverything()
    default: break
    }
  }

  /// Takes what the app is told.
  package mutating func observed(_ event: ObservedEvent, at now: Instant) {
    switch event.kind {
    case .launched:
      loseEverything()
      readyAt = now + book.startUp
    case .tapped:
      tapped(event.request, at: now)
      advance(at: now, event.moment)
    default: break
    }
  }

  /// Lets everything arrive, and be shown, whose time has come.
  package mutating func advance(at now: Instant, _ moment: Moment) {
    while let index = travelling.firstIndex(where: { $0.arrivesAt <= now }) {
      arrive(travelling.remove(at: index).record, moment)
      show(at: now)
    }
    show(at: now)
  }

  /// Shows what waits, once the process can.
  private mutating func show(at now: Instant) {
    guard let shown = waiting else { return }
    guard readyAt <= now else {
      alarms.append(readyAt)
      return
    }
    waiting = nil
    if let destination = router.consume() { note(shown, .routed(destination)) }
  }

  // MARK: On the way

  private mutating func tapped(_ request: RequestID, at now: Instant) {
    let declaration = edits[request.reminder].map { $0 + book.reminderCount } ?? request.reminder.index
    var record = LinkRecord(
      link: book.ofDeclaration[declaration], request: request, source: .notification, step: .attempted)
    switch faults.isEmpty ? nil : faults.removeFirst() {
    case nil: send(record, at: now)
    case .late(let span): send(record, at: now, after: span)
    case .again(let span):
      send(record, at: now)
      record.isRepeat = true
      record.source = .openURL
      send(record, at: now, after: span)
    case .lost:
      note(record, .attempted)
      note(record, .failed(.linkLost))
    }
  }

  private mutating func send(_ record: LinkRecord, at now: Instant, after span: TimeSpan = .zero) {
    note(record, .attempted)
    travelling.append(Travelling(record: record, arrivesAt: now + span))
    if span > .zero { alarms.append(now + span) }
  }

  private mutating func arrive(_ record: LinkRecord, _ moment: Moment) {
    let exists = record.request.map { !cancelled.contains($0.reminder) } ?? true
    let outcome = router.open(
      book.texts[record.link.index], from: record.source, at: moment, subjectExists: exists)
    switch outcome {
    case .duplicate: note(record, .duplicate)
    case .failed(let reason): note(record, .failed(reason))
    case .pending:
      if let displaced = waiting { note(displaced, .failed(.linkLost)) }
      waiting = record
    }
  }

  /// The process ends, and with it everything that it has not shown.
  private mutating func loseEverything() {
    if let lost = waiting { note(lost, .failed(.linkLost)) }
    waiting = nil
    _ = router.consume()
    for lost in travelling { note(lost.record, .failed(.linkLost)) }
    travelling.removeAll()
  }

  private mutating func note(_ record: LinkRecord, _ step: LinkRecord.Step) {
    var record = record
    record.step = step
    records.append(record)
  }
}
