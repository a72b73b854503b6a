import CivilTime
import ReminderMatching
package import ScenarioModel
package import Simulation
package import TriggerModel

/// What was delivered, held against the caps by counting the deliveries of a run anew: nothing of the
/// scheduler's own accounts is in it.
///
/// Days and weeks are those that the phone's wall showed at delivery. More than a cap allows can be right:
/// counters that lag behind or are each device's own, a reinstall, or a journey, as a reservation keeps the day that
/// it was made for.
package struct CapAudit: Sendable {
  /// A delivery beyond a cap.
  package struct Beyond: Hashable, Sendable {
    package var fire: RunAccounts.Fire
    /// The first of ``rows`` that it is beyond, and its limit.
    package var cap: Reason
    package var limit: Int
    /// How many of those that count beside it other devices had shown, and its own had not been told of.
    package var untold: Int
  }

  /// Counted over all devices.
  package private(set) var rows: [CapCounts.Row] = []
  /// Each delivery that is beyond some cap counted over all devices, once, in the order of the deliveries.
  package private(set) var beyond: [Beyond] = []
  /// How many deliveries are beyond some cap when each device's own are counted alone.
  package private(set) var beyondOnDevices = 0
  /// The most of the standard bucket within any 24 hours of elapsed time. A day cap is one of calendar days,
  /// so it can be more than that.
  package private(set) var mostIn24Hours = 0

  package init(_ program: Program, _ accounts: RunAccounts) {
    self.init(
      program.scenario, types: program.reminders.names.types, accounts.fires, told: accounts.sync.told)
  }

  /// - Parameters:
  ///   - types: The names of the notification types.
  ///   - told: What the devices were told of each other's deliveries.
  init(_ scenario: Scenario, types: [String], _ fires: [RunAccounts.Fire], told: [SyncAccount.Told]) {
    let fires = fires.sorted { ($0.instant, $0.device, $0.request) < ($1.instant, $1.device, $1.request) }
    let deliveries = fires.map { $0.counted(in: scenario) }
    let counts = CapCounts(scenario.policy, types: types, deliveries)
    rows = counts.rows
    beyond = counts.beyond(told: told.news).map {
      Beyond(fire: fires[$0.delivery], cap: $0.cap, limit: $0.limit, untold: $0.untold)
    }
    for own in Dictionary(grouping: deliveries, by: \.device).values {
      beyondOnDevices += CapCounts(scenario.policy, types: types, own).beyond().count
    }
    mostIn24Hours = Self.most(in: .days(1), fires.filter { $0.bucket == .standard }.map(\.instant))
  }

  /// The rows whose cap was exceeded.
  package var exceeded: [CapCounts.Row] { rows.filter { $0.over > 0 } }

  /// The highest number of instants in any half-open window of a length.
  private static func most(in span: TimeSpan, _ instants: [Instant]) -> Int {
    let sorted = instants.sorted()
    var first = 0
    var most = 0
    for (last, instant) in sorted.enumerated() {
      while instant - sorted[first] >= span { first += 1 }
      most = max(most, last - first + 1)
    }
    return most
  }
}

extension [SyncAccount.Told] {
  /// When each device was told first.
  package var news: [DeliveryNews: Instant] {
    let news = map { told in
      let key = DeliveryNews(
        device: told.device, by: told.by, shown: told.shown, type: told.type, bucket: told.bucket)
      return (key, told.instant)
    }
    return Dictionary(news, uniquingKeysWith: Swift.min)
  }
}

extension RunAccounts.Fire {
  /// As caps count it.
  package func counted(in scenario: Scenario) -> CountedDelivery {
    CountedDelivery(
      type: type, bucket: bucket, day: scenario.zones[moment.zone].local(at: moment.wall).date,
      device: device, wall: delivered, settled: instant - (moment.wall - expected))
  }
}
