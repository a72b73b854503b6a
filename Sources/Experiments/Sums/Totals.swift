package import TriggerModel

/// What happened to people under one policy, added up.
package struct Totals: WholeNumbers, Hashable, Sendable {
  package private(set) var byType: [PersonOutcome.TypeCounts]
  package private(set) var byHour = [PersonOutcome.HourCounts](repeating: .init(), count: 24)
  private var denied = [Int64](repeating: 0, count: Reason.allCases.count)
  private var nearness = [Int64](repeating: 0, count: Reason.allCases.count * PersonOutcome.Nearness.count)
  package private(set) var requested: Int64 = 0
  package private(set) var reached: Int64 = 0
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
    reached &+= outcome.reached
    shown &+= outcome.shown
    tapped &+= outcome.tapped
    optedOut &+= outcome.optedOut
    personDays &+= outcome.personDays
  }

  package mutating func forEachNumber(_ body: (inout Int64) -> Void) {
    for index in byType.indices {
      body(&byType[index].requested)
      body(&byType[index].shown)
      body(&byType[index].tapped)
    }
    for hour in byHour.indices {
      body(&byHour[hour].shown)
      body(&byHour[hour].tapped)
    }
    for index in denied.indices { body(&denied[index]) }
    for index in nearness.indices { body(&nearness[index]) }
    body(&requested)
    body(&reached)
    body(&shown)
    body(&tapped)
    body(&optedOut)
    body(&personDays)
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
