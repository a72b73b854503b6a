package import CivilTime
package import NotificationGateway
package import TriggerModel

/// Counts deliveries under the caps of a day and of a week.
package struct CapCounts: Sendable {
  package struct Row: Hashable, Sendable {
    package var cap: Reason
    /// The limit, the highest one if types differ, or `nil` if nothing is capped.
    package var limit: Int?
    /// The maximum in one day or week, in total or of one type.
    package var most: Int
    /// The number of deliveries beyond the cap.
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
    /// The first of the rows whose cap it exceeds, and the limit.
    package var cap: Reason
    package var limit: Int
    /// The number of earlier deliveries in its group that other devices showed and its own device did not
    /// know of.
    package var untold: Int
  }

  /// The deliveries that a cap counts together: on one day or in one week, in total or of one type.
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
  ///   - deliveries: The deliveries, in order.
  package init(_ policy: CapPolicy, types: [String], _ deliveries: [CountedDelivery]) {
    self.policy = policy
    self.deliveries = deliveries
    for cap in Self.caps {
      var members: [CapGroup: [Int]] = [:]
      for (index, delivery) in deliveries.enumerated() {
        if let group = CapGroup(delivery, under: cap, policy) { members[group, default: []].append(index) }
      }
      // A cap without deliveries still has a limit.
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

  /// Returns the deliveries beyond a cap, each once, in order.
  ///
  /// - Parameter notices: When devices learned of each other's deliveries.
  package func beyond(notices: [DeliveryNotice: Instant] = [:]) -> [Beyond] {
    var beyond: [Int: Beyond] = [:]
    for cap in Self.caps {
      for group in groups where group.cap == cap {
        guard let limit = group.limit else { continue }
        for (place, member) in group.members.enumerated().dropFirst(limit) where beyond[member] == nil {
          let untold = group.members[..<place].count {
            isUnknown(deliveries[$0], to: deliveries[member], notices)
          }
          beyond[member] = Beyond(delivery: member, cap: cap, limit: limit, untold: untold)
        }
      }
    }
    return beyond.values.sorted { $0.delivery < $1.delivery }
  }

  /// Returns the indices of the deliveries that a cap counts together with another one, as far as its device
  /// knew of them.
  ///
  /// - Parameter notices: When devices learned of each other's deliveries.
  package func countedTogether(
    with delivery: CountedDelivery, under cap: Reason, notices: [DeliveryNotice: Instant]
  ) -> [Int] {
    guard let group = CapGroup(delivery, under: cap, policy) else { return [] }
    return deliveries.indices.filter {
      CapGroup(deliveries[$0], under: cap, policy) == group
        && !isUnknown(deliveries[$0], to: delivery, notices)
    }
  }

  /// Whether the device of a delivery did not yet know of an earlier one.
  package func isUnknown(
    _ earlier: CountedDelivery, to delivery: CountedDelivery, _ notices: [DeliveryNotice: Instant]
  ) -> Bool {
    if earlier.device == delivery.device { return false }
    return notices[DeliveryNotice(of: earlier, to: delivery.device)].map { $0 > delivery.settled } ?? true
  }
}

extension CapPolicy {
  /// Returns the limit of a day or week cap, of a type or in total, or `nil` if it is unlimited.
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

/// The deliveries that a cap counts together.
///
/// Opening or reinstalling the app also resets counts, which depends on the device and is not part of the
/// group.
package struct CapGroup: Hashable, Sendable {
  /// The type, or `nil` for all types.
  package var type: TypeID?
  /// The local day or the first day of the week, or `nil` for a cap without a period.
  package var day: CivilDate?

  /// Returns `nil` if the cap does not count the delivery, or does not count deliveries.
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

/// A delivery as caps count it.
package struct CountedDelivery: Hashable, Sendable {
  package var type: TypeID
  package var bucket: Bucket
  /// The local day on the device.
  package var day: CivilDate
  /// The index of the person's device that showed it.
  package var device: UInt8
  /// The wall-clock instant on the device.
  package var wall: Instant
  /// The simulation time from which on nothing could cancel it. The system may deliver later.
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

/// Identifies the notice of a delivery from one device to another.
package struct DeliveryNotice: Hashable, Sendable {
  /// The device that received the notice, and the device that showed the notification.
  package var device: UInt8
  package var by: UInt8
  /// The wall-clock instant on the device that showed it.
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
