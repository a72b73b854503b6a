import CivilTime
package import NotificationGateway
package import TriggerModel

/// Deliveries held against the caps of a day and of a week, by counting them.
package struct CapCounts: Sendable {
  package struct Row: Hashable, Sendable {
    package var cap: Reason
    /// Of several types the highest; nil when nothing is capped.
    package var limit: Int?
    /// The most that one day, or week, had: in all, or of one type.
    package var most: Int
    /// How many deliveries were beyond the cap.
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
    /// Its position.
    package var delivery: Int
    /// The first of the rows that it is beyond, and its limit.
    package var cap: Reason
    package var limit: Int
    /// How many of those that count beside it other devices had shown, and its own had not been told of.
    package var untold: Int
  }

  /// What counts together: one cap, on one day or in one week, in all or of one type.
  private struct Group {
    var cap: Reason
    var limit: Int?
    /// Positions among the deliveries, in their order.
    var members: [Int]
  }

  private let policy: CapPolicy
  private let deliveries: [CountedDelivery]
  private var groups: [Group] = []
  private static let caps: [Reason] = [.dailyCap, .typeDailyCap, .typeWeeklyCap, .criticalDailyCap]

  /// - Parameters:
  ///   - types: The names of the notification types.
  ///   - deliveries: In the order in which they were made.
  package init(_ policy: CapPolicy, types: [String], _ deliveries: [CountedDelivery]) {
    self.policy = policy
    self.deliveries = deliveries
    for cap in Self.caps {
      var members: [CapGroup: [Int]] = [:]
      for (index, delivery) in deliveries.enumerated() {
        if let group = CapGroup(delivery, under: cap, policy) { members[group, default: []].append(index) }
      }
      // A cap that nothing counts for has its limit all the same.
      if members.isEmpty { groups.append(Group(cap: cap, limit: policy.limit(cap, of: nil), members: [])) }
      for (group, members) in members.sorted(by: { $0.value[0] < $1.value[0] }) {
        let limit = policy.limit(cap, of: group.type.map { types[$0.index] })
        groups.append(Group(cap: cap, limit: limit, members: members))
      }
    }
  }

  /// A row for each cap.
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

  /// Each delivery that is beyond some cap, once, in their order.
  ///
  /// - Parameter told: When devices were told of each other's.
  package func beyond(told: [DeliveryNews: Instant] = [:]) -> [Beyond] {
    var beyond: [Int: Beyond] = [:]
    for cap in Self.caps {
      for group in groups where group.cap == cap {
        guard let limit = group.limit else { continue }
        for (place, member) in group.members.enumerated().dropFirst(limit) where beyond[member] == nil {
          let untold = group.members[..<place].count {
            isUntold(of: deliveries[$0], deliveries[member], told)
          }
          beyond[member] = Beyond(delivery: member, cap: cap, limit: limit, untold: untold)
        }
      }
    }
    return beyond.values.sorted { $0.delivery < $1.delivery }
  }

  /// The positions of those that a cap counts beside one more, as far as that one's device was told of them.
  ///
  /// - Parameter told: When devices were told of each other's.
  package func beside(
    _ delivery: CountedDelivery, under cap: Reason, told: [DeliveryNews: Instant]
  ) -> [Int] {
    guard let group = CapGroup(delivery, under: cap, policy) else { return [] }
    return deliveries.indices.filter {
      CapGroup(deliveries[$0], under: cap, policy) == group && !isUntold(of: deliveries[$0], delivery, told)
    }
  }

  /// Whether the device of a delivery did not know of an earlier one in time.
  package func isUntold(
    of earlier: CountedDelivery, _ delivery: CountedDelivery, _ told: [DeliveryNews: Instant]
  ) -> Bool {
    if earlier.device == delivery.device { return false }
    return told[DeliveryNews(of: earlier, to: delivery.device)].map { $0 > delivery.settled } ?? true
  }
}

extension CapPolicy {
  /// How many a cap of a day or a week allows: of a type, or in all; nil: any number.
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
