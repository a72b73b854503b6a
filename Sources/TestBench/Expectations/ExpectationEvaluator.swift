import CivilTime
import DeviceSimulation
import ReminderMatching
package import ScenarioModel
import Scenarios
package import Simulation
package import Statistics
package import TextFormats
import TriggerModel

/// Evaluates the expectations of a scenario against a run.
package struct ExpectationEvaluator {
  let program: Program
  let accounts: RunAccounts
  let texts: ShownTexts
  let gates: [GateResult]
  let views: [ShownView]
  let words: RunWords

  package init(
    program: Program, accounts: RunAccounts, texts: ShownTexts, gates: [GateResult], views: [ShownView] = []
  ) {
    self.program = program
    self.accounts = accounts
    self.texts = texts
    self.gates = gates
    self.views = views
    words = RunWords(program)
  }

  package func evaluate(_ expectation: Expectation) -> ExpectationResult {
    var result = judge(expectation)
    if !result.passed { result.instead = nearestTruth(to: expectation.claim) }
    return result
  }

  /// Evaluates an expectation without searching for a true replacement.
  func judge(_ expectation: Expectation) -> ExpectationResult {
    switch expectation.claim {
    case .fires(let reminder, let count, let occasion):
      fires(expectation, reminder, count, occasion)
    case .shows(let reminder, let title, let count, let occasion):
      shows(expectation, reminder, title, count, occasion)
    case .ends(let reminder, .doubled(let cause), let count, let occasion):
      doubled(expectation, reminder, cause, count, occasion)
    case .ends(let reminder, let ending, let count, let occasion):
      ends(expectation, reminder, ending, count, occasion)
    case .metric(let metric, let reminder, let comparison, let bound):
      self.metric(expectation, metric, reminder, comparison, bound)
    case .gate(let name, let verdict): gate(expectation, name, verdict)
    case .only(let reminders): only(expectation, reminders)
    case .exact(let fires): exact(expectation, fires)
    case .app(let claim): app(expectation, claim)
    case .view(let claim): view(expectation, verdict(of: claim))
    }
  }

  // MARK: Fires and endings

  private func fires(
    _ expectation: Expectation, _ reminder: ReminderID, _ count: Expectation.Count, _ occasion: Occasion
  ) -> ExpectationResult {
    let all = appeared(reminder, occasion)
    let inside = all.filter { words.isIn(occasion, $0.moment) }
    let passed = count.contains(inside.count)
    let outside = passed ? nil : nearest(to: occasion, in: all, \.moment)
    return result(
      expectation, passed, got: words.times("fire", inside.map(\.moment)),
      nearest: outside.map { "fired at \(words.time($0.moment))" },
      reasons: inside.count < count.minimum ? reasons(reminder, occasion) : [])
  }

  private func ends(
    _ expectation: Expectation, _ reminder: ReminderID, _ ending: Expectation.Ending,
    _ count: Expectation.Count, _ occasion: Occasion
  ) -> ExpectationResult {
    let all = accounts.endings.filter {
      $0.reminder == reminder && isOn(occasion, $0.device) && matches($0, ending)
    }
    let inside = all.filter { words.isIn(occasion, $0.moment) }
    let passed = count.contains(inside.count)
    let outside = passed ? nil : nearest(to: occasion, in: all, \.moment)
    return result(
      expectation, passed, got: words.times("such ending", inside.map(\.moment)),
      nearest: outside.map { words.describe($0) },
      reasons: inside.count < count.minimum ? reasons(reminder, occasion) : [])
  }

  /// Returns the event outside the occasion that is nearest to the occasion's beginning in local time.
  func nearest<Event>(
    to occasion: Occasion, in events: [Event], _ moment: (Event) -> Moment
  ) -> Event? {
    let outside = events.filter { !words.isIn(occasion, moment($0)) }.map { ($0, words.local(moment($0))) }
    return outside.min { occasion.distance(to: $0.1) < occasion.distance(to: $1.1) }?.0
  }

  func matches(_ ending: RunAccounts.Ending, _ wanted: Expectation.Ending) -> Bool {
    switch wanted {
    case .denied(let reason): return ending.kind == .denied && (reason == nil || ending.reason == reason)
    case .notRequested(let reason): return ending.kind == .notRequested && ending.reason == reason
    case .lost(let reason):
      return [.lost, .failed, .replaced].contains(ending.kind) && ending.reason == reason
    // A duplicate on another device does not end the notification.
    case .doubled: return false
    case .deferred(let reason, let until):
      guard ending.kind == .deferred, reason == nil || ending.reason == reason else { return false }
      guard let until else { return true }
      guard let released = ending.until else { return false }
      return program.scenario.zones[ending.moment.zone].local(at: released).millisecondOfDay == until
    }
  }

  /// Returns outcomes that explain why the reminder fired too seldom. They are the outcomes on the occasion,
  /// or those of the whole run if the occasion has none.
  func reasons(_ reminder: ReminderID, _ occasion: Occasion) -> [String] {
    let inside = words.outcomes(of: reminder, in: accounts) { words.isIn(occasion, $0.moment) }
    if !inside.isEmpty { return inside }
    let all = words.outcomes(of: reminder, in: accounts) { _ in true }
    if !all.isEmpty { return ["no losses at that time; at other times:"] + all }
    let hasFired = accounts.fires.contains { $0.request.reminder == reminder }
    return hasFired
      ? [] : ["the app observed none of its triggers while it was waiting"] + approaches(of: reminder)
  }

  /// Describes how close recorded routes came to the reminder's places that they did not reach.
  private func approaches(of reminder: ReminderID) -> [String] {
    let names = program.reminders.declarations[reminder.index].triggers.compactMap { trigger -> String? in
      switch trigger {
      case .regionEntered(let name), .regionExited(let name): name
      default: nil
      }
    }
    return program.scenario.places.enumerated().filter { names.contains($0.element.name) }
      .compactMap { index, place in
        for device in program.devices {
          guard let regions = device.blueprint.regions,
            let nearest = NearestApproach(of: device.route, to: RegionID(index), among: regions)
          else { continue }
          let zone = program.scenario.zones[program.scenario.timeline.zone(at: nearest.instant)]
          let distance = Int(nearest.metres.rounded())
          return
            "the recorded route comes no nearer to '\(place.name)' than \(distance) m from its centre, at "
            + "\(zone.words(at: nearest.instant)); its radius is \(Int(place.radius.rounded())) m"
        }
        return nil
      }
  }

  // MARK: The app itself

  func verdict(of claim: ListExpectation) -> ViewVerdict {
    ViewVerdict(claim, among: views, names: program.reminders.declarations.map(\.id))
  }

  private func view(_ expectation: Expectation, _ verdict: ViewVerdict) -> ExpectationResult {
    result(expectation, verdict.passed, got: verdict.got, nearest: verdict.nearest)
  }

  private func app(_ expectation: Expectation, _ claim: AppClaim) -> ExpectationResult {
    let all = accounts.app.entries.filter { $0.event == claim.event }
    let inside = all.filter { words.isIn(claim.occasion, $0.moment) }
    let passed = claim.count.contains(inside.count)
    let outside = passed ? nil : nearest(to: claim.occasion, in: all, \.moment)
    return result(
      expectation, passed, got: words.times("such event", inside.map(\.moment)),
      nearest: outside.map { "at \(words.time($0.moment))" })
  }

  // MARK: Metrics

  private func metric(
    _ expectation: Expectation, _ metric: Metric, _ reminder: ReminderID?,
    _ comparison: FactCondition.Comparison, _ bound: Int64
  ) -> ExpectationResult {
    let account = reminder.map { accounts.reminders[$0.index] } ?? accounts.total
    let figure = Figure(
      metric, account, of: PersonAccount(accounts, of: program), days: words.days)
    guard let order = figure.order(millionths: bound) else {
      guard figure.unknown > 0 else {
        return result(
          expectation, false, got: "\(figure) (the denominator is 0)",
          reasons: account.losses(beforeWholeOf: metric))
      }
      return result(expectation, false, got: "\(figure)", reasons: [metric.remedy].compactMap(\.self))
    }
    let holds = comparison.holds(order)
    let isUpperBound = comparison == .less || comparison == .lessOrEqual
    return result(
      expectation, holds, got: "\(figure)",
      reasons: holds || isUpperBound ? [] : account.losses(before: metric))
  }

  private func gate(
    _ expectation: Expectation, _ name: String, _ verdict: GateVerdict
  ) -> ExpectationResult {
    guard let gate = gates.first(where: { $0.gate.name == name }) else {
      return result(expectation, false, got: "no such gate")
    }
    return result(
      expectation, gate.verdict == verdict, got: gate.summary)
  }

  // MARK: Whole runs

  private func only(_ expectation: Expectation, _ reminders: [ReminderID]) -> ExpectationResult {
    let others = accounts.appeared.filter { !reminders.contains($0.request.reminder) }
    let got = others.isEmpty ? "nothing else" : words.list(others)
    return result(expectation, others.isEmpty, got: got)
  }

  private func exact(_ expectation: Expectation, _ wanted: [Expectation.ExactFire]) -> ExpectationResult {
    let appeared = accounts.appeared
    let pairs = pairs(wanted, appeared)
    let (missing, left) = (pairs.missing.map { wanted[$0] }, pairs.unexpected.map { appeared[$0] })
    let passed = left.isEmpty && missing.isEmpty
    var parts: [String] = []
    if !missing.isEmpty {
      let named = missing.prefix(Self.listedMissing).map(name).joined(separator: ", ")
      let more = missing.count > Self.listedMissing ? ", …" : ""
      parts.append("\(missing.count) of \(wanted.count) missing: \(named)\(more)")
    }
    if !left.isEmpty { parts.append("unexpected: " + words.list(left)) }
    return result(expectation, passed, got: passed ? "exactly these" : parts.joined(separator: "; "))
  }

  func pairs(_ wanted: [Expectation.ExactFire], _ appeared: [RunAccounts.Fire]) -> ExactPairs {
    ExactPairs(
      wanted,
      appeared.map {
        let zone = program.scenario.zones[$0.moment.zone]
        return ExactPairs.Actual(
          reminder: $0.request.reminder, local: zone.local(at: $0.moment.wall),
          offset: zone.offset(at: $0.moment.wall))
      })
  }

  /// The maximum number of missing fires that a message lists.
  private static let listedMissing = 3

  private func name(_ fire: Expectation.ExactFire) -> String {
    words.name(fire.reminder)
      + (fire.occasion.time.map { " at " + Clock.text($0.from, withSeconds: $0.from % 60_000 != 0) } ?? "")
      + (fire.occasion.offset.map { " \(UTCOffset.text($0))" } ?? "")
      + (fire.occasion.date.map { " on \($0.text)" } ?? "")
  }

  func result(
    _ expectation: Expectation, _ passed: Bool, got: String, nearest: String? = nil, reasons: [String] = []
  ) -> ExpectationResult {
    ExpectationResult(
      text: expectation.text, position: expectation.position, passed: passed, got: got, nearest: nearest,
      reasons: reasons)
  }
}

extension Expectation.Count {
  /// The smallest count that satisfies the bound.
  var minimum: Int {
    switch self {
    case .atLeast(let bound), .exactly(let bound): bound
    case .atMost: 0
    }
  }
}

extension Occasion {
  /// Returns the distance, in wall-clock milliseconds, from the beginning of the occasion to a local time.
  fileprivate func distance(to local: LocalTime) -> Int64 {
    let day = TimeSpan.days(1).milliseconds
    let past = Int64(local.millisecondOfDay) - Int64(time?.from ?? 0)
    guard let date else { return min(abs(past), day - abs(past)) }
    return abs(Int64(local.date.dayNumber - date.dayNumber) * day + past)
  }
}

extension ExpectationEvaluator {
  /// Returns the exposed notifications of a reminder on the device of the occasion.
  func appeared(_ reminder: ReminderID, _ occasion: Occasion) -> [RunAccounts.Fire] {
    accounts.appeared.filter { $0.request.reminder == reminder && isOn(occasion, $0.device) }
  }

  func isOn(_ occasion: Occasion, _ device: UInt8) -> Bool {
    occasion.device.map { $0 == program.devices[Int(device)].name } ?? true
  }

  func title(of fire: RunAccounts.Fire) -> String { texts.title(of: fire.request, on: fire.device) }

  func shows(
    _ expectation: Expectation, _ reminder: ReminderID, _ title: String, _ count: Expectation.Count,
    _ occasion: Occasion
  ) -> ExpectationResult {
    let all = appeared(reminder, occasion)
    let alike = all.filter { self.title(of: $0) == title }
    let inside = alike.filter { words.isIn(occasion, $0.moment) }
    let passed = count.contains(inside.count)
    let others = all.filter { words.isIn(occasion, $0.moment) && self.title(of: $0) != title }
    let outside = passed ? nil : others.first ?? nearest(to: occasion, in: alike, \.moment)
    return result(
      expectation, passed, got: words.times("such notification", inside.map(\.moment)),
      nearest: outside.map {
        "showed \(QuotedText.write(self.title(of: $0), inSentence: true)) at \(words.time($0.moment))"
      },
      reasons: inside.count < count.minimum && others.isEmpty ? reasons(reminder, occasion) : [])
  }
}

/// Evaluates expectations about notifications that appear on a second device.
extension ExpectationEvaluator {
  func doubled(
    _ expectation: Expectation, _ reminder: ReminderID, _ cause: SyncCause?, _ count: Expectation.Count,
    _ occasion: Occasion
  ) -> ExpectationResult {
    let all = doubled(reminder, cause, occasion)
    let inside = all.filter { words.isIn(occasion, $0) }
    let passed = count.contains(inside.count)
    let outside = passed ? nil : nearest(to: occasion, in: all, \.self)
    let others = cause == nil ? [] : excess(of: reminder).filter { $0.cause != cause }
    return ExpectationResult(
      text: expectation.text, position: expectation.position, passed: passed,
      got: words.times("double", inside),
      nearest: outside.map { "doubled at \(words.time($0))" },
      reasons: passed ? [] : others.map { "doubled by \($0.cause.name) at \(words.time($0.moment))" })
  }

  /// Returns the moments at which duplicates appeared.
  func doubled(_ reminder: ReminderID, _ cause: SyncCause?, _ occasion: Occasion) -> [Moment] {
    excess(of: reminder).filter { (cause == nil || $0.cause == cause) && isOn(occasion, $0.device) }
      .map(\.moment)
  }

  private func excess(of reminder: ReminderID) -> [SyncAccount.Excess] {
    accounts.sync.doubled.filter { $0.request.reminder == reminder }
  }
}

/// The result of one expectation.
package struct ExpectationResult: Hashable, Sendable {
  package var text: String
  package var position: SourcePosition
  package var passed: Bool
  /// The actual result, in words.
  package var got: String
  /// The nearest fire or ending, or `nil` if there is none.
  package var nearest: String?
  /// The outcomes of the reminder, in chronological order.
  package var reasons: [String]
  /// A true claim that can replace the failed one, or `nil` if only the author can choose a new claim.
  package var instead: Expectation.Claim?
}
