package import CivilTime
package import NotificationGateway
package import TriggerModel

/// Counts deliveries under day and week caps.
package struct CapCounts: Sendable {
  package struct Row: Hashable, Sendable {
    package var cap: Reason
    /// The limit, or the highest limit if the limits of types differ. `nil` if deliveries are unlimited.
    package var limit: Int?
    /// The maximum number of deliveries in one day or week, in total or of one type.
    package var most: Int
    /// The number of deliveries beyond the limit.
    package var over: Int

    package init(cap: Reason, limit: Int?, most: Int, over: Int) {
      self.cap = cap
      self.limit = limit
      self.most = most
      self.over = over
    }
  }

  /// A delivery beyond a cap.
  package struct Beyond: Hashable, Sendable {
    /// The index of the delivery.
    package var delivery: Int
    /// The cap of the first row that the delivery exceeds, and its limit.
    package var cap: Reason
    package var limit: Int
    /// The number of earlier deliveries in the group that other devices showed and that were unknown to this
    /// device.
    package var untold: Int
  }

  /// The deliveries that are counted against one limit: on one day or in one week, in total or of one type.
  private struct Group {
    var cap: Reason
    var limit: Int?
    /// The indices of the deliveries, in order.
    var members: [Int]
  }

  private let policy: CapPolicy
  private let deliveries: [CountedDelivery]
  private var groups: [Group] = []
  private static let caps: [Reason] = [.dailyCap, .typeDailyCap, .typeWeeklyCap, .criticalDailyCap]

  /// - Parameters:
  ///   - types: The names of the notification types.
  ///   - deliveries: The deliveries in chronological order.
  package init(_ policy: CapPolicy, types: [String], _ deliveries: [CountedDelivery]) {
    self.policy = policy
    self.deliveries = deliveries
    for cap in Self.caps {
      var members: [CapGroup: [Int]] = [:]
      for (index, delivery) in deliveries.enumerated() {
        if let group = CapGroup(delivery, under: cap, policy) { members[group, default: []].append(index) }
      }
      // A cap without deliveries still has a row for its limit.
      if members.isEmpty { groups.append(Group(cap: cap, limit: policy.limit(cap, of: nil), members: [])) }
      for (group, members) in members.sorted(by: { $0.value[0] < $1.value[0] }) {
        let limit = policy.limit(cap, of: group.type.map { types[$0.index] })
        groups.append(Group(cap: cap, limit: limit, members: members))
      }
    }
  }

  /// One row for each cap.
  package var rows: [Row] {
    Self.caps.map { cap in
      groups.filter { $0.cap == cap }.reduce(into: Row(cap: cap, limit: nil, most: 0, over: 0)) {
        row, group in
        row.most = max(row.most, group.members.count)
        guard let limit = group.limit else { return }
        row.limit = max(row.limit ?? limit, limit)
        row.over += max(0, group.members.count - limit)
      }
    }
  }

  /// Returns the deliveries beyond a cap, each once, in chronological order.
  ///
  /// - Parameter notices: When each device was notified of deliveries on other devices.
  package func beyond(notices: [DeliveryNotice: Instant] = [:]) -> [Beyond] {
    var beyond: [Int: Beyond] = [:]
    for group in groups {
      guard let limit = group.limit else { continue }
      for (place, member) in group.members.enumerated().dropFirst(limit) where beyond[member] == nil {
        let untold = group.members[..<place].count {
          isUnknown(deliveries[$0], to: deliveries[member], notices)
        }
        beyond[member] = Beyond(delivery: member, cap: group.cap, limit: limit, untold: untold)
      }
    }
    return beyond.values.sorted { $0.delivery < $1.delivery }
  }

  /// Returns the indices of the deliveries that a cap counts with the given one. Deliveries that were unknown
  /// to its device are excluded.
  ///
  /// - Parameter notices: When each device was notified of deliveries on other devices.
  package func countedTogether(
    with delivery: CountedDelivery, under cap: Reason, notices: [DeliveryNotice: Instant]
  ) -> [Int] {
    guard let group = CapGroup(delivery, under: cap, policy) else { return [] }
    return deliveries.indices.filter {
      CapGroup(deliveries[$0], under: cap, policy) == group
        && !isUnknown(deliveries[$0], to: delivery, notices)
    }
  }

  /// Whether the device of a delivery did not yet know of an earlier delivery.
  package func isUnknown(
    _ earlier: CountedDelivery, to delivery: CountedDelivery, _ notices: [DeliveryNotice: Instant]
  ) -> Bool {
    if earlier.device == delivery.device { return false }
    return notices[DeliveryNotice(of: earlier, to: delivery.device)].map { $0 > delivery.settled } ?? true
  }
}

extension CapPolicy {
  /// Returns the limit of a day or week cap for a type or in total, or `nil` if there is none.
  fileprivate func limit(_ cap: Reason, of type: String?) -> Int? {
    switch cap {
    case .dailyCap: dailyCap
    case .criticalDailyCap: criticalDailyCap
    case .typeDailyCap: type.flatMap { typeDailyCaps[$0] ?? typeDailyCap }
    case .typeWeeklyCap: type.flatMap { typeWeeklyCaps[$0] }
    default: nil
    }
  }
}

/// The group of deliveries that a cap counts together.
///
/// Opening or reinstalling the app also resets counts. This differs between devices and is not part of the
/// group.
package struct CapGroup: Hashable, Sendable {
  /// The type, or `nil` for all types.
  package var type: TypeID?
  /// The local day or the first day of the week, or `nil` for a cap without a period.
  package var day: CivilDate?

  /// Creates the group of a delivery, or returns `nil` if the cap does not count this delivery or does not
  /// count deliveries at all.
  package init?(_ delivery: CountedDelivery, under cap: Reason, _ policy: CapPolicy) {
    let (type, day) = (delivery.type, delivery.day)
    switch (cap, delivery.bucket) {
    case (.dailyCap, .standard), (.userDailyCap, .standard), (.criticalDailyCap, .critical):
      self.day = day
    case (.typeDailyCap, .standard): (self.type, self.day) = (type, day)
    case (.typeWeeklyCap, .standard):
      (self.type, self.day) = (type, day + -day.weekday.days(since: policy.weekStart))
    case (.lifetimeCap, _), (.lapseCap, _): self.type = type
    default: return nil
    }
  }
}

/// The properties of a delivery that caps use.
package struct CountedDelivery: Hashable, Sendable {
  package var type: TypeID
  package var bucket: Bucket
  /// The local day on the device at delivery.
  package var day: CivilDate
  /// The index of the device that showed the notification.
  package var device: UInt8
  /// The wall-clock instant of the delivery on the device.
  package var wall: Instant
  /// The simulation time from which the notification could no longer be cancelled. The system may deliver it
  /// later.
  package var settled: Instant

  package init(
    type: TypeID, bucket: Bucket, day: CivilDate, device: UInt8, wall: Instant, settled: Instant
  ) {
    self.type = type
    self.bucket = bucket
    self.day = day
    self.device = device
    self.wall = wall
    self.settled = settled
  }
}

/// Identifies the notice of a delivery that one device sends to another.
package struct DeliveryNotice: Hashable, Sendable {
  /// The device that was notified, and the device that showed the notification.
  package var device: UInt8
  package var by: UInt8
  /// The wall-clock instant on the device that showed the notification.
  package var shown: Instant
  package var type: TypeID
  package var bucket: Bucket
}

extension DeliveryNotice {
  init(of delivery: CountedDelivery, to device: UInt8) {
    self.init(
      device: device, by: delivery.device, shown: delivery.wall, type: delivery.type, bucket: delivery.bucket)
  }
}
