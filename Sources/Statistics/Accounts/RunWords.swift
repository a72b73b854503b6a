package import CivilTime
import ReminderMatching
package import ScenarioModel
import Scenarios
package import Simulation
package import TriggerModel

/// Describes the events of a run in words, in the phone's local time.
package struct RunWords {
  private let program: Program
  private let showsMilliseconds: Bool

  package init(_ program: Program, showsMilliseconds: Bool = true) {
    self.program = program
    self.showsMilliseconds = showsMilliseconds
  }

  /// Returns the name of the device in files, such as `phone` or `tablet`.
  package func name(ofDevice device: UInt8) -> String {
    program.devices[Int(device)].name
  }

  package func local(_ moment: Moment) -> LocalTime {
    program.scenario.zones[moment.zone].local(at: moment.wall)
  }

  /// Returns the local time, such as "2026-03-02 17:42:10". Includes the offset if clocks show that time
  /// twice.
  package func time(_ moment: Moment) -> String {
    let part = showsMilliseconds ? 0 : moment.wall.millisecondsSince1970.floorRemainder(by: 1_000)
    return program.scenario.zones[moment.zone].words(at: moment.wall - TimeSpan(milliseconds: part))
  }

  /// Returns whether the local time of a moment is within an occasion.
  package func isIn(_ occasion: Occasion, _ moment: Moment) -> Bool {
    occasion.contains(moment.wall, in: program.scenario.zones[moment.zone])
  }

  /// Returns the id of a reminder.
  package func name(_ reminder: ReminderID) -> String { program.reminders.declarations[reminder.index].id }

  /// The number of local dates that occur in the run.
  package var localDays: Int {
    let scenario = program.scenario
    return scenario.zones[scenario.zone].localDays(in: scenario.start..<program.end)
  }

  /// The number of days of the run, which is the denominator of figures per day.
  ///
  /// Each day begins at the time of day at which the run starts. The last day may be shorter. A run of
  /// fourteen days from 07:00 therefore has 14 days, although it touches fifteen dates.
  package var days: Int {
    let scenario = program.scenario
    return scenario.zones[scenario.zone].wholeDays(in: scenario.start..<program.end)
  }

  /// Returns words such as "no fire", "1 fire (2026-03-02 17:42)" or "7 fires (…, …, …, 4 more)".
  package func times(_ noun: String, _ moments: [Moment]) -> String {
    if moments.isEmpty { return "no \(noun)" }
    let shown = moments.prefix(3).map { time($0) }
    let more = moments.count > 3 ? ["\(moments.count - 3) more"] : []
    return
      "\(moments.count) \(noun)\(moments.count == 1 ? "" : "s") (\((shown + more).joined(separator: ", ")))"
  }

  package func list(_ fires: [RunAccounts.Fire]) -> String {
    let shown = fires.prefix(5).map { "\(name($0.request.reminder)) at \(time($0.moment))" }
    let more = fires.count > 5 ? ["\(fires.count - 5) more"] : []
    return (shown + more).joined(separator: ", ")
  }

  package func describe(_ ending: RunAccounts.Ending) -> String { "\(how(ending)) at \(time(ending.moment))" }

  /// Returns one line for each kind of ending, with the number of endings and the time of the first one.
  /// Kinds are in the order of their first occurrences.
  package func summarise(_ endings: [RunAccounts.Ending]) -> [String] {
    var order: [String] = []
    var groups: [String: [RunAccounts.Ending]] = [:]
    for ending in endings {
      let words = how(ending)
      if groups[words] == nil { order.append(words) }
      groups[words, default: []].append(ending)
    }
    return order.map { words in
      let moments = groups[words, default: []].map(\.moment)
      let first = moments.first.map { time($0) } ?? ""
      return moments.count == 1
        ? "\(words) at \(first)" : "\(words), \(moments.count) times, first at \(first)"
    }
  }

  func how(_ ending: RunAccounts.Ending) -> String {
    var blockers = ending.blockers
    blockers.remove(ending.reason)
    let others = Reason.allCases.filter(blockers.contains).map(\.name)
    let also = others.isEmpty ? "" : " (also \(others.joined(separator: ", ")))"
    switch ending.kind {
    case .notRequested:
      return "trigger observed, no request: \(ending.reason.name)\(kinds(ending.failed, ending.known))"
    case .denied: return "denied by \(ending.reason.name)\(also)"
    case .deferred: return "deferred by \(ending.reason.name)\(also)"
    case .failed: return "failed: \(ending.reason.name)"
    case .lost: return "lost: \(ending.reason.name)"
    case .replaced: return "replaced by a later plan"
    }
  }

  /// Returns the kinds of failed conditions, with the facts that fail: " (timeWindow, fact: visits is 3)".
  package func kinds(_ failed: ConditionKinds, _ known: [FactReading]) -> String {
    let readings = known.map(text).joined(separator: ", ")
    let names = failed.names.map {
      $0 == ConditionKinds.fact.names.first && !readings.isEmpty ? "\($0): \(readings)" : $0
    }
    return names.isEmpty ? "" : " (\(names.joined(separator: ", ")))"
  }

  /// Returns a reading in words: "visits is 3", "age(visits) is 2 h", "eaten is 20, planned is not known".
  private func text(_ reading: FactReading) -> String {
    let words = FactWords(program.scenario)
    func text(_ fact: FactID, _ value: FactValue) -> String {
      let fact = program.scenario.facts[fact.index]
      return "\(fact.name) is \(words.text(value, of: fact))"
    }
    switch reading.quantity {
    case .value(let fact), .days(let fact), .time(let fact): return text(fact, reading.value)
    case .age(let fact):
      if reading.value.isMissing { return text(fact, reading.value) }
      let name = program.scenario.facts[fact.index].name
      return "age(\(name)) is \(words.text(reading.value, of: .age(name)))"
    case .ratio(let dividend, let divisor):
      return text(dividend, reading.value) + ", " + text(divisor, reading.divisor ?? .missing)
    }
  }
}

extension RunWords {
  /// Returns the outcomes of a reminder at a time, in words. These are the endings at that time, events that
  /// the app did not observe, and the outcomes of requests that were due or planned for that time.
  ///
  /// - Parameters:
  ///   - isThen: Returns whether a moment is at the time in question.
  ///   - isIncluded: Returns whether to include an ending.
  package func outcomes(
    of reminder: ReminderID, in accounts: RunAccounts, at isThen: (DueTime) -> Bool,
    isIncluded: (RunAccounts.Ending) -> Bool = { _ in true }
  ) -> [String] {
    let endings = accounts.endings.filter { $0.reminder == reminder && isIncluded($0) }
    func happenedThen(_ ending: RunAccounts.Ending) -> Bool {
      isThen(DueTime(instant: ending.instant, moment: ending.moment))
    }
    let own = accounts.appeared.filter { $0.request.reminder == reminder }
    let fires = own.filter { fire in
      let hasFiredThen = isThen(DueTime(instant: fire.instant, moment: fire.moment))
      return hasFiredThen || (fire.due.map(isThen) ?? false)
    }
    let lateFires = fires.filter { !isThen(DueTime(instant: $0.instant, moment: $0.moment)) }
    let elsewhere = endings.compactMap { ending -> (ending: RunAccounts.Ending, due: Moment)? in
      guard let due = ending.due, isThen(due), !happenedThen(ending) else { return nil }
      return (ending, due.moment)
    }
    let isLate = { (ending: RunAccounts.Ending, due: Moment) in due.elapsed(since: ending.moment) == .zero }
    let missed = accounts.missedRequests(reminder).filter { isThen($0.due) }
    let isSilent = missed.contains { $0.cause == .notRequested }
    // The miss says the same in more detail.
    let then = endings.filter { happenedThen($0) && !(isSilent && $0.reason == .notRequested) }
    let late = elsewhere.filter(isLate).map {
      (how($0.ending), "due at \(time($0.due)), and \(describe($0.ending))")
    }
    return summarise(then) + grouped(missed.map { ($0.cause.name, describe($0)) })
      + grouped(
        lateFires.map { fire in
          let late = fire.due?.isWithheld == true ? ", requested late by the engine" : ""
          return (
            late, "due at \(time(fire.due?.moment ?? fire.moment))\(late), and fired at \(time(fire.moment))"
          )
        }) + grouped(late)
      + (fires.isEmpty ? plans(elsewhere.filter { !isLate($0.ending, $0.due) }) : [])
  }

  /// Returns the outcomes of planned requests. If several were cancelled for the same time, returns only the
  /// last.
  private func plans(_ endings: [(ending: RunAccounts.Ending, due: Moment)]) -> [String] {
    var latest: [Instant: Int] = [:]
    for (index, ending) in endings.enumerated() { latest[ending.due.wall] = index }
    return grouped(
      latest.values.sorted().map { index in
        let (ending, due) = endings[index]
        // "Replaced by a later plan" would not say what happened at the planned time, so report the reason as
        // a loss.
        let way = ending.kind == .replaced ? "lost: \(ending.reason.name)" : how(ending)
        return (way, "planned for \(time(due)), and \(way) at \(time(ending.moment))")
      })
  }

  /// Returns the first line of each kind, with the number of further lines.
  private func grouped(_ lines: [(kind: String, words: String)]) -> [String] {
    var kinds: [String] = []
    var groups: [String: (words: String, count: Int)] = [:]
    for line in lines {
      if groups[line.kind] == nil { kinds.append(line.kind) }
      groups[line.kind, default: (line.words, 0)].count += 1
    }
    return kinds.compactMap { groups[$0] }.map {
      $0.count == 1 ? $0.words : "\($0.words), and \($0.count - 1) more"
    }
  }

  /// Returns an event that triggered a reminder, in words, and who then requested nothing.
  private static func phrase(_ event: ObservedEvent.Kind) -> (event: String, actor: String) {
    func observed(_ what: String) -> (String, String) { ("the engine observed \(what)", "it") }
    return switch event {
    case .unlock: observed("the unlock")
    case .chargingStarted: observed("that charging started")
    case .chargingStopped: observed("that charging stopped")
    case .appOpened: observed("the opening of the other app")
    case .opened: observed("the opening of the app")
    case .factChanged: observed("the change of a fact")
    case .regionEntered: ("the phone entered the place", "the engine")
    case .regionExited: ("the phone left the place", "the engine")
    case .woken, .delivered: ("its time was reached", "the engine")
    default: observed("the event")
    }
  }

  /// Returns the miss in words, such as "due, but the app was not woken: notWoken at 2026-03-02 20:00".
  package func describe(_ missed: MissedRequest) -> String {
    let words =
      switch missed.cause {
      case .notWoken: "the app was not woken"
      case .repeatingRequestLost: "its repeating request no longer exists"
      case _ where missed.cause.isLocationPermission:
        "the location permission keeps the app from observing it"
      case _ where missed.cause.isScreenTime: "the person has not allowed the app to observe the other app"
      case .notObserved, .declined, .notRequested: "the app did not observe it"
      }
    let end = "\(missed.cause.name) at \(time(missed.due.moment))"
    if missed.cause == .notRequested {
      let (event, actor) = Self.phrase(missed.event)
      return "due: \(event), all conditions held, and \(actor) requested nothing: \(end)"
    }
    return "due, but \(words): \(end)"
  }
}
