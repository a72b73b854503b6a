import CivilTime
import ReminderMatching
package import ScenarioModel
package import Simulation
package import TriggerModel

/// Checks the deliveries of a run against the caps, with counts that are independent of the scheduler.
///
/// Days and weeks are those of the phone's wall clock at delivery. For these reasons, more deliveries than a
/// cap allows can be correct:
/// - Counters of other devices arrive late, or each device has its own.
/// - The app was reinstalled.
/// - A reserved delivery keeps its original day when the phone travels to another zone.
package struct CapAudit: Sendable {
  /// A delivery beyond a cap.
  package struct Beyond: Hashable, Sendable {
    package var fire: RunAccounts.Fire
    /// The cap of the first of ``rows`` that the delivery exceeds, and its limit.
    package var cap: Reason
    package var limit: Int
    /// The number of earlier deliveries in the group that other devices showed and that were unknown to this
    /// device.
    package var untold: Int
  }

  /// The rows, counted over all devices.
  package private(set) var rows: [CapCounts.Row] = []
  /// The deliveries beyond a cap, counted over all devices, in chronological order. Each is listed only once.
  package private(set) var beyond: [Beyond] = []
  /// The number of deliveries beyond a cap if each device is counted separately.
  package private(set) var beyondOnDevices = 0
  /// The maximum number of deliveries of the standard bucket within 24 hours. It can exceed a day cap, which
  /// counts calendar days.
  package private(set) var mostIn24Hours = 0

  package init(_ program: Program, _ accounts: RunAccounts) {
    self.init(
      program.scenario, types: program.reminders.names.types, accounts.fires,
      told: accounts.sync.sharedDeliveries)
  }

  /// - Parameters:
  ///   - types: The names of the notification types.
  ///   - told: The deliveries that devices shared with each other.
  init(_ scenario: Scenario, types: [String], _ fires: [RunAccounts.Fire], told: [SyncAccount.SharedDelivery])
  {
    let fires = fires.sorted { ($0.instant, $0.device, $0.request) < ($1.instant, $1.device, $1.request) }
    let deliveries = fires.map { $0.counted(in: scenario) }
    let counts = CapCounts(scenario.policy, types: types, deliveries)
    rows = counts.rows
    beyond = counts.beyond(notices: told.firstNotices).map {
      Beyond(fire: fires[$0.delivery], cap: $0.cap, limit: $0.limit, untold: $0.untold)
    }
    for own in Dictionary(grouping: deliveries, by: \.device).values {
      beyondOnDevices += CapCounts(scenario.policy, types: types, own).beyond().count
    }
    mostIn24Hours = Self.most(in: .days(1), fires.filter { $0.bucket == .standard }.map(\.instant))
  }

  /// The rows with an exceeded cap.
  package var exceeded: [CapCounts.Row] { rows.filter { $0.over > 0 } }

  /// Returns the maximum number of instants in any half-open window of this length.
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

extension [SyncAccount.SharedDelivery] {
  /// The instant at which each device was first notified of a delivery on another device.
  package var firstNotices: [DeliveryNotice: Instant] {
    let notices = map { told in
      let key = DeliveryNotice(
        device: told.device, by: told.by, shown: told.shown, type: told.type, bucket: told.bucket)
      return (key, told.instant)
    }
    return Dictionary(notices, uniquingKeysWith: Swift.min)
  }
}

extension RunAccounts.Fire {
  /// Returns the properties of the delivery that caps use.
  package func counted(in scenario: Scenario) -> CountedDelivery {
    CountedDelivery(
      type: type, bucket: bucket, day: scenario.zones[moment.zone].local(at: moment.wall).date,
      device: device, wall: delivered, settled: instant - (moment.wall - expected))
  }
}
