import CivilTime
import NotificationGateway
import ReminderMatching
import ScenarioModel
import Simulation
import Statistics
import TriggerModel

/// The notifications that had used up a cap, or were within the minimum interval, when the scheduler decided
/// a request.
struct SpentCaps {
  /// The instant and the device of the decision.
  struct DecisionTime {
    var device: UInt8
    var instant: Instant
    /// The wall-clock and uptime at the decision, or at the delivery if the request was scheduled ahead.
    var moment: Moment
  }

  private let scenario: Scenario
  private let decisionTime: DecisionTime
  private let request: CountedDelivery
  private let journal: ExplanationJournal
  private let notices: [DeliveryNotice: Instant]
  private let type: String
  /// The notifications that this device had admitted, or another device had shown, by the time of the
  /// decision, in chronological order.
  private let fires: [RunAccounts.Fire]
  private let counts: CapCounts

  init(
    _ program: Program, _ accounts: RunAccounts, _ journal: ExplanationJournal,
    request: NotificationRequest, decisionTime: DecisionTime
  ) {
    let (scenario, types) = (program.scenario, program.reminders.names.types)
    self.scenario = scenario
    self.decisionTime = decisionTime
    self.journal = journal
    type = types[request.type.index]
    notices = accounts.sync.sharedDeliveries.firstNotices
    self.request = CountedDelivery(
      type: request.type, bucket: request.bucket,
      day: scenario.zones[decisionTime.moment.zone].local(at: decisionTime.moment.wall).date,
      device: decisionTime.device,
      wall: decisionTime.moment.wall, settled: decisionTime.instant)
    fires = accounts.fires.filter { journal.admission(of: $0, in: scenario) <= decisionTime.instant }
      .sorted { ($0.instant, $0.device, $0.request) < ($1.instant, $1.device, $1.request) }
    counts = CapCounts(scenario.policy, types: types, fires.map { $0.counted(in: scenario) })
  }

  /// Returns the notifications that count towards the cap or interval of a denial reason, in chronological
  /// order. Excludes notifications that were unknown to the device at that time.
  func notifications(under reason: Reason) -> [RunAccounts.Fire] {
    if reason == .minimumInterval { return withinMinimumInterval }
    let countsFrom = countsFrom(under: reason)
    return counts.countedTogether(with: request, under: reason, notices: notices).map { fires[$0] }.filter {
      // The lapse cap counts only the device's own notifications.
      if $0.device != decisionTime.device { return reason != .lapseCap }
      let admitted = journal.admission(of: $0, in: scenario)
      return admitted >= countsFrom && admitted + scenario.policy.counterLag <= decisionTime.instant
    }
  }

  /// Returns the earliest instant at which a notification counts towards a cap on the device.
  private func countsFrom(under cap: Reason) -> Instant {
    func last(_ instants: [UInt8: [Instant]]) -> Instant {
      instants[decisionTime.device]?.last { $0 <= decisionTime.instant } ?? .distantPast
    }
    let policy = scenario.policy
    let survives = policy.lifetimeSurvivesReinstall || policy.keptThroughReinstall.contains(type)
    let installed = cap == .lifetimeCap && survives ? .distantPast : last(journal.reinstallations)
    return cap == .lapseCap ? max(installed, last(journal.openings)) : installed
  }

  /// The notifications within the minimum interval.
  private var withinMinimumInterval: [RunAccounts.Fire] {
    let policy = scenario.policy
    let installed = countsFrom(under: .minimumInterval)
    return fires.filter { fire in
      guard fire.bucket == .standard || fire.bucket == .critical && policy.minimumIntervalScope == .all else {
        return false
      }
      let delivery = fire.counted(in: scenario)
      if fire.device != decisionTime.device {
        return !counts.isUnknown(delivery, to: request, notices)
          && decisionTime.moment.wall - delivery.wall < policy.minimumInterval
      }
      // The two instants may be in either order, so at least one of the two spans is zero.
      let apart = max(
        decisionTime.moment.elapsed(since: fire.moment), fire.moment.elapsed(since: decisionTime.moment))
      return journal.admission(of: fire, in: scenario) >= installed && apart < policy.minimumInterval
    }
  }
}

extension SpentCaps.DecisionTime {
  init(_ ending: RunAccounts.Ending) {
    self.init(device: ending.device, instant: ending.instant, moment: ending.moment)
    if let due = ending.due?.moment, due.wall > moment.wall { moment = due }
  }
}

extension ExplanationJournal {
  /// Returns when a notification was admitted, or its latest possible instant if the journal has no
  /// admission.
  fileprivate func admission(of fire: RunAccounts.Fire, in scenario: Scenario) -> Instant {
    admitted[Admission(device: fire.device, request: fire.request)] ?? fire.counted(in: scenario).settled
  }
}
