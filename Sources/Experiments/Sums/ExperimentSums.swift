/// All that is kept of any number of people under the arms of an experiment: whole numbers, which add up in any
/// order and any grouping to the same.
package struct ExperimentSums: WholeNumbers, Hashable, Sendable {
  package private(set) var people: Int64 = 0
  /// By arm, the base first; of each by metric.
  package private(set) var ratios: [[RatioSums]]
  /// By variant, the first of which is arm 1; of each by metric.
  package private(set) var pairs: [[PairSums]]
  package private(set) var totals: [Totals]
  package private(set) var changes: [ChangeSums]
  /// Of the person who is being added, by arm and metric: to be used again and again.
  private var counts: [(numerator: Int64, denominator: Int64)]

  package init(arms: Int, metrics: Int, types: Int) {
    ratios = Array(repeating: Array(repeating: RatioSums(), count: metrics), count: arms)
    pairs = Array(repeating: Array(repeating: PairSums(), count: metrics), count: arms - 1)
    totals = Array(repeating: Totals(types: types), count: arms)
    changes = Array(repeating: ChangeSums(types: types), count: arms - 1)
    counts = Array(repeating: (0, 0), count: metrics)
  }

  /// Adds what became of one person under each arm.
  package mutating func add(_ person: UInt64, _ outcomes: [PersonOutcome], _ metrics: [PeopleMetric]) {
    people &+= 1
    for metric in metrics.indices { counts[metric] = metrics[metric].counts(outcomes[0]) }
    for arm in outcomes.indices {
      totals[arm].add(outcomes[arm])
      for metric in metrics.indices {
        let own = arm == 0 ? counts[metric] : metrics[metric].counts(outcomes[arm])
        ratios[arm][metric].add(own)
        if arm > 0 { pairs[arm - 1][metric].add(counts[metric], own) }
      }
      if arm > 0 { changes[arm - 1].add(person, base: outcomes[0], variant: outcomes[arm]) }
    }
  }

  package static func += (total: inout Self, part: Self) {
    total.addNumbers(of: part)
    for variant in total.changes.indices { total.changes[variant].people += part.changes[variant].people }
  }

  /// By variant: the people to look at.
  var named: [NamedPeople] {
    get { changes.map(\.people) }
    set { for variant in changes.indices { changes[variant].people = newValue[variant] } }
  }

  /// Who is named is no number.
  package mutating func forEachNumber(_ body: (inout Int64) -> Void) {
    body(&people)
    for arm in ratios.indices {
      for metric in ratios[arm].indices { ratios[arm][metric].forEachNumber(body) }
      totals[arm].forEachNumber(body)
    }
    for variant in pairs.indices {
      for metric in pairs[variant].indices { pairs[variant][metric].forEachNumber(body) }
      changes[variant].forEachNumber(body)
    }
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
