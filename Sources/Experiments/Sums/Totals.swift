package import TriggerModel

/// What happened to people under one policy, added up.
package struct Totals: Hashable, Sendable {
  package private(set) var byType: [PersonOutcome.TypeCounts]
  package private(set) var byHour = [PersonOutcome.HourCounts](repeating: .init(), count: 24)
  private var denied = [Int64](repeating: 0, count: Reason.allCases.count)
  private var nearness = [Int64](repeating: 0, count: Reason.allCases.count * PersonOutcome.Nearness.count)
  package private(set) var requested: Int64 = 0
  package private(set) var shown: Int64 = 0
  package private(set) var tapped: Int64 = 0
  package private(set) var optedOut: Int64 = 0
  package private(set) var personDays: Int64 = 0

  package init(types: Int) {
    byType = Array(repeating: .init(), count: types)
  }

  package mutating func add(_ outcome: borrowing PersonOutcome) {
    for index in byType.indices {
      byType[index].requested &+= outcome.byType[index].requested
      byType[index].shown &+= outcome.byType[index].shown
      byType[index].tapped &+= outcome.byType[index].tapped
    }
    for hour in 0..<24 {
      byHour[hour].shown &+= outcome.byHour[hour].shown
      byHour[hour].tapped &+= outcome.byHour[hour].tapped
    }
    for index in denied.indices { denied[index] &+= outcome.denied[index] }
    for index in nearness.indices { nearness[index] &+= outcome.nearness[index] }
    requested &+= outcome.requested
    shown &+= outcome.shown
    tapped &+= outcome.tapped
    optedOut &+= outcome.optedOut
    personDays &+= outcome.personDays
  }

  package static func += (total: inout Self, part: Self) {
    for index in total.byType.indices {
      total.byType[index].requested &+= part.byType[index].requested
      total.byType[index].shown &+= part.byType[index].shown
      total.byType[index].tapped &+= part.byType[index].tapped
    }
    for hour in 0..<24 {
      total.byHour[hour].shown &+= part.byHour[hour].shown
      total.byHour[hour].tapped &+= part.byHour[hour].tapped
    }
    for index in total.denied.indices { total.denied[index] &+= part.denied[index] }
    for index in total.nearness.indices { total.nearness[index] &+= part.nearness[index] }
    total.requested &+= part.requested
    total.shown &+= part.shown
    total.tapped &+= part.tapped
    total.optedOut &+= part.optedOut
    total.personDays &+= part.personDays
  }

  /// Requests of which this was the first failing check.
  package func denied(_ reason: Reason) -> Int64 { denied[Int(reason.rawValue)] }

  /// Of these, by how much later they would have passed, see ``PersonOutcome/Nearness``.
  package func nearness(_ reason: Reason) -> ArraySlice<Int64> {
    let first = Int(reason.rawValue) * PersonOutcome.Nearness.count
    return nearness[first..<first + PersonOutcome.Nearness.count]
  }

  /// The reasons that denied anything, the most frequent first.
  package var reasons: [Reason] {
    Reason.allCases.filter { denied($0) > 0 }.sorted {
      (denied($1), $0.rawValue) < (denied($0), $1.rawValue)
    }
  }
}
