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
    /// The engine under test did not make a required request, so no edits are tried.
    case engine
  }

  /// The time at which a reminder fires, relative to the minute of the question.
  enum Firing: Hashable, Sendable {
    /// Within the minute.
    case then
    /// After the minute, for an occurrence that was due within it.
    case later(Moment)

    var later: Moment? { if case .later(let moment) = self { moment } else { nil } }
  }

  let program: Program
  private let engine: EngineChoice

  package init(_ program: Program, _ engine: EngineChoice = .builtIn) {
    self.program = program
    self.engine = engine
  }

  /// Explains the outcome of a reminder.
  ///
  /// - Parameter instant: The simulation time, within the scenario.
  /// - Throws: ``TriggerModel/EngineFailure`` if the engine fails.
  package func explain(_ reminder: ReminderID, at instant: Instant) throws(EngineFailure) -> Answer? {
    let found = try engine.withEngines(of: program) { (makeEngine) throws(EngineFailure) in
      try findings(on: reminder, at: instant, makeEngine)
    }
    guard let found else { return nil }
    return try answer(found) { (edited, later) throws(EngineFailure) in
      try engine.withEngines(of: edited) { (makeEngine) throws(EngineFailure) in
        try Self.firing(of: reminder, at: instant, orLater: later, in: edited, makeEngine)
      }
    }
  }

  /// Explains the outcome of a reminder.
  ///
  /// - Parameter makeEngine: Returns an engine for each device of a program.
  package func explain(
    _ reminder: ReminderID, at instant: Instant,
    _ makeEngine: (_ program: Program, _ device: Int) throws(EngineFailure) -> any EngineUnderTest
  ) throws(EngineFailure) -> Answer? {
    let found = try findings(on: reminder, at: instant) { (device) throws(EngineFailure) in
      try makeEngine(program, device)
    }
    guard let found else { return nil }
    return try answer(found) { (edited, later) throws(EngineFailure) in
      try Self.firing(of: reminder, at: instant, orLater: later, in: edited) {
        (device) throws(EngineFailure) in
        try makeEngine(edited, device)
      }
    }
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
    if own.contains(where: { minute.contains($0.instant) }) { return .then }
    let late = own.first { $0.due?.instant.map(minute.contains) ?? false }
    return late.map { .later($0.moment) }
  }

  /// The state of the reminder at the explained instant, and the records of the run.
  private struct Findings {
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

  private func findings(
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

  private func answer(
    _ found: Findings, _ fires: ChangeSearch.Trial
  ) throws(EngineFailure) -> Answer {
    let words = RunWords(program)
    let (accounts, minute, moment) = (found.journal.first, found.minute, found.moment)
    let declaration = program.reminders.declarations[found.explanation.declaration]
    let own = accounts.appeared.filter { $0.request.reminder == found.reminder }
    let fired = own.filter { minute.contains($0.instant) }
    let evaluations = evaluations(at: found.reminder, in: accounts)
    let isWithheld = accounts.missedRequests(found.reminder).contains {
      $0.cause == .notRequested && isThen($0.due, found)
    }
    let (change, firing) =
      !fired.isEmpty ? (.none, .then) : isWithheld ? (.engine, .then) : try self.change(found, fires)
    return Answer(
      reminder: declaration.id, local: words.time(found.asked), happened: happened(found, fired),
      explanation: found.explanation,
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
      change: change, firesAt: firing.later.map(words.time))
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

  private func change(
    _ found: Findings, _ fires: ChangeSearch.Trial
  ) throws(EngineFailure) -> (Change, Firing) {
    let candidates: EditCandidates
    do throws(UnwritableScenario) {
      candidates = try EditCandidates(
        program, found.explanation, at: found.evaluatedAt, found.moment,
        knowing: Dictionary(
          uniqueKeysWithValues: found.facts.keys.map { ($0, value(of: $0, found.facts, found.moment)) }),
        missed: found.journal.first.missedRequests(found.reminder).filter { isThen($0.due, found) })
    } catch {
      return (.impossible, .then)
    }
    let change = try ChangeSearch(candidates: candidates).smallestChange(fires)
    return change.map { (.edits(candidates.adapted($0.edits)), $0.firing) } ?? (.impossible, .then)
  }

  // MARK: Known facts

  /// Returns the known facts of a condition, or `nil` if it refers to none: "visits is 3, plan is not known",
  /// "age(visits) is 2 h".
  private func known(
    in condition: Condition, _ facts: [UInt32: ExplanationJournal.Known], _ moment: Moment
  ) -> String? {
    guard case .fact(let fact) = condition else { return nil }
    let names =
      switch fact.quantity {
      case .value(let name), .age(let name), .days(let name), .time(let name): [name]
      case .ratio(let a, let b): [a, b]
      }
    let words = FactWords(program.scenario)
    return names.compactMap { name in
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

  private func happened(_ found: Findings, _ fired: [RunAccounts.Fire]) -> [String] {
    let words = RunWords(program)
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

  private func isThen(_ due: DueTime, _ found: Findings) -> Bool {
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
    let words = RunWords(program)
    let accounts = found.journal.first
    let ending = accounts.endings.last {
      $0.reminder == found.reminder && found.minute.contains($0.instant)
    }
    let spent = SpentCaps(
      program, accounts, found.journal.second, request: found.request,
      decisionTime: ending.map { .init($0) }
        ?? .init(device: 0, instant: found.evaluatedAt, moment: found.moment))
    return program.policy.ordered(ending?.blockers ?? found.decision.blockers).flatMap { reason in
      spent.notifications(under: reason).suffix(3).map {
        "\(reason.name): \(words.name($0.request.reminder)) at \(words.time($0.moment))"
      }
    }
  }

  private func time(_ wall: Instant, _ moment: Moment) -> String {
    program.scenario.zones[moment.zone].words(at: wall)
  }
}

extension Explainer.Answer {
  /// Whether the reminder fired within the minute or before it.
  package var hasFired: Bool { if case .none = change { true } else { lastFire != nil } }

  /// A phrase for a fire after the minute, or `nil` if the reminder fires within the minute.
  package var firesLater: String? { firesAt.map { "it then fires at \($0)" } }

  /// The smallest change as one sentence.
  package var smallestChange: String {
    switch change {
    case .none: return "none: it fired"
    case .engine: return "no change to the file helps: the engine under test must request it"
    case .edits(let edits):
      return edits.map(\.words).joined(separator: "; and ") + (firesLater.map { "; \($0)" } ?? "")
    case .impossible:
      let first = usedUp.isEmpty ? blockers.map(\.name) : usedUp
      let reasons = first.isEmpty ? "" : "; blocked by " + first.joined(separator: ", ")
      return "impossible: no edit of the file was found that makes it fire then" + reasons
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
      return "\(kind.words) at \(RunWords(program).time(prompt.moment))\(early): \(answer)"
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
