import CivilTime
import ReminderMatching
public import TriggerModel

/// An explanation of whether a trigger would make a reminder match now, and of what would prevent the match.
public struct Explanation: Hashable, Sendable {
  /// Whether triggers of the reminder are evaluated.
  public enum Status: Hashable, Sendable {
    /// Triggers are evaluated.
    case waiting
    /// The person has snoozed the reminder until a wall-clock instant.
    case snoozed(until: Instant)
    /// The reminder has fired. It is waiting for its next period or will not fire again.
    case alreadyFired
    /// The reminder has expired or was cancelled.
    case expired, cancelled
  }

  /// The result of one condition.
  public struct ConditionVerdict: Hashable, Sendable {
    /// The index among the declaration's conditions, or among its conditions for the critical bucket.
    public var index: Int
    /// Whether the condition holds now.
    public var holds: Bool
    /// The reason that is reported for the condition, or `nil` if it holds.
    public var reason: Reason?
  }

  /// Whether a trigger would be evaluated now.
  public var status: Status
  /// The index of the declaration in force in ``ReminderMatching/ReminderProgram/declarations``.
  public var declaration: Int
  /// The verdict on each of the declaration's conditions, in their order.
  public var conditions: [ConditionVerdict]
  /// The verdicts on the conditions under which the request goes to the critical bucket.
  public var criticalConditions: [ConditionVerdict]
  /// The next instant at which all conditions hold if only time passes.
  ///
  /// `nil` if there is none within ``horizonDays`` days.
  public var nextInstantAllHold: Instant?

  /// The number of days searched for ``nextInstantAllHold``. It is large enough to include a 29 February.
  public static let horizonDays = 366 * 4 + 1
}

extension ReminderEngine {
  /// - Complexity: O(*n*) in the number of searched days in the worst case. Do not call it for every event.
  public mutating func explain(_ reminder: ReminderID, at moment: Moment) -> Explanation? {
    guard isKnown(reminder) else { return nil }
    let declaration = declarationInForce(reminder)
    let view = view(at: moment)
    let zone = zones[moment.zone]
    let plan = program.plans[Int(declaration)]
    let conditions = plan.conditions
    func verdicts(_ conditions: [CompiledCondition]) -> [Explanation.ConditionVerdict] {
      conditions.enumerated().map { index, condition in
        let failure = view.failure(condition, facts: facts, zone: zone)
        return Explanation.ConditionVerdict(index: index, holds: failure == nil, reason: failure)
      }
    }
    return Explanation(
      status: status(of: reminder, at: view), declaration: Int(declaration), conditions: verdicts(conditions),
      criticalConditions: verdicts(plan.criticalConditions.map { .fact($0) }),
      nextInstantAllHold: nextInstant(conditions, from: moment, zone: zone))
  }

  private func status(of reminder: ReminderID, at view: LocalView) -> Explanation.Status {
    let plan = program.plans[Int(declarationInForce(reminder))]
    if persisted.cancelled.contains(reminder) { return .cancelled }
    if plan.expires <= view.moment.wall { return .expired }
    let until = ledgers[reminder].snooze?.until ?? .distantPast
    if until > view.moment.wall { return .snoozed(until: until) }
    return matcher.hasMatched(declarationInForce(reminder), inPeriodOf: view.date) ? .alreadyFired : .waiting
  }

  /// Returns the first instant at which all conditions hold. Tries the current instant, and then each instant
  /// at which the passage of time may make a condition hold.
  private mutating func nextInstant(_ conditions: [CompiledCondition], from moment: Moment, zone: Zone)
    -> Instant?
  {
    if holds(conditions, at: moment.wall, after: moment, zone: zone) { return moment.wall }
    var day = zone.local(at: moment.wall).date
    let turns = irregularTurns(conditions, from: moment, until: day + Explanation.horizonDays + 1, zone: zone)
    for _ in 0...Explanation.horizonDays {
      let (start, end) = (zone.startOfDay(day), zone.startOfDay(day + 1))
      var candidates = turns.filter { $0 >= start && $0 < end }
      candidates.append(start)
      for case .timeWindow(let window) in conditions {
        candidates.append(zone.instant(of: day, minute: window.from))
      }
      for candidate in candidates.sorted() where candidate > moment.wall {
        if holds(conditions, at: candidate, after: moment, zone: zone) { return candidate }
      }
      day = day + 1
    }
    return nil
  }

  private mutating func holds(
    _ conditions: [CompiledCondition], at instant: Instant, after moment: Moment, zone: Zone
  ) -> Bool {
    view(at: moment.foreseen(at: instant)).failures(of: conditions, facts: facts, zone: zone) == nil
  }

  /// Returns the instants to try that do not recur daily. A date may be repeated at an offset change, and a
  /// fact may reach an age at any instant.
  private func irregularTurns(
    _ conditions: [CompiledCondition], from moment: Moment, until end: CivilDate, zone: Zone
  ) -> [Instant] {
    var turns = zone.transitions(in: moment.wall..<max(moment.wall, zone.startOfDay(end)))
    for case .fact(let condition) in conditions {
      guard let age = age(condition.quantity, at: moment, zone) else { continue }
      for constant in condition.constants
      where constant.bits >= 0 && constant.bits <= TimeSpan.days(Int64(Explanation.horizonDays)).milliseconds
      {
        let reached = moment.wall + (TimeSpan(milliseconds: constant.bits) - age)
        turns += [reached, reached + TimeSpan(milliseconds: 1)]
      }
    }
    return turns
  }
}

extension ReminderEngine {
  /// Returns the current age of a quantity that grows with time, or `nil` for other quantities.
  private func age(_ quantity: CompiledFactCondition.Quantity, at moment: Moment, _ zone: Zone) -> TimeSpan? {
    switch quantity {
    case .age(let fact): return facts.setAt(fact).map { moment.elapsed(since: $0) }
    case .time(let fact):
      let value = facts.value(fact, at: moment, zone)
      return value.isMissing ? nil : moment.wall - Instant(millisecondsSince1970: value.bits)
    case .value, .ratio, .days: return nil
    }
  }

  /// Returns the request that a match at this moment would make. Does not record a match.
  public func request(of reminder: ReminderID, at moment: Moment) -> NotificationRequest {
    let declaration = declarationInForce(reminder)
    let occurrence = matcher.memory(of: reminder).occurrences
    return request(
      for: Match(reminder: reminder, declaration: declaration, occurrence: occurrence), at: moment)
  }
}
