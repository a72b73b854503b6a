import TriggerModel

/// Collects the fact conditions of all declarations.
struct FactTablesBuilder {
  private var series: [FactSeries] = []
  private var numbers: [CompiledFactCondition.Quantity: Int] = [:]
  private var ordered: [[FactTerm]] = []
  private var equal: [[FactTerm]] = []
  private var ofFacts: [[UInt32]]
  private var firstPlace: [UInt32] = [0]
  private var placeCount: UInt32 = 0
  private let dayEnds: [FactValue?]

  init(_ plans: [Plan], dayEnds: [FactValue?]) {
    self.dayEnds = dayEnds
    ofFacts = Array(repeating: [], count: dayEnds.count)
    for (declaration, plan) in plans.enumerated() {
      for (place, condition) in plan.factsInRows.enumerated() {
        append(condition, place: place, of: UInt32(declaration))
      }
      placeCount += UInt32(plan.factsInRows.count)
      firstPlace.append(placeCount)
    }
  }

  private mutating func append(_ condition: CompiledFactCondition, place: Int, of declaration: UInt32) {
    let number = number(of: condition.quantity)
    for constant in condition.constants {
      let term = FactTerm(condition, constant, place: place, of: declaration)
      if condition.comparison == .equal || condition.comparison == .notEqual {
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
    let followsDate = quantity.followsDate || facts.contains { dayEnds[$0.index] != nil }
    series.append(
      FactSeries(
        quantity: quantity, isTimed: followsDate || quantity.grows, followsDate: followsDate,
        ordered: Range32(start: 0, end: 0), equal: Range32(start: 0, end: 0)))
    ordered.append([])
    equal.append([])
    for fact in facts.sorted() { ofFacts[fact.index].append(UInt32(number)) }
    return number
  }

  /// In memory of their own that the caller frees.
  ///
  /// - Parameter bits: of each declaration, in the rows of failing fact conditions.
  func tables(bits: [[UInt32]]) -> FactTables {
    var series = series
    var terms: [FactTerm] = []
    var places = Array(repeating: FactPlace(series: 0, term: 0), count: Int(placeCount))
    func append(_ list: [FactTerm], of number: Int) -> Range32 {
      let start = UInt32(terms.count)
      for term in list.sorted(by: { ($0.constant, $0.declaration) < ($1.constant, $1.declaration) }) {
        let place = Int(firstPlace[Int(term.declaration)]) + term.position
        places[place] = FactPlace(series: UInt32(number), term: UInt32(terms.count))
        terms.append(term)
      }
      return Range32(start: start, end: UInt32(terms.count))
    }
    for number in series.indices {
      series[number].ordered = append(ordered[number], of: number)
      series[number].equal = append(equal[number], of: number)
    }
    var severalBits: [UInt32] = []
    let failing =
      series.isEmpty ? [] : bits.map { FailingFacts(bits: $0, severalBits: &severalBits) }
    return FactTables(
      series: PlainTable(series), terms: PlainTable(terms), places: PlainTable(places),
      firstPlace: PlainTable(series.isEmpty ? [] : firstPlace),
      firstSeries: PlainTable(Self.starts(of: ofFacts)),
      seriesOfFacts: PlainTable(ofFacts.flatMap { $0 }),
      timed: PlainTable(series.indices.filter { series[$0].isTimed }.map(UInt32.init)),
      initialFailing: PlainTable(failing), severalBits: PlainTable(severalBits))
  }

  /// Where each list begins when they stand one after another; one more at the end.
  private static func starts(of lists: [[UInt32]]) -> [UInt32] {
    lists.reduce(into: [0]) { starts, list in
      let start = starts[starts.count - 1]
      starts.append(start + UInt32(list.count))
    }
  }
}
