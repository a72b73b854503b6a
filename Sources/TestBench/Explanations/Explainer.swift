import CivilTime
import DeviceSimulation
package import EngineWire
import Journal
import NotificationGateway
package import ReminderEngine
import ReminderMatching
import ScenarioModel
import Scenarios
package import Simulation
import Statistics
import TriggerEngine
package import TriggerModel

/// Explains why a reminder did or did not fire at an instant, and finds the smallest change that makes it
/// fire. A run of the changed scenario confirms each suggested change.
///
/// The reported outcome is that of the engine under test. The built-in engine reports which conditions held
/// and how the scheduler would decide. If another engine is tested, a built-in companion engine observes the
/// same events.
package struct Explainer {
  /// The parts of an explanation.
  package struct Answer: Sendable {
    package var reminder: String
    package var local: String
    /// The explanation of one reminder at one instant.
    package var happened: [String]
    /// The time of the nearest trigger if none occurred in the minute of the question, or `nil`. All other
    /// properties then describe that trigger.
    package var nearest: String?
    /// The failed expectation that the explanation is about, or `nil` if the time was given.
    package var expectation: String?
    /// The events and declarations that decided the outcome, with their lines in the file.
    package var because: [String]
    package var explanation: Explanation
    package var conditions: [ConditionAnswer]
    /// The last evaluation of the reminder before the instant, and the next one.
    package var lastTrigger: String?
    package var nextTrigger: String?
    /// The last fire before the instant.
    package var lastFire: String?
    /// The due time of the next pending or deferred request at the instant.
    package var pending: String?
    /// The bucket that determines the caps for a request at the instant.
    package var bucket: Bucket
    /// The conditions for the critical bucket; empty if the bucket does not depend on conditions.
    package var criticalConditions: [ConditionAnswer]
    /// The conditions under which a request goes to the critical bucket. Empty if the bucket is fixed.
    package var decision: Decision
    package var blockers: [Reason]
    /// The earlier notifications that used up a cap: "minimumInterval: milk at 2026-03-02 17:40".
    package var usedUp: [String]
    /// The last prompt for each permission that the reminder uses, with the person's answer: "location at
    /// 2026-03-02 08:00, before its need: denied". Empty if the reminder fired.
    package var askedFor: [String]
    /// The next instant at which all conditions hold, provided that nothing else changes.
    package var nextAllHold: String?
    package var change: Change
    /// The time at which the reminder fires with the change, or `nil` if it fires within the minute. It fires
    /// later if the app observes the event only after the minute.
    package var firesAt: String?
  }

  /// The state of one condition.
  package struct ConditionAnswer: Sendable {
    package var words: String
    /// Whether the condition holds according to the facts that the app knows.
    package var holds: Bool
    /// Whether the condition holds on the truth track, or `nil` if the app uses a different declaration.
    package var holdsInTruth: Bool?
    /// The condition's facts as the app knows them, or `nil` if the condition refers to no fact.
    package var known: String?
  }

  /// The change that makes the reminder fire.
  package enum Change: Sendable {
    /// The reminder fired, so no change is needed.
    case none
    /// A minimal set of edits of the file.
    case edits([ScenarioEdit])
    /// No tested edit of the file makes the reminder fire.
    case impossible
    /// No tested edit that a person could make does. Edits of the profile and of settings were not tested.
    case unrealistic
    /// The engine under test did not make a required request, so no edits are tried.
    case engine
  }

  /// A fire of a reminder.
  struct Firing: Hashable, Sendable {
    var moment: Moment
    /// Whether it is within the minute. If not, it is later, for an occurrence that was due within it.
    var isThen: Bool
  }

  let program: Program
  let engine: EngineChoice
  /// Whether to suggest edits that a person cannot make, such as another profile or settings of the phone.
  private let any: Bool
  let words: RunWords

  package init(_ program: Program, _ engine: EngineChoice = .builtIn, any: Bool = false) {
    self.program = program
    self.engine = engine
    self.any = any
    words = RunWords(program, showsMilliseconds: false)
  }

  /// Explains the outcome of a reminder.
  ///
  /// - Parameter instant: The simulation time, within the scenario.
  /// - Throws: ``TriggerModel/EngineFailure`` if the engine fails.
  package func explain(_ reminder: ReminderID, at instant: Instant) throws(EngineFailure) -> Answer? {
    try explain(
      reminder, at: instant,
      { (instant) throws(EngineFailure) in
        try engine.withEngines(of: program) { (makeEngine) throws(EngineFailure) in
          try findings(on: reminder, at: instant, makeEngine)
        }
      },
      { (edited, minute, later) throws(EngineFailure) in
        try engine.withEngines(of: edited) { (makeEngine) throws(EngineFailure) in
          try Self.firing(of: reminder, at: minute, orLater: later, in: edited, makeEngine)
        }
      })
  }

  /// Explains the outcome of a reminder.
  ///
  /// - Parameter makeEngine: Returns an engine for each device of a program.
  package func explain(
    _ reminder: ReminderID, at instant: Instant,
    _ makeEngine: (_ program: Program, _ device: Int) throws(EngineFailure) -> any EngineUnderTest
  ) throws(EngineFailure) -> Answer? {
    try explain(
      reminder, at: instant,
      { (instant) throws(EngineFailure) in
        try findings(on: reminder, at: instant) { (device) throws(EngineFailure) in
          try makeEngine(program, device)
        }
      },
      { (edited, minute, later) throws(EngineFailure) in
        try Self.firing(of: reminder, at: minute, orLater: later, in: edited) {
          (device) throws(EngineFailure) in
          try makeEngine(edited, device)
        }
      })
  }

  /// Explains the outcome of a reminder. If nothing happened in the minute, explains the nearest trigger.
  private func explain(
    _ reminder: ReminderID, at instant: Instant,
    _ find: (Instant) throws(EngineFailure) -> Findings?, _ fires: ChangeSearch.Trial
  ) throws(EngineFailure) -> Answer? {
    guard let asked = try find(instant) else { return nil }
    guard happened(asked).isEmpty, let nearest = nearest(to: asked) else {
      return try answer(asked, asked, try change(asked, fires))
    }
    let isClose = nearest.distance <= .minutes(30)
    // A trigger at the time of the question is simpler than one at another time of the day.
    if !isClose, let change = try search(asked)?.triggeringChange(fires) {
      return try answer(asked, asked, result(change, asked))
    }
    guard let found = try find(nearest.minute) else { return nil }
    let near = try change(found, fires)
    if near.change.isMissing {
      return try answer(asked, found, try change(asked, fires))
    }
    return try answer(asked, found, near)
  }

  /// Returns when the reminder fires for the minute that begins at `instant`, or `nil` if it does not fire.
  private static func firing(
    of reminder: ReminderID, at instant: Instant, orLater: Bool, in program: Program,
    _ makeEngine: (_ device: Int) throws(EngineFailure) -> any EngineUnderTest
  ) throws(EngineFailure) -> Firing? {
    let minute = instant..<instant + .minutes(1)
    var accounts = RunAccounts(program, keepsMissesOf: orLater ? [reminder] : [])
    var world = try World(program: program, makeEngine: makeEngine)
    world.run(until: orLater ? program.end : minute.upperBound, into: &accounts)
    if let failure = world.failure { throw failure }
    let own = accounts.appeared.filter { $0.request.reminder == reminder }
    if let fire = own.first(where: { minute.contains($0.instant) }) {
      return Firing(moment: fire.moment, isThen: true)
    }
    let late = own.first { fire in
      guard let due = fire.due else { return false }
      return minute.contains(due.instant ?? fire.instant - (fire.moment.wall - due.moment.wall))
    }
    return late.map { Firing(moment: $0.moment, isThen: false) }
  }

  /// The state of the reminder at the explained instant, and the records of the run.
  struct Findings {
    var reminder: ReminderID
    /// The instant of the question. ``evaluatedAt`` is the first evaluation in its minute, or the same
    /// instant if the engine did not evaluate the reminder.
    var instant: Instant
    var asked: Moment
    var evaluatedAt: Instant
    var moment: Moment
    var explanation: Explanation
    var truth: Explanation?
    var request: NotificationRequest
    var decision: Decision
    /// The records of the whole run.
    var journal: TeeSink<RunAccounts, ExplanationJournal>
    /// The known facts at the evaluation.
    var facts: [UInt32: ExplanationJournal.Known]
    var pending: Instant?

    var minute: Range<Instant> { instant..<instant + .minutes(1) }
  }

  func findings(
    on reminder: ReminderID, at instant: Instant,
    _ makeEngine: (_ device: Int) throws(EngineFailure) -> any EngineUnderTest
  ) throws(EngineFailure) -> Findings? {
    var journal = TeeSink(
      RunAccounts(program, keepsMissesOf: [reminder]), ExplanationJournal(of: reminder))
    var run = try World(program: program, makeEngine: makeEngine)
    run.run(until: instant + TimeSpan(milliseconds: 1), into: &journal)
    let asked = run.phone.moment(at: instant)
    run.run(into: &journal)
    if let failure = run.failure { throw failure }
    journal.first.close()
    // Conditions may change within the minute, so report the state at the evaluation.
    let evaluatedAt = evaluations(at: reminder, in: journal.first).map(\.instant)
      .first { $0 >= instant && $0 < instant + .minutes(1) }
    var known = ExplanationJournal(of: reminder)
    var world = try World(program: program) { (device) throws(EngineFailure) in
      let engine = try makeEngine(device)
      if engine is BuiltInEngine { return engine }
      return EngineWithCompanion(engine, companion: program.makeEngine())
    }
    world.run(until: (evaluatedAt ?? instant) + TimeSpan(milliseconds: 1), into: &known)
    let moment = world.phone.moment(at: evaluatedAt ?? instant)
    if let failure = world.failure { throw failure }
    let pair = world.engine as? EngineWithCompanion
    guard var engine = pair?.companion ?? (world.engine as? BuiltInEngine),
      var explanation = engine.explain(reminder, at: moment)
    else { return nil }
    // The companion has made a request, but the engine under test has not.
    if pair != nil, explanation.status == .alreadyFired, !known.hasRequested { explanation.status = .waiting }
    var scheduler = pair?.scheduler ?? engine.gateway
    let request = engine.reminders.request(of: reminder, at: moment)
    return Findings(
      reminder: reminder, instant: instant, asked: asked, evaluatedAt: evaluatedAt ?? instant, moment: moment,
      explanation: explanation, truth: world.trueExplanation(of: reminder, at: moment), request: request,
      decision: scheduler.decide(request, at: moment), journal: journal, facts: known.facts,
      pending: world.phone.nextPending(of: reminder, held: known.held.values))
  }

  // MARK: The answer

  /// The result of a search, and when the reminder fires with the change.
  private typealias Result = (change: Change, firing: Firing?)

  /// - Parameters:
  ///   - asked: The state in the minute of the question.
  ///   - found: The same state, or that in the minute of the nearest trigger.
  private func answer(
    _ asked: Findings, _ found: Findings, _ result: Result
  ) throws(EngineFailure) -> Answer {
    let (accounts, moment) = (found.journal.first, found.moment)
    let declaration = program.reminders.declarations[found.explanation.declaration]
    let own = accounts.appeared.filter { $0.request.reminder == found.reminder }
    let fired = own.filter { found.minute.contains($0.instant) }
    let evaluations = evaluations(at: found.reminder, in: accounts)
    let isThen = result.firing.map { $0.isThen && asked.minute == found.minute } ?? true
    return Answer(
      reminder: declaration.id, local: words.time(asked.asked), happened: happened(found),
      nearest: asked.minute == found.minute ? nil : words.time(found.moment), expectation: nil,
      because: Deciders(self, found).words(fired.first), explanation: found.explanation,
      conditions: verdicts(declaration.conditions, found, \.conditions),
      lastTrigger: evaluations.last { $0.instant <= found.evaluatedAt }.map { words.time($0.moment) },
      nextTrigger: evaluations.first { $0.instant > found.evaluatedAt }.map { words.time($0.moment) },
      lastFire: own.last { $0.instant < found.instant }.map { words.time($0.moment) },
      pending: found.pending.map { time($0, moment) }, bucket: found.request.bucket,
      criticalConditions: verdicts(
        declaration.notification.criticalConditions.map { .fact($0) }, found, \.criticalConditions),
      decision: found.decision, blockers: program.policy.ordered(found.decision.blockers),
      usedUp: usedUp(found),
      askedFor: fired.isEmpty
        ? Self.prompts(
          for: found.explanation.declaration, before: found.evaluatedAt, in: accounts.app, of: program) : [],
      nextAllHold: found.explanation.nextInstantAllHold.map {
        $0 == moment.wall ? "now" : time($0, moment)
      },
      change: result.change, firesAt: isThen ? nil : result.firing.map { words.time($0.moment) })
  }

  /// Returns the minute of the trigger that is nearest to a question, and its distance. Returns `nil` if there
  /// is none on the same day or within three hours.
  ///
  /// A fire before the question, or long after it, is no answer to the question.
  private func nearest(to asked: Findings) -> (minute: Instant, distance: TimeSpan)? {
    let accounts = asked.journal.first
    let fires = accounts.appeared.filter { $0.request.reminder == asked.reminder }
    let late = fires.filter { $0.instant > asked.instant && $0.instant - asked.instant <= .minutes(30) }
    let wall = asked.asked.wall
    let zone = program.scenario.zones[asked.asked.zone]
    let moments =
      late.map { ($0.instant, $0.moment.wall) }
      + triggers(of: asked.reminder, in: asked.journal).filter { instant, _ in
        !fires.contains { $0.instant == instant }
      }.map { ($0.instant, $0.moment.wall) }
    let near = moments.map { instant, then in (instant, then, max(then - wall, wall - then)) }.filter {
      $0.2 <= .hours(3) || zone.local(at: $0.1).date == zone.local(at: wall).date
    }
    guard let (instant, then, distance) = near.min(by: { ($0.2, $0.0) < ($1.2, $1.0) }) else { return nil }
    let start = instant - TimeSpan(milliseconds: then.millisecondsSince1970.floorRemainder(by: 60_000))
    return (max(start, program.scenario.start), distance)
  }

  /// Returns the instants at which a reminder was due or evaluated, on the phone, in chronological order.
  func triggers(
    of reminder: ReminderID, in journal: TeeSink<RunAccounts, ExplanationJournal>
  ) -> [(instant: Instant, moment: Moment)] {
    let endings = journal.first.endings.filter {
      $0.reminder == reminder && $0.device == 0 && $0.kind != .replaced
        && !(journal.second.plannedAt.contains($0.instant) && $0.kind == .notRequested)
    }
    let ended = endings.map { ending -> (instant: Instant, moment: Moment) in
      guard let due = ending.due else { return (ending.instant, ending.moment) }
      return (due.instant ?? ending.instant + (due.moment.wall - ending.moment.wall), due.moment)
    }
    let missed = journal.first.missedRequests(reminder).compactMap { miss in
      miss.due.instant.map { (instant: $0, moment: miss.due.moment) }
    }
    return (ended + missed + journal.second.dues).filter {
      $0.instant >= program.scenario.start && $0.instant < program.end
    }.sorted { $0.instant < $1.instant }
  }

  private func verdicts(
    _ conditions: [Condition], _ found: Findings,
    _ part: (Explanation) -> [Explanation.ConditionVerdict]
  ) -> [ConditionAnswer] {
    let words = FactWords(program.scenario)
    let truth = found.truth?.declaration == found.explanation.declaration ? found.truth.map(part) : nil
    return zip(conditions, part(found.explanation)).map { condition, verdict in
      ConditionAnswer(
        words: words.text(condition), holds: verdict.holds, holdsInTruth: truth?[verdict.index].holds,
        known: known(in: condition, found.facts, found.moment))
    }
  }

  private func change(_ found: Findings, _ fires: ChangeSearch.Trial) throws(EngineFailure) -> Result {
    let accounts = found.journal.first
    if let fire = self.fires(found).first {
      return (.none, Firing(moment: fire.moment, isThen: true))
    }
    // A delay of the system's reports is no reason for a change.
    let delayed = accounts.appeared.first { fire in
      guard fire.request.reminder == found.reminder, let due = fire.due, isThen(due, found) else {
        return false
      }
      return fire.moment.wall - due.moment.wall <= .minutes(10)
    }
    if let delayed { return (.none, Firing(moment: delayed.moment, isThen: false)) }
    let isWithheld = accounts.missedRequests(found.reminder).contains {
      $0.cause == .notRequested && isThen($0.due, found)
    }
    if isWithheld { return (.engine, nil) }
    guard let search = search(found), let change = try search.smallestChange(fires) else {
      return (any ? .impossible : .unrealistic, nil)
    }
    return result(change, found)
  }

  private func result(_ change: ChangeSearch.Change, _ found: Findings) -> Result {
    (.edits(candidates(found)?.adapted(change.edits) ?? change.edits), change.firing)
  }

  private func search(_ found: Findings) -> ChangeSearch? {
    candidates(found).map { ChangeSearch(candidates: $0, any: any) }
  }

  /// Returns the candidate edits, or `nil` if a value of the scenario cannot be written to a file.
  private func candidates(_ found: Findings) -> EditCandidates? {
    let accounts = found.journal.first
    let endings = endings(of: found)
    let last = spent(found, endings.last).notifications(under: .minimumInterval).map(\.moment).max {
      $0.wall < $1.wall
    }
    return try? EditCandidates(
      program, found.explanation, at: found.evaluatedAt, in: found.instant, found.moment,
      knowing: Dictionary(
        uniqueKeysWithValues: found.facts.keys.map { ($0, value(of: $0, found.facts, found.moment)) }),
      missed: accounts.missedRequests(found.reminder).filter { isThen($0.due, found) },
      reasons: endings.map(\.reason).distinct, blockers: program.policy.ordered(found.decision.blockers),
      sinceLast: last.map { found.moment.elapsed(since: $0) })
  }

  // MARK: Known facts

  /// Returns the known facts of a condition, or `nil` if it refers to none: "visits is 3, plan is not known",
  /// "age(visits) is 2 h".
  private func known(
    in condition: Condition, _ facts: [UInt32: ExplanationJournal.Known], _ moment: Moment
  ) -> String? {
    guard case .fact(let fact) = condition else { return nil }
    let words = FactWords(program.scenario)
    return fact.factNames.compactMap { name in
      guard let index = program.scenario.facts.firstIndex(where: { $0.name == name }) else { return nil }
      let known = facts[UInt32(index)]
      let value = value(of: UInt32(index), facts, moment)
      if case .age = fact.quantity, let known, !value.isMissing {
        let age = FactValue.number(thousandths: moment.elapsed(since: known.moment).milliseconds)
        return "age(\(name)) is \(words.text(age, of: fact.quantity))"
      }
      return "\(name) is \(words.text(value, of: program.scenario.facts[index]))"
    }.joined(separator: ", ")
  }

  /// Returns the value of a fact as the app knows it. A fact of a day expires at the end of the day.
  private func value(
    of fact: UInt32, _ facts: [UInt32: ExplanationJournal.Known], _ moment: Moment
  ) -> FactValue {
    guard let known = facts[fact] else { return .missing }
    var store = FactStore(program.reminders.names)
    let zone = program.scenario.zones[known.moment.zone]
    _ = store.set(FactID(fact), known.value, at: known.moment, zone)
    return store.value(FactID(fact), at: moment, program.scenario.zones[moment.zone])
  }

  // MARK: Outcomes

  /// Returns the reminder's fires within the minute.
  private func fires(_ found: Findings) -> [RunAccounts.Fire] {
    found.journal.first.appeared.filter {
      $0.request.reminder == found.reminder && found.minute.contains($0.instant)
    }
  }

  /// Returns the endings of the reminder's matches and requests in the minute, or that were due in it.
  func endings(of found: Findings) -> [RunAccounts.Ending] {
    found.journal.first.endings.filter {
      $0.reminder == found.reminder
        && (found.minute.contains($0.instant)
          && !($0.kind == .notRequested && found.journal.second.plannedAt.contains($0.instant))
          || $0.due.map { isThen($0, found) } ?? false)
    }
  }

  private func happened(_ found: Findings) -> [String] {
    let fired = fires(found)
    let journal = found.journal.second
    let outcomes = words.outcomes(of: found.reminder, in: found.journal.first) {
      isThen($0, found)
    } isIncluded: {
      // A failure to plan a later occurrence is not an outcome of the explained one.
      $0.kind != .notRequested || !journal.plannedAt.contains($0.instant)
    }
    if !fired.isEmpty || !outcomes.isEmpty {
      return fired.map { "fired at \(words.time($0.moment))" } + outcomes
    }
    return journal.dues.filter { found.minute.contains($0.instant) }.map {
      "due at \(words.time($0.moment)); its request is still waiting when the run ends"
    }
  }

  func isThen(_ due: DueTime, _ found: Findings) -> Bool {
    if let instant = due.instant { return found.minute.contains(instant) }
    return due.moment.wall >= found.asked.wall && due.moment.wall < found.asked.wall + .minutes(1)
  }

  /// Returns the evaluations of the reminder, whether they fired or not, in chronological order.
  private func evaluations(at reminder: ReminderID, in accounts: RunAccounts) -> [(
    instant: Instant, moment: Moment
  )] {
    let endings = accounts.endings.filter {
      $0.reminder == reminder && ![.lost, .replaced].contains($0.kind)
    }
    let fires = accounts.fires.filter { $0.request.reminder == reminder }
    return (endings.map { ($0.instant, $0.moment) } + fires.map { ($0.instant, $0.moment) }).sorted {
      $0.0 < $1.0
    }
  }

  // MARK: Used-up caps

  /// Returns, for each blocking cap, the earlier notifications that used it up. For the minimum interval,
  /// returns the notifications within it.
  private func usedUp(_ found: Findings) -> [String] {
    let ending = found.journal.first.endings.last {
      $0.reminder == found.reminder && found.minute.contains($0.instant)
    }
    let spent = spent(found, ending)
    return program.policy.ordered(ending?.blockers ?? found.decision.blockers).flatMap { reason in
      spent.notifications(under: reason).suffix(3).map {
        "\(reason.name): \(words.name($0.request.reminder)) at \(words.time($0.moment))"
      }
    }
  }

  func spent(_ found: Findings, _ ending: RunAccounts.Ending?) -> SpentCaps {
    SpentCaps(
      program, found.journal.first, found.journal.second, request: found.request,
      decisionTime: ending.map { .init($0) }
        ?? .init(device: 0, instant: found.evaluatedAt, moment: found.moment))
  }

  func time(_ wall: Instant, _ moment: Moment) -> String {
    words.time(moment.foreseen(at: wall))
  }
}

extension Explainer.Answer {
  /// Whether the reminder fired within the minute or before it.
  package var hasFired: Bool { if case .none = change { true } else { lastFire != nil } }

  /// A phrase for a fire after the minute, or `nil` if the reminder fires within the minute.
  package var firesLater: String? { firesAt.map { "it then fires at \($0)" } }

  private var blockedBy: String {
    let reasons = usedUp.isEmpty ? blockers.map(\.name) : usedUp
    return reasons.isEmpty ? "" : "; blocked by " + reasons.joined(separator: ", ")
  }

  /// The smallest change as one sentence.
  package var smallestChange: String {
    switch change {
    case .none: return "none: it fired" + (firesAt.map { " at \($0)" } ?? "")
    case .engine: return "no change to the file helps: the engine under test must request it"
    case .edits(let edits):
      return edits.map(\.words).joined(separator: "; and ") + (firesLater.map { "; \($0)" } ?? "")
    case .impossible:
      return "impossible: no edit of the file was found that makes it fire then" + blockedBy
    case .unrealistic:
      return
        "impossible: no edit of the time line, the reminder or the policy was found that makes it fire then"
        + blockedBy + "; --any also tries the profile and the phone's settings"
    }
  }
}

extension Explainer.Change {
  /// Whether no change was found.
  fileprivate var isMissing: Bool {
    switch self {
    case .impossible, .unrealistic: true
    case .none, .edits, .engine: false
    }
  }
}

extension ScenarioEdit {
  /// The edit as text: `write policy: {quietHours: none}`, `add to the time line: - 12:00 unlock`.
  package var words: String {
    switch self {
    case .write, .leaveOut: "\(verb) \(text)"
    case .add, .leaveOutEntry, .replaceReminder: "\(verb): \(text)"
    }
  }
}

extension Phone {
  /// Returns the due time of the reminder's next pending or deferred request, or `nil` if there is none.
  fileprivate func nextPending(of reminder: ReminderID, held: some Sequence<Instant>) -> Instant? {
    let pending = centre.pending.filter { $0.request.id.reminder == reminder }.map(\.due)
    return (pending + held).min()
  }
}

extension Explainer {
  /// Returns, in words, the last prompt before an instant for each permission that a declaration uses.
  ///
  /// - Parameter declaration: The index of the declaration. Indices of edits follow those of reminders.
  static func prompts(
    for declaration: Int, before instant: Instant, in account: AppAccount, of program: Program
  ) -> [String] {
    let uses = program.app.permissions.uses[declaration]
    return PermissionKind.allCases.filter { uses.contains($0) }.compactMap { kind in
      guard
        let prompt = account.entries.last(where: {
          $0.event == .permissionRequested(kind) && $0.instant <= instant
        })
      else { return nil }
      let events = account.entries.filter { $0.instant == prompt.instant }.map(\.event)
      let answer =
        events.contains(.permissionGranted(kind))
        ? "granted" : events.contains(.permissionDenied(kind)) ? "denied" : "closed without an answer"
      let early = events.contains(.promptEarly(kind)) ? ", before its need" : ""
      return
        "\(kind.words) at \(RunWords(program, showsMilliseconds: false).time(prompt.moment))\(early): \(answer)"
    }
  }
}

extension PermissionKind {
  fileprivate var words: String {
    switch self {
    case .notifications: "notifications"
    case .location: "location"
    case .screenTime: "Screen Time"
    }
  }
}
