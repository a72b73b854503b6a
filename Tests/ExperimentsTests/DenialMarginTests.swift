import CivilTime
import Foundation
import NotificationGateway
import ScenarioModel
import Scenarios
import SimulationKernel
import TestSupport
import Testing
import TriggerModel

@testable import Experiments

/// Tests how much later denied requests would have passed.
@Suite struct DenialMarginTests {
  private let zone: Zone

  init() throws { zone = try Zone(identifier: "Europe/Berlin") }

  private func instant(_ minutes: Int64) -> Instant {
    zone.instant(of: LocalTime(date: CivilDate(dayNumber: 20_500), millisecondOfDay: 0)) + .minutes(minutes)
  }

  private func request(_ number: Int, at delivery: Instant, _ bucket: Bucket) -> NotificationRequest {
    NotificationRequest(
      id: RequestID(reminder: ReminderID(number), occurrence: 0), type: TypeID(0), bucket: bucket,
      scheduledFor: delivery, deliverAt: delivery)
  }

  @Test func `the margin of the minimum interval is the smallest reduction that admits the request`() {
    let luck = RandomKey(seed: 3, person: 1, purpose: .habit)
    for trial: UInt64 in 0..<300 {
      var policy = CapPolicy()
      policy.minimumInterval = .minutes(Int64(30 + luck.below(240, trial * 64)))
      policy.minimumIntervalScope = trial % 2 == 0 ? .all : .standard
      var margin = DenialMargin(policy)
      margin.reset()
      var neighbours: [Instant] = []
      for number in 0..<Int(luck.below(8, trial * 64 + 1)) {
        let place = trial * 64 + 4 + UInt64(number) * 4
        let delivery = instant(Int64(luck.below(1_440, place)))
        let bucket: Bucket = [.standard, .critical, .user][Int(luck.below(3, place + 1))]
        let request = request(number, at: delivery, bucket)
        margin.admit(request, at: instant(0))
        switch luck.below(5, place + 2) {
        case 0:
          margin.refuse(request.id)
          continue
        case 1:
          margin.cancel(request.id, at: instant(300))
          if delivery > instant(300) { continue }
        default: break
        }
        if bucket == .standard || bucket == .critical && trial % 2 == 0 { neighbours.append(delivery) }
      }
      let delivery = instant(Int64(400 + luck.below(600, trial * 64 + 2)))
      var found: Int64 = 0
      func isFree(_ less: Int64) -> Bool {
        let interval = policy.minimumInterval - .minutes(less)
        return neighbours.allSatisfy { $0 >= delivery + interval || $0 + interval <= delivery }
      }
      while !isFree(found) { found += 1 }
      let seconds = margin.secondsTooEarly(.minimumInterval, delivery, in: zone)
      #expect(seconds == (found == 0 ? nil : found * 60), "trial \(trial)")
    }
  }

  @Test func `the margin of quiet hours lasts until they end, and that of a daily cap until midnight`() {
    var policy = CapPolicy()
    policy.quietHours = WeeklyWindows(DailyWindow(from: 22 * 60, to: 7 * 60))
    let margin = DenialMargin(policy)
    #expect(margin.secondsTooEarly(.quietHours, instant(23 * 60), in: zone) == 28_800)
    #expect(margin.secondsTooEarly(.quietHours, instant(6 * 60 + 59), in: zone) == 60)
    for reason in [Reason.dailyCap, .typeDailyCap, .userDailyCap, .criticalDailyCap] {
      #expect(margin.secondsTooEarly(reason, instant(23 * 60 + 30), in: zone) == 1_800)
    }
    for reason in [Reason.lapseCap, .lifetimeCap, .permission, .typeWeeklyCap] {
      #expect(margin.secondsTooEarly(reason, instant(600), in: zone) == nil)
    }
  }

  /// The minimum interval is three hours, so every margin is below the last bound. A denial with an unknown neighbour
  /// would be counted in the last bin.
  @Test func `every denial by the minimum interval has a margin, and each denial counts once`() throws {
    let path = Repository.scenarios.appendingPathComponent("populations/fitme-iphones.yaml").path
    guard case .population(var population, _) = PopulationFile.load(path) else {
      Issue.record("the population cannot be read")
      return
    }
    population.change { $0.policy.minimumInterval = .hours(3) }
    var arm = try PopulationArm(population)
    var outcome = PersonOutcome(types: population.scenario.types.count)
    var denied = 0
    for person: UInt64 in 0..<24 {
      arm.run(person, into: &outcome)
      for reason in Reason.allCases {
        let first = Int(reason.rawValue) * PersonOutcome.Nearness.count
        let bins = outcome.nearness[first..<first + PersonOutcome.Nearness.count]
        #expect(bins.reduce(0, +) == outcome.denied[Int(reason.rawValue)])
        if reason == .minimumInterval {
          #expect(bins.last == 0, "person \(person)")
          denied += Int(bins.reduce(0, +))
        }
      }
    }
    #expect(denied > 20, "\(denied)")
  }
}
