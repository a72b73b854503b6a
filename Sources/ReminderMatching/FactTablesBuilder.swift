package import TriggerModel

/// Collects the fact conditions of all declarations.
package struct FactTablesBuilder {
  private var series: [FactSeries] = []
  private var numbers: [CompiledFactCondition.Quantity: Int] = [:]
  private var ordered: [[FactTerm]] = []
  private var equal: [[FactTerm]] = []
  private var ofFacts: [[UInt32]]
  private var firstPlace: [UInt32] = [0]
  private var places: [FactPlace] = []
  private let dayEnds: [FactValue?]

  package init(_ plans: [Plan], dayEnds: [FactValue?]) {
    self.dayEnds = dayEnds
    ofFacts = Array(repeating: [], count: dayEnds.count)
    for (declaration, plan) in plans.enumerated() {
      for (place, condition) in plan.factsInRows.enumerated() {
        append(condition, place: place, of: UInt32(declaration))
      }
      firstPlace.append(UInt32(places.count))
    }
  }

  private mutating func append(_ condition: CompiledFactCondition, place: Int, of declaration: UInt32) {
    let number = number(of: condition.quantity)
    places.append(FactPlace(condition, series: number))
    for constant in condition.constants {
      let term = FactTerm(condition, constant, place: place, of: declaration)
      if condition.isEquality {
        equal[number].append(term)
      } else {
        ordered[number].append(term)
      }
    }
  }

  private mutating func number(of quantity: CompiledFactCondition.Quantity) -> Int {
    if let number = numbers[quantity] { return number }
    let number = series.count
    numbers[quantity] = number
    let facts = Set(quantity.facts)
    series.append(FactSeries(quantity, dayEnds))
    ordered.append([])
    equal.append([])
    for fact in facts.sorted() { ofFacts[fact.index].append(UInt32(number)) }
    return number
  }

  /// In memory of their own that the caller frees.
  ///
  /// - Parameter bits: of each declaration, in the rows of failing fact conditions.
  package func tables(bits: [[UInt32]]) -> (FactTables, [FailingFacts]) {
    var series = series
    var terms: [FactTerm] = []
    func append(_ list: [FactTerm]) -> TermList {
      let start = UInt32(terms.count)
      terms += list.sorted { ($0.constant, $0.declaration) < ($1.constant, $1.declaration) }
      return TermList(range: Range32(start: start, end: UInt32(terms.count)), room: UInt32(list.count))
    }
    for number in series.indices {
      series[number].ordered = append(ordered[number])
      series[number].equal = append(equal[number])
    }
    var severalBits: [UInt32] = []
    let failing =
      series.isEmpty ? [] : bits.map { FailingFacts(bits: $0, severalBits: &severalBits) }
    let tables = FactTables(
      series: PlainTable(series), terms: PlainTable(terms), places: PlainTable(places),
      firstPlace: PlainTable(series.isEmpty ? [] : firstPlace),
      firstSeries: PlainTable(Self.starts(of: ofFacts)),
      seriesOfFacts: PlainTable(ofFacts.flatMap { $0 }),
      timed: PlainTable(series.indices.filter { series[$0].isTimed }.map(UInt32.init)),
      severalBits: PlainTable(severalBits))
    return (tables, failing)
  }

  /// Where each list begins when they stand one after another; one more at the end.
  private static func starts(of lists: [[UInt32]]) -> [UInt32] {
    lists.reduce(into: [0]) { starts, list in
      let start = starts[starts.count - 1]
      starts.append(start + UInt32(list.count))
    }
  }
}

extension FactSeries {
  /// Of a quantity that nothing is compared with yet.
  package init(_ quantity: CompiledFactCondition.Quantity, _ dayEnds: [FactValue?]) {
    self.quantity = quantity
    followsDate = quantity.followsDate || quantity.facts.contains { dayEnds[$0.index] != nil }
    isTimed = followsDate || quantity.grows
    ordered = TermList(range: Range32(start: 0, end: 0), room: 0)
    equal = ordered
  }
}
