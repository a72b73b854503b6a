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

/// Says why a reminder did or did not fire at an instant, and the smallest change that makes it: one that a run
/// of the changed scenario has shown to do so.
///
/// What happened is what the engine under test did. What held, and what the scheduler would say, is read from
/// the built-in engine: the engine under test itself, or one that is told the same beside it.
package struct Explainer {
  /// The answer, in parts that a person or a program can use.
  package struct Answer: Sendable {
    package var reminder: String
    package var local: String
    /// What became of it within the minute: fires, denials, misses.
    package var happened: [String]
    package var explanation: Explanation
    package var conditions: [ConditionAnswer]
    /// When its triggers came, before and after.
    package var lastTrigger: String?
    package var nextTrigger: String?
    /// When it fired before.
    package var lastFire: String?
    /// For when a request of it is pending or held at that instant.
    package var pending: String?
    /// Which caps a request at that instant would have answered to.
    package var bucket: Bucket
    /// The conditions for the critical bucket; empty where the bucket is always the same.
    package var criticalConditions: [ConditionAnswer]
    /// What the scheduler would have said to such a request.
    package var decision: Decision
    package var blockers: [Reason]
    /// What came first and used up what the scheduler allows: "minimumInterval: milk at 2026-03-02 17:40".
    package var usedUp: [String]
    /// Of a reminder that did not fire: when the app last asked for each permission that it uses, and what the
    /// person answered. "location at 2026-03-02 08:00, before its need: denied".
    package var askedFor: [String]
    /// The next instant at which every condition holds, the world staying as it is.
    package var nextAllHold: String?
    package var change: Change
    /// When it fires with the change, where that is after the minute, for what was due in it: what an app is told takes
    /// its time.
    package var firesAt: String?
  }

  /// One condition.
  package struct ConditionAnswer: Sendable {
    package var words: String
    /// By what the app was told.
    package var holds: Bool
    /// In truth; nil where that cannot be said, as the app is told another declaration.
    package var holdsInTruth: Bool?
    /// What the app knew of the facts in it; nil where it asks for none.
    package var known: String?
  }

  /// What makes the reminder fire.
  package enum Change: Sendable {
    /// It did.
    case none
    /// All of these edits of the file; none of them can be spared.
    case edits([ScenarioEdit])
    /// Nothing that a file can say was found to.
    case impossible
  }

  /// When a reminder fires that is asked about at a minute.
  enum Firing: Hashable, Sendable {
    /// Within that minute.
    case then
    /// Later, for what was due in it.
    case later(Moment)

    var later: Moment? { if case .later(let moment) = self { moment } else { nil } }
  }

  private let program: Program
  private let engine: EngineChoice

  package init(_ program: Program, _ engine: EngineChoice = .builtIn) {
    self.program = program
    self.engine = engine
  }

  /// - Parameters:
  ///   - instant: Simulation time, within the scenario.
  /// - Throws: When the engine breaks down.
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

  /// - Parameter makeEngine: An engine for each device of a program.
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

  /// When a reminder fires within the minute that begins at an instant, or for what is due in it.
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

  /// What a run shows.
  private struct Findings {
    var reminder: ReminderID
    /// When it was asked about, and when the engine looked at it in that minute, which is the same where it did not.
    var instant: Instant
    var asked: Moment
    var look: Instant
    var moment: Moment
    var explanation: Explanation
    var truth: Explanation?
    var request: NotificationRequest
    var decision: Decision
    /// Of the whole run.
    var journal: TeeSink<RunAccounts, ExplanationJournal>
    /// At that look.
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
    // The state is that of the look: what holds at the beginning of the minute need not hold any more.
    let look = looks(at: reminder, in: journal.first).map(\.instant)
      .first { $0 >= instant && $0 < instant + .minutes(1) }
    var known = ExplanationJournal(of: reminder)
    var world = try World(program: program) { (device) throws(EngineFailure) in
      let engine = try makeEngine(device)
      if engine is BuiltInEngine { return engine }
      return AccompaniedEngine(engine, companion: program.makeEngine())
    }
    world.run(until: (look ?? instant) + TimeSpan(milliseconds: 1), into: &known)
    let moment = world.phone.moment(at: look ?? instant)
    if let failure = world.failure { throw failure }
    let companion = (world.engine as? AccompaniedEngine)?.companion
    guard var engine = companion ?? (world.engine as? BuiltInEngine),
      let explanation = engine.explain(reminder, at: moment)
    else { return nil }
    let request = engine.reminders.request(of: reminder, at: moment)
    return Findings(
      reminder: reminder, instant: instant, asked: asked, look: look ?? instant, moment: moment,
      explanation: explanation, truth: world.trueExplanation(of: reminder, at: moment), request: request,
      decision: engine.decisionNow(on: request, at: moment), journal: journal, facts: known.facts,
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
    let looks = looks(at: found.reminder, in: accounts)
    let (change, firing) = fired.isEmpty ? try self.change(found, fires) : (.none, .then)
    return Answer(
      reminder: declaration.id, local: words.time(found.asked), happened: happened(found, fired),
      explanation: found.explanation,
      conditions: verdicts(declaration.conditions, found, \.conditions),
      lastTrigger: looks.last { $0.instant <= found.look }.map { words.time($0.moment) },
      nextTrigger: looks.first { $0.instant > found.look }.map { words.time($0.moment) },
      lastFire: own.last { $0.instant < found.instant }.map { words.time($0.moment) },
      pending: found.pending.map { time($0, moment) }, bucket: found.request.bucket,
      criticalConditions: verdicts(
        declaration.notification.criticalConditions.map { .fact($0) }, found, \.criticalConditions),
      decision: found.decision, blockers: program.policy.ordered(found.decision.blockers),
      usedUp: usedUp(found),
      askedFor: fired.isEmpty
        ? Self.prompts(
          for: found.explanation.declaration, before: found.look, in: accounts.app, of: program) : [],
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
        program, found.explanation, at: found.look, found.moment,
        knowing: Dictionary(
          uniqueKeysWithValues: found.facts.keys.map { ($0, value(of: $0, found.facts, found.moment)) }),
        untold: found.journal.first.untold(found.reminder).filter { isThen($0.due, found) })
    } catch {
      return (.impossible, .then)
    }
    let change = try ChangeSearch(candidates: candidates).smallestChange(fires)
    return change.map { (.edits(candidates.made($0.edits)), $0.firing) } ?? (.impossible, .then)
  }

  // MARK: What the app knew

  /// "visits is 3, plan is not known", "age(visits) is 2 h"; nil for conditions that ask for no facts.
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

  /// What a fact is worth to the app: the value that it was told, or that of a day that is over.
  private func value(
    of fact: UInt32, _ facts: [UInt32: ExplanationJournal.Known], _ moment: Moment
  ) -> FactValue {
    guard let known = facts[fact] else { return .missing }
    var store = FactStore(program.reminders.names)
    let zone = program.scenario.zones[known.moment.zone]
    _ = store.set(FactID(fact), known.value, at: known.moment, zone)
    return store.value(FactID(fact), at: moment, program.scenario.zones[moment.zone])
  }

  // MARK: What happened

  private func happened(_ found: Findings, _ fired: [RunAccounts.Fire]) -> [String] {
    let words = RunWords(program)
    let journal = found.journal.second
    let outcomes = words.outcomes(of: found.reminder, in: found.journal.first) {
      isThen($0, found)
    } isTold: {
      // That no later occurrence could be planned says nothing of this one.
      $0.kind != .notRequested || !journal.plannedAt.contains($0.instant)
    }
    if !fired.isEmpty || !outcomes.isEmpty {
      return fired.map { "fired at \(words.time($0.moment))" } + outcomes
    }
    return journal.dues.filter { found.minute.contains($0.instant) }.map {
      "due at \(words.time($0.moment)), and what was asked for then waits as the run ends"
    }
  }

  private func isThen(_ due: DueTime, _ found: Findings) -> Bool {
    if let instant = due.instant { return found.minute.contains(instant) }
    return due.moment.wall >= found.asked.wall && due.moment.wall < found.asked.wall + .minutes(1)
  }

  /// Whenever the engine looked at the reminder: fires and misses.
  private func looks(at reminder: ReminderID, in accounts: RunAccounts) -> [(
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

  // MARK: What came first

  /// For each cap that a request would have met: the notifications that it counts, or keeps apart from.
  private func usedUp(_ found: Findings) -> [String] {
    let words = RunWords(program)
    let accounts = found.journal.first
    let ending = accounts.endings.last {
      $0.reminder == found.reminder && found.minute.contains($0.instant)
    }
    let spent = SpentCaps(
      program, accounts, found.journal.second, request: found.request,
      look: ending.map { .init($0) } ?? .init(device: 0, instant: found.look, moment: found.moment))
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
  /// Whether it has fired by the end of the minute.
  package var hasFired: Bool { if case .none = change { true } else { lastFire != nil } }

  /// When it fires with the change, where that is not within the minute.
  package var firesLater: String? { firesAt.map { "it fires at \($0) then" } }

  /// The change in one sentence.
  package var smallestChange: String {
    switch change {
    case .none: return "none: it fired"
    case .edits(let edits):
      return edits.map(\.words).joined(separator: "; and ") + (firesLater.map { "; \($0)" } ?? "")
    case .impossible:
      let first = usedUp.isEmpty ? blockers.map(\.name) : usedUp
      let reasons = first.isEmpty ? "" : "; before it come " + first.joined(separator: ", ")
      return "impossible: nothing that the file can say was found to make it fire then" + reasons
    }
  }
}

extension ScenarioEdit {
  /// "write policy: {quietHours: none}", "add to the time line: - 2026-03-02 17:40 unlock".
  package var words: String {
    switch self {
    case .write, .leaveOut: "\(verb) \(text)"
    case .add, .leaveOutEntry, .replaceReminder: "\(verb): \(text)"
    }
  }
}

extension Phone {
  /// For when the next request of a reminder is pending, or when one that is held is decided again, on the
  /// wall clock.
  fileprivate func nextPending(of reminder: ReminderID, held: some Sequence<Instant>) -> Instant? {
    let pending = centre.pending.filter { $0.request.id.reminder == reminder }.map(\.due)
    return (pending + held).min()
  }
}

extension BuiltInEngine {
  /// What the scheduler would say to a request at this moment; nothing is taken.
  func decisionNow(on request: NotificationRequest, at moment: Moment) -> Decision {
    var scheduler = gateway
    return scheduler.decide(request, at: moment)
  }
}
