import CivilTime
import DeviceSimulation
import Journal
import ReminderMatching
import ScenarioModel
import Simulation
import TextFormats
import TriggerModel

/// Finds lines of a scenario that have no effect in a run. Also finds prompts and offers that appear too
/// early or for no reason.
struct IneffectiveLines {
  private enum Problem: Hashable {
    case ignored(IgnoreCause)
    case promptEarly(PermissionKind)
    case offer(MisplacedOffer)
  }

  private struct Line: Hashable {
    var position: SourcePosition
    var problem: Problem
  }

  private let program: Program
  /// The position after the next event of the program.
  private var cursor: EventCursor
  /// The next event of the program.
  private var next: ProgramEvent?
  /// The last event of the program, and the one before it.
  private var last: ProgramEvent?
  private var beforeLast: ProgramEvent?
  /// The position of the line that states the last event, or `nil` for a recorded event.
  private var position: SourcePosition?
  private var counts: [Line: (times: Int, first: Instant)] = [:]
  /// The state of offers, indexed by device.
  private var offers: [OfferState]

  init(_ program: Program) {
    self.program = program
    cursor = program.events.makeIterator()
    next = cursor.next()
    let hasReminder = program.scenario.reminders.contains { !$0.declaration.isCreatedLater }
    offers = program.devices.map { _ in OfferState(hasReminder: hasReminder) }
  }

  mutating func record(_ body: JournalRecord.Body, _ stamp: RecordStamp) {
    switch body {
    case .happened(let event):
      position = nil
      if case .create = event { offers[Int(stamp.device)].hasReminder = true }
      guard let stated = next, stated.instant == stamp.instant, stated.device == stamp.device,
        stated.event == event
      else { return }
      (beforeLast, last, next) = (last, stated, cursor.next())
      position = stated.position
    case .outcome(.ignored(let cause)): if !belongsToRemoval { count(.ignored(cause), stamp) }
    case .app(.promptEarly(let kind)): count(.promptEarly(kind), stamp)
    case .app(.surfaceUnasked):
      count(.offer(offers[Int(stamp.device)].misplaced(at: stamp.instant)), stamp)
    case .observed(let event):
      if event.kind == .opened { offers[Int(stamp.device)].opened(at: stamp.instant) }
    default: break
    }
  }

  /// Whether a `remove` line caused the last event. Such a line may remove facts that were already unknown.
  private var belongsToRemoval: Bool {
    guard position != nil, let last, case .fact(_, let value) = last.event, value.isMissing else {
      return false
    }
    return [beforeLast, next].contains { other in
      guard let other else { return false }
      return other.position == last.position && other.instant == last.instant && other.device == last.device
    }
  }

  private mutating func count(_ problem: Problem, _ stamp: RecordStamp) {
    if let position {
      counts[Line(position: position, problem: problem), default: (0, stamp.instant)].times += 1
    }
  }

  /// One warning for each pair of line and cause, in the order of the file.
  var warnings: [Diagnostic] {
    // The author did not write the lines of an expanded scenario, so they get no warnings.
    let lines = counts.filter { $0.key.position != .start }
    let recordings = Set(program.scenario.recordings.map(\.position))
    return lines.map { line, count in
      // The line that names a recording states no times, so the message states the time of the first event.
      let first = recordings.contains(line.position) ? local(count.first) : nil
      return (line.position, Self.words(line.problem, count.times, first: first))
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
    _ problem: Problem, _ count: Int, first: String?
  ) -> (message: String, hint: String?) {
    switch problem {
    case .ignored(let cause):
      var subject = count == 1 ? "this happened" : "this happened \(count) times"
      if let first { subject += count == 1 ? " at \(first)" : ", first at \(first)," }
      return ("\(subject) without effect: \(cause.explanation)", nil)
    case .offer(let misplaced):
      let times = count == 1 ? "" : ", \(count) times"
      return (
        "this offer is misplaced: the app shows it \(misplaced.words)\(times)",
        "an offer follows when the plan refuses something, such as 'create NAME' beyond its limit"
      )
    case .promptEarly(let kind):
      let times = count == 1 ? "" : ", \(count) times"
      return (
        "this prompt is too early\(times): there was no reminder that \(kind.use)",
        "move it after the first reminder that does, as in 'create NAME' and then 'prompt …'"
      )
    }
  }
}

extension PermissionKind {
  /// A predicate that describes a reminder that needs this permission.
  fileprivate var use: String {
    switch self {
    case .notifications: "could notify"
    case .location: "waits at a place"
    case .screenTime: "waits for another app"
    }
  }
}

extension IgnoreCause {
  /// The cause in words, for a message.
  fileprivate var explanation: String {
    switch self {
    case .poweredOff: "the phone is off"
    case .alreadySo: "this is already the case"
    case .nothingToSee: "nothing of this kind is visible"
    case .promptAlreadyAnswered: "the system does not show its prompt again"
    case .notOffered: "the system's prompt does not offer this answer"
    case .settingsOnly: "the system shows no prompt for this: it is set in the system's settings"
    case .notInFront: "the app under test is not in the foreground"
    case .onItsWay: "the phone is already moving to a later fix"
    case .notOnThisPlatform: "this platform does not support it"
    case .opensElsewhere:
      "the link has none of the app's schemes and domains: it opens the browser, another app, or nothing"
    }
  }
}

/// A situation in which an offer is misplaced unless the plan refused something before.
enum MisplacedOffer: Hashable {
  case firstLaunch, beforeFirstReminder, opening, chance

  var words: String {
    switch self {
    case .firstLaunch: "on its first launch"
    case .beforeFirstReminder: "before there was a reminder"
    case .opening: "when it is opened"
    case .chance: "although nothing was refused since it was opened"
    }
  }
}

/// The events of one app that determine whether an offer is misplaced.
struct OfferState {
  /// Whether there is or was a reminder.
  var hasReminder: Bool
  private var openings = 0
  /// The instant at which the app last came to the foreground.
  private var openedAt = Instant.distantPast

  init(hasReminder: Bool) { self.hasReminder = hasReminder }

  mutating func opened(at instant: Instant) {
    openings += 1
    openedAt = instant
  }

  /// Returns the first rule that an offer at this instant breaks, provided that the plan refused nothing
  /// before.
  func misplaced(at instant: Instant) -> MisplacedOffer {
    if openings == 1, instant == openedAt { return .firstLaunch }
    if !hasReminder { return .beforeFirstReminder }
    return instant == openedAt ? .opening : .chance
  }
}
