package import CivilTime
package import NotificationGateway
package import TriggerModel

/// Counts deliveries under caps by day, week, month and rolling sequences of days.
package struct CapCounts: Sendable {
  package struct Row: Hashable, Sendable {
    package var cap: Reason
    /// The limit, or the highest limit if the limits of types differ. `nil` if deliveries are unlimited.
    package var limit: Int?
    /// The maximum number of deliveries in one period of the cap, in total or of one type.
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

  /// The deliveries that are counted against one limit: in one period, in total or of one type. A delivery
  /// belongs to several sequences of days of a rolling cap.
  private struct Group {
    var cap: Reason
    var limit: Int?
    /// The indices of the deliveries, in order.
    var members: [Int]
  }

  private let policy: CapPolicy
  private let deliveries: [CountedDelivery]
  private var groups: [Group] = []
  private let types: [String]
  private let caps: [Reason]

  /// - Parameters:
  ///   - types: The names of the notification types.
  ///   - deliveries: The deliveries in chronological order.
  package init(_ policy: CapPolicy, types: [String], _ deliveries: [CountedDelivery]) {
    self.policy = policy
    self.deliveries = deliveries
    self.types = types
    caps = [.dailyCap, .typeDailyCap, .typeWeeklyCap, .criticalDailyCap] + policy.longerCaps
    for cap in caps {
      var members: [CapGroup: [Int]] = [:]
      for (index, delivery) in deliveries.enumerated() {
        if let group = CapGroup(delivery, under: cap, policy) { members[group, default: []].append(index) }
      }
      // A cap without deliveries still has a row for its limit.
      if members.isEmpty {
        groups.append(Group(cap: cap, limit: policy.limit(cap, of: nil)?.count, members: []))
      }
      for (group, members) in members.sorted(by: { $0.value[0] < $1.value[0] }) {
        let limit = policy.limit(cap, of: group.type.map { types[$0.index] })
        for members in cap.isRolling ? sequences(of: members, limit) : [members] {
          groups.append(Group(cap: cap, limit: limit?.count, members: members))
        }
      }
    }
  }

  /// Returns the deliveries in each sequence of days that ends on the day of a delivery. All other sequences
  /// contain no more.
  private func sequences(of members: [Int], _ limit: CapLimit?) -> [[Int]] {
    guard let limit else { return [] }
    return Set(members.map { deliveries[$0].day }).sorted().map { last in
      members.filter { (0..<limit.days).contains(last - deliveries[$0].day) }
    }
  }

  /// One row for each cap.
  package var rows: [Row] {
    caps.map { cap in
      var row = Row(cap: cap, limit: nil, most: 0, over: 0)
      var over: Set<Int> = []
      for group in groups where group.cap == cap {
        row.most = max(row.most, group.members.count)
        guard let limit = group.limit else { continue }
        row.limit = max(row.limit ?? limit, limit)
        over.formUnion(group.members.dropFirst(limit))
      }
      row.over = over.count
      return row
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
    let together = deliveries.indices.filter {
      CapGroup(deliveries[$0], under: cap, policy) == group
        && !isUnknown(deliveries[$0], to: delivery, notices)
    }
    guard cap.isRolling else { return together }
    let days = policy.limit(cap, of: types[delivery.type.index])?.days ?? 1
    // The fullest sequence of days, the earliest of several.
    return (0..<days).map { offset in
      together.filter { (0..<days).contains(delivery.day + offset - deliveries[$0].day) }
    }.reduce([]) { $1.count > $0.count ? $1 : $0 }
  }

  /// Whether the device of a delivery did not yet know of an earlier delivery.
  package func isUnknown(
    _ earlier: CountedDelivery, to delivery: CountedDelivery, _ notices: [DeliveryNotice: Instant]
  ) -> Bool {
    if earlier.device == delivery.device { return false }
    return notices[DeliveryNotice(of: earlier, to: delivery.device)].map { $0 > delivery.settled } ?? true
  }
}

extension Reason {
  /// Whether this is a cap on sequences of days, which overlap.
  fileprivate var isRolling: Bool { self == .rollingCap || self == .typeRollingCap }
}

extension CapPolicy {
  /// The caps that are counted only if the policy has them.
  fileprivate var longerCaps: [Reason] {
    let ofTypes = [TypeCap.monthly, .rolling].filter { !self[$0].isEmpty }.map(\.reason)
    return ofTypes + TypeCap.ofBuckets.filter { self[ofBucket: $0] != nil }.compactMap { $0.ofBucket?.reason }
  }

  /// Returns the limit of a cap for a type or in total, or `nil` if there is none.
  fileprivate func limit(_ cap: Reason, of type: String?) -> CapLimit? {
    switch cap {
    case .dailyCap: dailyCap.map { CapLimit($0) }
    case .criticalDailyCap: criticalDailyCap.map { CapLimit($0) }
    case .typeDailyCap: type.flatMap { (typeDailyCaps[$0] ?? typeDailyCap).map { CapLimit($0) } }
    case .typeWeeklyCap: type.flatMap { self[.weekly][$0] }
    case .typeMonthlyCap: type.flatMap { self[.monthly][$0] }
    case .typeRollingCap: type.flatMap { self[.rolling][$0] }
    case .weeklyCap: self[ofBucket: .weekly]
    case .monthlyCap: self[ofBucket: .monthly]
    case .rollingCap: self[ofBucket: .rolling]
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
  /// The local day or the first day of the week or month. `nil` for a cap without a period or with a rolling one.
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
    case (.weeklyCap, .standard): self.day = day + -day.weekday.days(since: policy.weekStart)
    case (.typeMonthlyCap, .standard): (self.type, self.day) = (type, day - (day.day - 1))
    case (.monthlyCap, .standard): self.day = day - (day.day - 1)
    case (.rollingCap, .standard): break
    case (.lifetimeCap, _), (.lapseCap, _), (.typeRollingCap, .standard): self.type = type
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
