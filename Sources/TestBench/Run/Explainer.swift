import Journal
package import Simulation
import Statistics
import TriggerEngine
import ScenarioModel
import ScenarioGrammar
import CivilTime
import DeviceSimulation
import Journal
import NotificationGateway
package import ReminderEngine
package import TriggerModel

/// Says why a reminder did or did not fire at an instant, and the smallest change that would make it.
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
    /// Each condition in words, with whether it held, and what the app knew of the facts in it.
    package var conditions: [(words: String, holds: Bool, known: String?)]
    /// When its triggers came, before and after.
    package var lastTrigger: String?
    package var nextTrigger: String?
    /// For when a request of it is pending or held at that instant.
    package var pending: String?
    /// Which caps a request at that instant would have answered to.
    package var bucket: Bucket
    /// The conditions for the critical bucket, as ``conditions``; empty where the bucket is always the same.
    package var criticalConditions: [(words: String, holds: Bool, known: String?)]
    /// What the scheduler would have said to such a request.
    package var decision: Decision
    package var blockers: [Reason]
    /// The next instant at which every condition holds, the world staying as it is.
    package var nextAllHold: String?
    /// One sentence.
    package var smallestChange: String
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
    try engine.withEngines(of: program) { (makeEngine) throws(EngineFailure) in
      try explain(reminder, at: instant, makeEngine)
    }
  }

  func explain(
    _ reminder: ReminderID, at instant: Instant,
    _ makeEngine: (_ device: Int) throws(EngineFailure) -> any EngineUnderTest
  ) throws(EngineFailure) -> Answer? {
    let words = RunWords(program)
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
    let facts = journal.second.facts
    let pending = world.phone.nextPending(of: reminder, held: journal.second.held.values).map {
      time($0, moment)
    }
    world.run(into: &journal)
    let request = engine.reminders.request(of: reminder, at: moment)
    let decision = engine.decisionNow(on: request, at: moment)
    let declaration = program.reminders.declarations[explanation.declaration]
    let conditionWords = FactWords(program.scenario)
    let verdicts = { (conditions: [Condition], verdicts: [Explanation.ConditionVerdict]) in
      zip(conditions, verdicts).map { condition, verdict in
        (
          words: conditionWords.text(condition), holds: verdict.holds,
          known: known(in: condition, facts, moment)
        )
      }
    }
    let conditions = verdicts(declaration.conditions, explanation.conditions)
    let looks = looks(at: reminder, in: journal.first)
    let minute = instant..<instant + .minutes(1)
    let untold = journal.first.untold(reminder, in: minute)
    // Of plans that were made and taken back again and again, the latest.
    let lost = journal.second.lost.last {
      $0.instant < instant && $0.deliverAt >= moment.wall && $0.deliverAt < moment.wall + .minutes(1)
    }
    let endings = journal.first.endings.filter {
      // That no later occurrence could be planned says nothing of this one.
      let isPlanning = $0.kind == .notRequested && journal.second.plannedAt.contains($0.instant)
      return $0.reminder == reminder && minute.contains($0.instant) && !isPlanning
    }
    let fires = journal.first.fires.filter {
      $0.request.reminder == reminder && $0.exposure.isExposed && minute.contains($0.instant)
    }
    return Answer(
      reminder: declaration.id, local: words.time(moment),
      happened: fires.map { "fired at \(words.time($0.moment))" } + words.summarise(endings)
        + untold.map { "due, and the app did not know: \($0.cause) at \(words.time($0.moment))" }
        + [lost].compactMap { $0 }.map {
          "planned for this time, and lost: \($0.reason.name) at \(words.time($0.moment))"
        },
      explanation: explanation,
      conditions: conditions, lastTrigger: looks.last { $0.instant <= instant }.map { words.time($0.moment) },
      nextTrigger: looks.first { $0.instant > instant }.map { words.time($0.moment) },
      pending: pending, bucket: request.bucket,
      criticalConditions: verdicts(
        declaration.notification.criticalConditions.map { .fact($0) }, explanation.criticalConditions),
      decision: decision,
      blockers: program.policy.ordered(decision.blockers),
      nextAllHold: explanation.nextInstantAllHold.map { $0 == moment.wall ? "now" : time($0, moment) },
      smallestChange: fires.isEmpty
        ? change(after: endings, moment)
          ?? smallestChange(
            explanation, conditions, decision, pending: pending, untold.first?.cause,
            isLookedAt: looks.contains { minute.contains($0.instant) }, moment)
        : "none: it fired")
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

  /// Whenever the engine looked at the reminder: fires and misses.
  private func looks(at reminder: ReminderID, in journal: RunAccounts) -> [(instant: Instant, moment: Moment)]
  {
    let endings = journal.endings.filter { $0.reminder == reminder && $0.kind != .lost }
    let fires = journal.fires.filter { $0.request.reminder == reminder }
    return (endings.map { ($0.instant, $0.moment) } + fires.map { ($0.instant, $0.moment) }).sorted {
      $0.0 < $1.0
    }
  }

  // MARK: What would have to change

  /// What would have helped a request that came to nothing.
  private func change(after endings: [RunAccounts.Ending], _ moment: Moment) -> String? {
    guard let ending = endings.last(where: { $0.kind != .notRequested }) else { return nil }
    if let end = Reason.unliftable[ending.reason] { return end }
    let blockers = program.policy.ordered(ending.blockers).map(\.name).joined(separator: ", ")
    guard ending.kind == .deferred, let until = ending.until else {
      return "lift \(blockers.isEmpty ? ending.reason.name : blockers)"
    }
    return "lift \(blockers), or wait until \(time(until, moment)), when it is decided again"
  }

  private func smallestChange(
    _ explanation: Explanation, _ conditions: [(words: String, holds: Bool, known: String?)],
    _ decision: Decision, pending: String?, _ untold: String?, isLookedAt: Bool, _ moment: Moment
  ) -> String {
    if let pending, !isLookedAt, untold == nil { return "none: it is pending for \(pending)" }
    switch explanation.status {
    case .alreadyFired: return "none: it has had its turn"
    case .expired: return "a later expiry"
    case .cancelled: return "none: it was cancelled"
    case .snoozed(let until): return "none: it is put off until \(time(until, moment))"
    case .waiting: break
    }
    let failed = conditions.filter { !$0.holds }.map(\.words)
    var parts: [String] = []
    if !failed.isEmpty {
      var part = "make " + failed.map { "'\($0)'" }.joined(separator: " and ") + " hold"
      if let next = explanation.nextInstantAllHold {
        part += ", or wait until \(time(next, moment)), when all hold if the world stays as it is"
      }
      parts.append(part)
    }
    if decision.outcome != .admit {
      let names = program.policy.ordered(decision.blockers).map(\.name).joined(separator: ", ")
      parts.append("lift \(names)")
    }
    if let untold {
      parts.append("let the app know of it (\(untold))")
    } else if !isLookedAt {
      parts.append("let one of its triggers come")
    }
    return parts.isEmpty ? "none: everything holds" : parts.joined(separator: "; then ")
  }

  private func time(_ wall: Instant, _ moment: Moment) -> String {
    program.scenario.zones[moment.zone].words(at: wall)
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

extension Reason {
  /// For what nobody can lift: what to say instead.
  fileprivate static let unliftable: [Reason: String] = [
    .superseded: "none: a later plan of the same reminder took its place",
    .preempted: "none: a request for an earlier time went before it",
    .cancelled: "none: it was cancelled",
    .notPresented: "let it come when the phone shows it: not in front of the app itself",
  ]
}

extension BuiltInEngine {
  /// What the scheduler would say to a request at this moment; nothing is taken.
  func decisionNow(on request: NotificationRequest, at moment: Moment) -> Decision {
    var scheduler = gateway
    return scheduler.decide(request, at: moment)
  }
}
