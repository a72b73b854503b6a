package import Simulation
import Statistics
import ScenarioFiles
import ScenarioModel
import ScenarioGrammar
import CivilTime
import DeviceSimulation
import Journal
import NotificationGateway
import TriggerEngine
package import ReminderEngine
import ReminderMatching
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
    /// The next instant at which every condition holds, the world staying as it is.
    package var nextAllHold: String?
    package var change: Change
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
    return try answer(found) { (edited) throws(EngineFailure) in
      try engine.withEngines(of: edited) { (makeEngine) throws(EngineFailure) in
        try Self.fires(reminder, at: instant, in: edited, makeEngine)
      }
    }
  }

  /// - Parameter makeEngine: An engine for each device of a program.
  func explain(
    _ reminder: ReminderID, at instant: Instant,
    _ makeEngine: (_ program: Program, _ device: Int) throws(EngineFailure) -> any EngineUnderTest
  ) throws(EngineFailure) -> Answer? {
    let found = try findings(on: reminder, at: instant) { (device) throws(EngineFailure) in
      try makeEngine(program, device)
    }
    guard let found else { return nil }
    return try answer(found) { (edited) throws(EngineFailure) in
      try Self.fires(reminder, at: instant, in: edited) { (device) throws(EngineFailure) in
        try makeEngine(edited, device)
      }
    }
  }

  /// Whether a reminder fires within the minute that begins at an instant.
  static func fires(
    _ reminder: ReminderID, at instant: Instant, in program: Program,
    _ makeEngine: (_ device: Int) throws(EngineFailure) -> any EngineUnderTest
  ) throws(EngineFailure) -> Bool {
    let end = instant + .minutes(1)
    var accounts = RunAccounts(program)
    var world = try World(program: program, makeEngine: makeEngine)
    world.run(until: end, into: &accounts)
    if let failure = world.failure { throw failure }
    return accounts.appeared.contains {
      $0.request.reminder == reminder && (instant..<end).contains($0.instant)
    }
  }

  /// What a run shows.
  private struct Findings {
    var reminder: ReminderID
    var instant: Instant
    var moment: Moment
    var explanation: Explanation
    var truth: Explanation?
    var request: NotificationRequest
    var decision: Decision
    /// What was known at that moment, of the whole run.
    var journal: TeeSink<RunAccounts, ExplanationJournal>
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
    var world = try World(program: program) { (device) throws(EngineFailure) in
      let engine = try makeEngine(device)
      if engine is BuiltInEngine { return engine }
      return AccompaniedEngine(engine, companion: program.makeEngine())
    }
    world.run(until: instant + TimeSpan(milliseconds: 1), into: &journal)
    let moment = world.phone.moment(at: instant)
    if let failure = world.failure { throw failure }
    let companion = (world.engine as? AccompaniedEngine)?.companion
    guard var engine = companion ?? (world.engine as? BuiltInEngine),
      let explanation = engine.explain(reminder, at: moment)
    else { return nil }
    let request = engine.reminders.request(of: reminder, at: moment)
    var found = Findings(
      reminder: reminder, instant: instant, moment: moment, explanation: explanation,
      truth: world.trueExplanation(of: reminder, at: moment), request: request,
      decision: engine.decisionNow(on: request, at: moment), journal: journal, facts: journal.second.facts,
      pending: world.phone.nextPending(of: reminder, held: journal.second.held.values))
    world.run(into: &journal)
    if let failure = world.failure { throw failure }
    journal.first.close()
    found.journal = journal
    return found
  }

  // MARK: The answer

  private func answer(
    _ found: Findings, _ fires: (Program) throws(EngineFailure) -> Bool
  ) throws(EngineFailure) -> Answer {
    let words = RunWords(program)
    let (accounts, minute, moment) = (found.journal.first, found.minute, found.moment)
    let declaration = program.reminders.declarations[found.explanation.declaration]
    let own = accounts.appeared.filter { $0.request.reminder == found.reminder }
    let fired = own.filter { minute.contains($0.instant) }
    let untold = accounts.untold(found.reminder, in: minute)
    let looks = looks(at: found.reminder, in: accounts)
    let change: Change =
      fired.isEmpty
      ? try self.change(found, isSleptThrough: untold.contains { $0.cause == Untold.notWoken }, fires) : .none
    return Answer(
      reminder: declaration.id, local: words.time(moment), happened: happened(found, fired, untold),
      explanation: found.explanation,
      conditions: verdicts(declaration.conditions, found, \.conditions),
      lastTrigger: looks.last { $0.instant <= found.instant }.map { words.time($0.moment) },
      nextTrigger: looks.first { $0.instant > found.instant }.map { words.time($0.moment) },
      lastFire: own.last { $0.instant < found.instant }.map { words.time($0.moment) },
      pending: found.pending.map { time($0, moment) }, bucket: found.request.bucket,
      criticalConditions: verdicts(
        declaration.notification.criticalConditions.map { .fact($0) }, found, \.criticalConditions),
      decision: found.decision, blockers: program.policy.ordered(found.decision.blockers),
      usedUp: usedUp(found),
      nextAllHold: found.explanation.nextInstantAllHold.map {
        $0 == moment.wall ? "now" : time($0, moment)
      },
      change: change)
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
    _ found: Findings, isSleptThrough: Bool, _ fires: (Program) throws(EngineFailure) -> Bool
  ) throws(EngineFailure) -> Change {
    let candidates: EditCandidates
    do throws(UnwritableScenario) {
      candidates = try EditCandidates(
        program, found.explanation, at: found.instant, found.moment,
        knowing: found.facts.mapValues(\.value), isSleptThrough: isSleptThrough)
    } catch {
      return .impossible
    }
    let edits = try ChangeSearch(candidates: candidates).smallestChange(fires)
    return edits.map { .edits($0) } ?? .impossible
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
      let value = known?.value ?? .missing
      if case .age = fact.quantity, let known, !value.isMissing {
        let age = FactValue.number(thousandths: moment.elapsed(since: known.moment).milliseconds)
        return "age(\(name)) is \(words.text(age, of: fact.quantity))"
      }
      return "\(name) is \(words.text(value, of: program.scenario.facts[index]))"
    }.joined(separator: ", ")
  }

  // MARK: What happened

  /// What a cause means.
  private static func excuse(_ cause: String) -> String {
    if cause == Untold.notWoken { return "the app slept through it" }
    let isReason = Reason.allCases.contains { $0.name == cause }
    return isReason ? "the request that the system was to repeat is gone" : "the app did not know"
  }

  private func happened(
    _ found: Findings, _ fired: [RunAccounts.Fire], _ untold: [Untold]
  ) -> [String] {
    let words = RunWords(program)
    let (accounts, minute, wall) = (found.journal.first, found.minute, found.moment.wall)
    // Of plans that were made and taken back again and again, the latest.
    let lost = found.journal.second.lost.last {
      $0.instant < found.instant && $0.deliverAt >= wall && $0.deliverAt < wall + .minutes(1)
    }
    let endings = accounts.endings.filter {
      // That no later occurrence could be planned says nothing of this one.
      let isPlanning = $0.kind == .notRequested && found.journal.second.plannedAt.contains($0.instant)
      return $0.reminder == found.reminder && minute.contains($0.instant) && !isPlanning
    }
    return fired.map { "fired at \(words.time($0.moment))" } + words.summarise(endings)
      + untold.map {
        "due, and \(Self.excuse($0.cause)): \($0.cause) at \(words.time($0.moment))"
      }
      + [lost].compactMap { $0 }.map {
        "planned for this time, and lost: \($0.reason.name) at \(words.time($0.moment))"
      }
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
    let scenario = program.scenario
    let before = found.journal.first.appeared.filter { $0.instant < found.minute.upperBound }
    let date = scenario.zones[found.moment.zone].local(at: found.moment.wall).date
    func isOfDay(_ fire: RunAccounts.Fire) -> Bool { words.local(fire.moment).date == date }
    let ending = found.journal.first.endings.last {
      $0.reminder == found.reminder && found.minute.contains($0.instant)
    }
    let blockers = program.policy.ordered(ending?.blockers ?? found.decision.blockers)
    return blockers.flatMap { reason -> [String] in
      let fires = before.filter { fire in
        switch reason {
        case .minimumInterval:
          (fire.bucket == .standard
            || fire.bucket == .critical && scenario.policy.minimumIntervalScope == .all)
            && found.moment.elapsed(since: fire.moment) < scenario.policy.minimumInterval
        case .dailyCap, .userDailyCap: fire.bucket == .standard && isOfDay(fire)
        case .criticalDailyCap: fire.bucket == .critical && isOfDay(fire)
        case .typeDailyCap: fire.type == found.request.type && isOfDay(fire)
        case .typeWeeklyCap:
          fire.type == found.request.type && found.instant - fire.instant < .days(7)
        case .lapseCap, .lifetimeCap: fire.type == found.request.type
        default: false
        }
      }
      return fires.suffix(3).map {
        "\(reason.name): \(words.name($0.request.reminder)) at \(words.time($0.moment))"
      }
    }
  }

  private func time(_ wall: Instant, _ moment: Moment) -> String {
    program.scenario.zones[moment.zone].words(at: wall)
  }
}

extension Explainer.Answer {
  /// The change in one sentence.
  package var smallestChange: String {
    switch change {
    case .none: return "none: it fired"
    case .edits(let edits): return edits.map(\.words).joined(separator: "; and ")
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
    case .add, .leaveOutEntry: "\(verb): \(text)"
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
