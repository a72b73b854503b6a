import CivilTime
import NotificationGateway
import ReminderMatching
import ScenarioModel
import Simulation
import Statistics
import TriggerModel

/// What the scheduler had admitted when it looked at a request, and counted or kept apart from.
struct SpentCaps {
  /// When it looked at the request, and where.
  struct Look {
    var device: UInt8
    var instant: Instant
    /// What the clocks read then, or at the delivery that was asked for ahead.
    var moment: Moment

    init(device: UInt8, instant: Instant, moment: Moment) {
      self.device = device
      self.instant = instant
      self.moment = moment
    }

    init(_ ending: RunAccounts.Ending) {
      self.init(device: ending.device, instant: ending.instant, moment: ending.moment)
      if let due = ending.due?.moment, due.wall > moment.wall { moment = due }
    }
  }

  private let scenario: Scenario
  private let look: Look
  private let request: CountedDelivery
  private let journal: ExplanationJournal
  private let told: [DeliveryNews: Instant]
  private let type: String
  /// Those that were admitted, or shown on another device, by then, in order.
  private let fires: [RunAccounts.Fire]
  private let counts: CapCounts

  init(
    _ program: Program, _ accounts: RunAccounts, _ journal: ExplanationJournal,
    request: NotificationRequest, look: Look
  ) {
    let (scenario, types) = (program.scenario, program.reminders.names.types)
    self.scenario = scenario
    self.look = look
    self.journal = journal
    type = types[request.type.index]
    told = accounts.sync.told.news
    self.request = CountedDelivery(
      type: request.type, bucket: request.bucket,
      day: scenario.zones[look.moment.zone].local(at: look.moment.wall).date, device: look.device,
      wall: look.moment.wall, settled: look.instant)
    fires = accounts.fires.filter { journal.admission(of: $0, in: scenario) <= look.instant }
      .sorted { ($0.instant, $0.device, $0.request) < ($1.instant, $1.device, $1.request) }
    counts = CapCounts(scenario.policy, types: types, fires.map { $0.counted(in: scenario) })
  }

  /// What a reason to say no counts: in order, and none of those of which nothing was known yet.
  func notifications(under reason: Reason) -> [RunAccounts.Fire] {
    if reason == .minimumInterval { return neighbours }
    let forgotten = forgotten(under: reason)
    return counts.beside(request, under: reason, told: told).map { fires[$0] }.filter {
      // Lapses are each device's own.
      if $0.device != look.device { return reason != .lapseCap }
      let admitted = journal.admission(of: $0, in: scenario)
      return admitted >= forgotten && admitted + scenario.policy.counterLag <= look.instant
    }
  }

  /// Since when the device's own count.
  private func forgotten(under cap: Reason) -> Instant {
    func last(_ instants: [UInt8: [Instant]]) -> Instant {
      instants[look.device]?.last { $0 <= look.instant } ?? .distantPast
    }
    let policy = scenario.policy
    let survives = policy.lifetimeSurvivesReinstall || policy.keptThroughReinstall.contains(type)
    let installed = cap == .lifetimeCap && survives ? .distantPast : last(journal.reinstallations)
    return cap == .lapseCap ? max(installed, last(journal.openings)) : installed
  }

  /// Those nearer than the minimum interval.
  private var neighbours: [RunAccounts.Fire] {
    let policy = scenario.policy
    let installed = forgotten(under: .minimumInterval)
    return fires.filter { fire in
      guard fire.bucket == .standard || fire.bucket == .critical && policy.minimumIntervalScope == .all else {
        return false
      }
      let delivery = fire.counted(in: scenario)
      if fire.device != look.device {
        return !counts.isUntold(of: delivery, request, told)
          && look.moment.wall - delivery.wall < policy.minimumInterval
      }
      // One of the two is none.
      let apart = max(look.moment.elapsed(since: fire.moment), fire.moment.elapsed(since: look.moment))
      return journal.admission(of: fire, in: scenario) >= installed && apart < policy.minimumInterval
    }
  }
}

extension ExplanationJournal {
  /// When a notification was admitted, or at the latest.
  fileprivate func admission(of fire: RunAccounts.Fire, in scenario: Scenario) -> Instant {
    admitted[Admission(device: fire.device, request: fire.request)] ?? fire.counted(in: scenario).settled
  }
}
