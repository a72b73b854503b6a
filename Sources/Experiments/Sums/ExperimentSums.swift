package import TriggerModel

/// Sums over people under the arms of an experiment. They are integers, so the totals do not depend on the
/// order or the grouping of people.
package struct ExperimentSums: IntegerSums, Hashable, Sendable {
  package private(set) var people: Int64 = 0
  /// The sums for each arm and metric. The base is the first arm.
  package private(set) var ratios: [[RatioSums]]
  /// The paired sums for each pair of arms and each metric, sorted by the first arm and then by the second.
  ///
  /// The pairs with the base come first: the index of a variant is that of its arm minus 1.
  package private(set) var pairs: [[PairSums]]
  package private(set) var totals: [Totals]
  package private(set) var changes: [ChangeSums]
  /// The counts of the current person for each arm and metric. The memory is reused.
  private var counts: [(numerator: Int64, denominator: Int64)]

  package init(arms: Int, metrics: Int, types: Int) {
    ratios = Array(repeating: Array(repeating: RatioSums(), count: metrics), count: arms)
    pairs = Array(repeating: Array(repeating: PairSums(), count: metrics), count: arms * (arms - 1) / 2)
    totals = Array(repeating: Totals(types: types), count: arms)
    changes = Array(repeating: ChangeSums(types: types), count: arms - 1)
    counts = Array(repeating: (0, 0), count: arms * metrics)
  }

  /// Adds the outcomes of one person under each arm.
  package mutating func add(_ person: UInt64, _ outcomes: [PersonOutcome], _ metrics: [PeopleMetric]) {
    people &+= 1
    for arm in outcomes.indices {
      totals[arm].add(outcomes[arm])
      for metric in metrics.indices {
        let own = metrics[metric].counts(outcomes[arm])
        counts[arm * metrics.count + metric] = own
        ratios[arm][metric].add(own)
      }
      if arm > 0 { changes[arm - 1].add(person, base: outcomes[0], variant: outcomes[arm]) }
    }
    var pair = 0
    for first in outcomes.indices {
      for second in outcomes.indices.dropFirst(first + 1) {
        for metric in metrics.indices {
          pairs[pair][metric].add(
            counts[first * metrics.count + metric], counts[second * metrics.count + metric])
        }
        pair += 1
      }
    }
  }

  /// Returns the paired sums of two arms.
  ///
  /// - Parameters:
  ///   - first: The index of an arm.
  ///   - second: The index of a later arm.
  func pair(_ first: Int, _ second: Int, _ metric: Int) -> PairSums {
    pairs[first * (2 * ratios.count - first - 1) / 2 + second - first - 1][metric]
  }

  package static func += (total: inout Self, part: Self) {
    total.addNumbers(of: part)
    for variant in total.changes.indices { total.changes[variant].people += part.changes[variant].people }
  }

  /// The notable people for each variant.
  var named: [NotablePeople] {
    get { changes.map(\.people) }
    set { for variant in changes.indices { changes[variant].people = newValue[variant] } }
  }

  /// Visits all numbers except those of ``named``.
  package mutating func forEachNumber(_ body: (inout Int64) -> Void) {
    body(&people)
    for arm in ratios.indices {
      for metric in ratios[arm].indices { ratios[arm][metric].forEachNumber(body) }
      totals[arm].forEachNumber(body)
    }
    for pair in pairs.indices {
      for metric in pairs[pair].indices { pairs[pair][metric].forEachNumber(body) }
    }
    for variant in changes.indices { changes[variant].forEachNumber(body) }
  }

  package static func == (a: Self, b: Self) -> Bool {
    a.people == b.people && a.ratios == b.ratios && a.pairs == b.pairs && a.totals == b.totals
      && a.changes == b.changes
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(people)
    hasher.combine(ratios)
    hasher.combine(pairs)
  }
}

/// The sums over people of two counts, of their squares and of their product. They determine a ratio and its
/// interval.
///
/// The sums are integers, so the total does not depend on the grouping of people. For a million people with a
/// thousand requests each, the greatest sum is about 10¹².
package struct RatioSums: IntegerSums, Hashable, Sendable, BitwiseCopyable {
  package private(set) var numerator: Int64 = 0
  package private(set) var denominator: Int64 = 0
  package private(set) var numeratorSquared: Int64 = 0
  package private(set) var product: Int64 = 0
  package private(set) var denominatorSquared: Int64 = 0
  /// The number of people with a nonzero denominator.
  package private(set) var counted: Int64 = 0
  /// The number of people with a nonzero numerator.
  package private(set) var counting: Int64 = 0

  package mutating func add(_ counts: (numerator: Int64, denominator: Int64)) {
    let (n, d) = counts
    numerator &+= n
    denominator &+= d
    numeratorSquared &+= n &* n
    product &+= n &* d
    denominatorSquared &+= d &* d
    if d != 0 { counted &+= 1 }
    if n != 0 { counting &+= 1 }
  }

  package mutating func forEachNumber(_ body: (inout Int64) -> Void) {
    body(&numerator)
    body(&denominator)
    body(&numeratorSquared)
    body(&product)
    body(&denominatorSquared)
    body(&counted)
    body(&counting)
  }

  /// The ratio, or `nil` if the denominator is 0.
  package var ratio: Double? { denominator > 0 ? Double(numerator) / Double(denominator) : nil }

  /// The exact sum of squared deviations from the ratio, multiplied by D².
  ///
  /// It is the sum over people of (n · D − d · N)², where N and D are the totals.
  var spread: Int128 {
    let (n, d) = (Int128(numerator), Int128(denominator))
    return d * d * Int128(numeratorSquared) - 2 * n * d * Int128(product)
      + n * n * Int128(denominatorSquared)
  }
}

/// The sums over people of the products of their counts under two policies.
package struct PairSums: IntegerSums, Hashable, Sendable, BitwiseCopyable {
  private var numerators: Int64 = 0
  private var numeratorByDenominator: Int64 = 0
  private var denominatorByNumerator: Int64 = 0
  private var denominators: Int64 = 0
  /// The number of people whose counts differ between the two policies.
  package private(set) var differing: Int64 = 0

  package mutating func add(
    _ a: (numerator: Int64, denominator: Int64), _ b: (numerator: Int64, denominator: Int64)
  ) {
    numerators &+= a.numerator &* b.numerator
    numeratorByDenominator &+= a.numerator &* b.denominator
    denominatorByNumerator &+= a.denominator &* b.numerator
    denominators &+= a.denominator &* b.denominator
    if a != b { differing &+= 1 }
  }

  package mutating func forEachNumber(_ body: (inout Int64) -> Void) {
    body(&numerators)
    body(&numeratorByDenominator)
    body(&denominatorByNumerator)
    body(&denominators)
    body(&differing)
  }

  /// Returns the sum over people of (nₐ · Dₐ − dₐ · Nₐ) · (nᵦ · Dᵦ − dᵦ · Nᵦ).
  func joint(_ a: RatioSums, _ b: RatioSums) -> Int128 {
    let (na, da) = (Int128(a.numerator), Int128(a.denominator))
    let (nb, db) = (Int128(b.numerator), Int128(b.denominator))
    return da * db * Int128(numerators) - da * nb * Int128(numeratorByDenominator)
      - na * db * Int128(denominatorByNumerator) + na * nb * Int128(denominators)
  }
}

/// The total counts of all people under one policy.
package struct Totals: IntegerSums, Hashable, Sendable {
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

  /// Returns the number of requests that were denied with this reason as the first failing check.
  package func denied(_ reason: Reason) -> Int64 { denied[Int(reason.rawValue)] }

  /// Returns a histogram of how much later the requests denied with this reason would have passed.
  ///
  /// See ``PersonOutcome/Nearness`` for its bins.
  package func nearness(_ reason: Reason) -> ArraySlice<Int64> {
    let first = Int(reason.rawValue) * PersonOutcome.Nearness.count
    return nearness[first..<first + PersonOutcome.Nearness.count]
  }

  /// The denial reasons in descending order of frequency.
  package var reasons: [Reason] {
    Reason.allCases.filter { denied($0) > 0 }.sorted {
      (denied($1), $0.rawValue) < (denied($0), $1.rawValue)
    }
  }
}

/// Sums that consist of a fixed number of integers, which are added and stored one by one.
package protocol IntegerSums {
  /// Visits every number, always in the same order.
  mutating func forEachNumber(_ body: (inout Int64) -> Void)
}

extension IntegerSums {
  package static func += (total: inout Self, part: Self) { total.addNumbers(of: part) }

  mutating func addNumbers(of part: Self) {
    let numbers = part.numbers
    var index = 0
    forEachNumber { number in
      number &+= numbers[index]
      index += 1
    }
  }

  package var numbers: [Int64] {
    var (copy, numbers) = (self, [Int64]())
    copy.forEachNumber { numbers.append($0) }
    return numbers
  }

  /// Replaces all numbers.
  ///
  /// - Returns: Whether the number of elements matches. On a mismatch, nothing changes.
  package mutating func replace(with numbers: [Int64]) -> Bool {
    guard self.numbers.count == numbers.count else { return false }
    var rest = numbers[...]
    forEachNumber { number in
      if let next = rest.popFirst() { number = next }
    }
    return true
  }
}
