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

  private let deliveries: [CountedDelivery]
  private var groups: [Group] = []
  private static let caps: [Reason] = [.dailyCap, .typeDailyCap, .typeWeeklyCap, .criticalDailyCap]

  /// - Parameters:
  ///   - types: The names of the notification types.
  ///   - deliveries: In the order in which they were made.
  package init(_ policy: CapPolicy, types: [String], _ deliveries: [CountedDelivery]) {
    self.deliveries = deliveries
    let standard = deliveries.indices.filter { deliveries[$0].bucket == .standard }
    let critical = deliveries.indices.filter { deliveries[$0].bucket == .critical }
    let day = { (index: Int) in deliveries[index].day }
    add(.dailyCap, policy.dailyCap, standard, day)
    add(.criticalDailyCap, policy.criticalDailyCap, critical, day)
    let byType = Dictionary(grouping: standard, by: { deliveries[$0].type })
    for (type, members) in byType.sorted(by: { $0.key < $1.key }) {
      let name = types[type.index]
      add(.typeDailyCap, policy.typeDailyCaps[name] ?? policy.typeDailyCap, members, day)
      add(.typeWeeklyCap, policy.typeWeeklyCaps[name], members) {
        day($0) + -day($0).weekday.days(since: policy.weekStart)
      }
    }
    // A cap that nothing counts for has its limit all the same.
    if standard.isEmpty { groups.append(Group(cap: .dailyCap, limit: policy.dailyCap, members: [])) }
    if critical.isEmpty {
      groups.append(Group(cap: .criticalDailyCap, limit: policy.criticalDailyCap, members: []))
    }
  }

  private mutating func add(_ cap: Reason, _ limit: Int?, _ members: [Int], _ day: (Int) -> CivilDate) {
    for (_, members) in Dictionary(grouping: members, by: day).sorted(by: { $0.key < $1.key }) {
      groups.append(Group(cap: cap, limit: limit, members: members))
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

  /// Whether the device of a delivery did not know of an earlier one in time.
  private func isUntold(
    of earlier: CountedDelivery, _ delivery: CountedDelivery, _ told: [DeliveryNews: Instant]
  ) -> Bool {
    if earlier.device == delivery.device { return false }
    return told[DeliveryNews(of: earlier, to: delivery.device)].map { $0 > delivery.settled } ?? true
  }
}
