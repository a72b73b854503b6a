import CivilTime
import DeviceSimulation
import Journal
import ReminderMatching
import ScenarioModel
import Simulation
import TextFormats
import TriggerModel

/// Which lines of a scenario had no effect when it ran, and why, and which are out of place: prompts for what nothing
/// needs yet, and offers that nothing gave rise to.
struct IneffectiveLines {
  private enum Fault: Hashable {
    case ignored(IgnoreCause)
    case promptEarly(PermissionKind)
    case offer(OfferMisplaced)
  }

  private struct Line: Hashable {
    var position: SourcePosition
    var fault: Fault
  }

  private let program: Program
  /// Behind the program's event that happens next.
  private var cursor: EventCursor
  /// What happens next.
  private var next: ProgramEvent?
  /// What happened last, and before that.
  private var last: ProgramEvent?
  private var beforeLast: ProgramEvent?
  /// Who says what happened last; nil: a recorded way.
  private var speaker: SourcePosition?
  private var counts: [Line: (times: Int, first: Instant)] = [:]
  /// By device.
  private var visits: [OfferVisits]

  init(_ program: Program) {
    self.program = program
    cursor = program.events.makeIterator()
    next = cursor.next()
    let hasReminder = program.scenario.reminders.contains { !$0.declaration.isMadeLater }
    visits = program.devices.map { _ in OfferVisits(hasReminder: hasReminder) }
  }

  mutating func record(_ body: JournalRecord.Body, _ stamp: RecordStamp) {
    switch body {
    case .happened(let event):
      speaker = nil
      if case .create = event { visits[Int(stamp.device)].hasReminder = true }
      guard let said = next, said.instant == stamp.instant, said.device == stamp.device, said.event == event
      else { return }
      (beforeLast, last, next) = (last, said, cursor.next())
      speaker = said.position
    case .outcome(.ignored(let cause)): if !isForgottenWithAnItem { count(.ignored(cause), stamp) }
    case .app(.promptEarly(let kind)): count(.promptEarly(kind), stamp)
    case .app(.surfaceUnasked):
      count(.offer(visits[Int(stamp.device)].misplaced(at: stamp.instant)), stamp)
    case .observed(let event):
      if event.kind == .opened { visits[Int(stamp.device)].opened(at: stamp.instant) }
    default: break
    }
  }

  /// The last event is one of those that `remove` stands for: what is forgotten then need not have been known.
  private var isForgottenWithAnItem: Bool {
    guard speaker != nil, let last, case .fact(_, let value) = last.event, value.isMissing else {
      return false
    }
    return [beforeLast, next].contains { other in
      guard let other else { return false }
      return other.position == last.position && other.instant == last.instant && other.device == last.device
    }
  }

  private mutating func count(_ fault: Fault, _ stamp: RecordStamp) {
    if let speaker {
      counts[Line(position: speaker, fault: fault), default: (0, stamp.instant)].times += 1
    }
  }

  /// One for each line and cause, in the order of the file.
  var warnings: [Diagnostic] {
    // Lines of an expanded scenario are not the author's.
    let lines = counts.filter { $0.key.position != .start }
    let recordings = Set(program.scenario.recordings.map(\.position))
    return lines.map { line, count in
      // A line of the time line says when it happens; one that names a recording does not.
      let first = recordings.contains(line.position) ? local(count.first) : nil
      return (line.position, Self.words(line.fault, count.times, first: first))
    }
    .sorted { ($0.0, $0.1.message) < ($1.0, $1.1.message) }
    .map { position, words in
      program.scenario.sources.diagnostic(
        words.message, severity: .warning, at: position, hint: words.hint)
    }
  }

  private func local(_ instant: Instant) -> String {
    program.scenario.zones[program.scenario.timeline.zone(at: instant)].local(at: instant).words
  }

  private static func words(
    _ fault: Fault, _ count: Int, first: String?
  ) -> (message: String, hint: String?) {
    switch fault {
    case .ignored(let cause):
      var subject = count == 1 ? "this happened" : "this happened \(count) times"
      if let first { subject += count == 1 ? " at \(first)" : ", first at \(first)," }
      return ("\(subject) without effect: \(cause.explanation)", nil)
    case .offer(let misplaced):
      let times = count == 1 ? "" : ", \(count) times"
      return (
        "the app shows this offer by itself \(misplaced.words)\(times)",
        "an offer comes when the plan does not allow something, such as 'create NAME' of one reminder too many"
      )
    case .promptEarly(let kind):
      let times = count == 1 ? "" : ", \(count) times"
      return (
        "this prompt came before its need\(times): there was no reminder that \(kind.use)",
        "let it follow the first reminder that does, as in 'create NAME' and then 'prompt …'"
      )
    }
  }
}

extension PermissionKind {
  /// What a reminder does that uses it.
  fileprivate var use: String {
    switch self {
    case .notifications: "could notify"
    case .location: "waits at a place"
    case .screenTime: "waits for another app"
    }
  }
}

extension IgnoreCause {
  /// The cause in words.
  fileprivate var explanation: String {
    switch self {
    case .poweredOff: "the phone is off"
    case .alreadySo: "it is so already"
    case .nothingToSee: "there is nothing of the kind to be seen"
    case .promptAlreadyAnswered: "the system does not show its prompt again"
    case .notOffered: "the system's prompt does not offer this answer"
    case .settingsOnly: "the system does not ask for this: it is decided in its settings"
    case .notInFront: "our app is not in front"
    case .onItsWay: "the phone is on its way to a later fix already"
    case .notOnThisPlatform: "this platform has nothing of the kind"
    case .opensElsewhere:
      "the link is none of the app's schemes and domains: the browser opens, or another app, or nothing"
    }
  }
}
