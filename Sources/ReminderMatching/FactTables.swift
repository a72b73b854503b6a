package import TriggerModel

/// A quantity that fact conditions use, and the constants to compare it with, in ascending order.
///
/// A change of the quantity affects only the conditions whose constants are between the old and the new
/// value.
package struct FactSeries: Sendable, BitwiseCopyable {
  package var quantity: CompiledFactCondition.Quantity
  /// Whether the quantity can change without an event: it grows with time, or depends on the date.
  package var isTimed: Bool
  /// Whether the quantity can change when the local date changes.
  package var followsDate: Bool
  /// The comparisons by order, as positions in ``FactTables/terms``, in ascending order of constants.
  package var ordered: TermList
  /// The comparisons by equality, in the same form. A condition with several constants has several terms.
  package var equal: TermList
}

/// A contiguous range of terms.
package struct TermList: Sendable, BitwiseCopyable {
  package var range: Range32
  /// The capacity of the list. If it is exceeded, the list must move.
  package var room: UInt32

  package var indices: Range<Int> { range.indices }
}

/// A range stored as two 32-bit numbers.
package struct Range32: Sendable, BitwiseCopyable {
  package var start: UInt32
  package var end: UInt32

  package var indices: Range<Int> { Int(start)..<Int(end) }
}

/// One constant of one fact condition of a declaration, in 16 bytes.
package struct FactTerm: Sendable, BitwiseCopyable {
  package var constant: Int64
  package var declaration: UInt32
  /// The index among the fact conditions of its declaration, less than ``maximumCount``.
  package var place: UInt8
  package var comparison: FactCondition.Comparison
  /// The outcome if the condition fails.
  package var fails: FactOutcome
  package var ifUnknown: FactOutcome

  /// The maximum number of fact conditions of a declaration that can have terms. Further conditions are
  /// evaluated at each event.
  package static let maximumCount = 16

  package init(_ condition: CompiledFactCondition, _ constant: FactValue, place: Int, of declaration: UInt32)
  {
    self.constant = constant.bits
    self.declaration = declaration
    self.place = UInt8(place)
    comparison = condition.comparison
    fails = FactOutcome(condition.reason)
    ifUnknown = FactOutcome(condition.reasonIfUnknown)
  }
}

/// The outcome of fact conditions: success, or the reason to report.
package enum FactOutcome: UInt8, Sendable, BitwiseCopyable {
  case holds, conditionFailed, staleData, lowConfidence, notEntitled

  /// The number of reasons. For each reason, there is a row of failing entries.
  package static let rows = 4

  /// The row of the reason. It is undefined for ``holds``.
  @inline(__always)
  package var row: Int { Int(rawValue) - 1 }

  package init(_ reason: Reason) {
    self =
      switch reason {
      case .staleData: .staleData
      case .lowConfidence: .lowConfidence
      case .notEntitled: .notEntitled
      default: .conditionFailed
      }
  }
}

/// The fact conditions of a program, grouped by quantity. They belong to a ``ReminderProgram``.
package struct FactTables: Sendable {
  package var series: PlainTable<FactSeries>
  package var terms: PlainTable<FactTerm>
  /// The series and the outcomes of each fact condition, declaration after declaration. ``firstPlace`` has
  /// the start of each declaration. It is empty if no declaration has fact conditions.
  package var places: PlainTable<FactPlace>
  package var firstPlace: PlainTable<UInt32>
  /// The start of each fact's series in ``seriesOfFacts``. The series of fact `f` are at
  /// `firstSeries[f]..<firstSeries[f + 1]`.
  package var firstSeries: PlainTable<UInt32>
  package var seriesOfFacts: PlainTable<UInt32>
  /// The series that can change without an event.
  package var timed: PlainTable<UInt32>
  /// The lists for ``FailingFacts/hasSeveralBits``. Each consists of the number of bits, followed by the
  /// bits.
  package var severalBits: PlainTable<UInt32>

  package var isEmpty: Bool { series.count == 0 }

  /// Returns whether a declaration has fact conditions. Call this only if at least one declaration has some.
  @inline(__always)
  package func hasTerms(_ declaration: UInt32) -> Bool {
    firstPlace[Int(declaration)] < firstPlace[Int(declaration) + 1]
  }

  package func deallocate() {
    series.deallocate()
    terms.deallocate()
    places.deallocate()
    firstPlace.deallocate()
    firstSeries.deallocate()
    seriesOfFacts.deallocate()
    timed.deallocate()
    severalBits.deallocate()
  }

  package var bytes: Int {
    series.bytes + terms.bytes + places.bytes + firstPlace.bytes + firstSeries.bytes + seriesOfFacts.bytes
      + timed.bytes + severalBits.bytes
  }
}

extension FactTables {
  package init(copying other: FactTables) {
    self.init(
      series: PlainTable(copying: other.series), terms: PlainTable(copying: other.terms),
      places: PlainTable(copying: other.places), firstPlace: PlainTable(copying: other.firstPlace),
      firstSeries: PlainTable(copying: other.firstSeries),
      seriesOfFacts: PlainTable(copying: other.seriesOfFacts), timed: PlainTable(copying: other.timed),
      severalBits: PlainTable(copying: other.severalBits))
  }
}

/// One fact condition of a declaration.
package struct FactPlace: Sendable, BitwiseCopyable {
  package var series: UInt32
  /// The outcome if the condition fails.
  package var fails: FactOutcome
  package var ifUnknown: FactOutcome

  /// Creates the place of a condition on the quantity of a series.
  package init(_ condition: CompiledFactCondition, series: Int) {
    self.series = UInt32(series)
    fails = FactOutcome(condition.reason)
    ifUnknown = FactOutcome(condition.reasonIfUnknown)
  }
}

/// The failing fact conditions of one declaration, in eight bytes.
package struct FailingFacts: Sendable, BitwiseCopyable {
  /// Bit *p* is set if the condition at position *p* fails.
  package var places: UInt16 = 0
  /// The reason of the first failing condition.
  package var outcome = FactOutcome.holds
  /// Whether the declaration has several triggers. If so, ``bit`` is a position in
  /// ``FactTables/severalBits``.
  package var hasSeveralBits = false
  /// The bit of the declaration's entry in the rows of failing fact conditions.
  package var bit: UInt32 = 0
}

extension FailingFacts {
  /// - Parameter severalBits: The array to which the bits are appended unless there is exactly one.
  init(bits: [UInt32], severalBits: inout [UInt32]) {
    self.init()
    if bits.count == 1 {
      bit = bits[0]
      return
    }
    hasSeveralBits = true
    bit = UInt32(severalBits.count)
    severalBits.append(UInt32(bits.count))
    severalBits += bits
  }
}

/// The position of a quantity among the constants of its series.
package struct SeriesState: Sendable, BitwiseCopyable {
  package var ordered = Range32(start: 0, end: 0)
  package var equal = Range32(start: 0, end: 0)
  package var isMeasured = false
  package var isKnown = false
  /// The last measured value. It is valid only if ``isKnown`` is set.
  package var measured = Measured.bits(0)
  /// The earliest instant at which the position may change without an event.
  package var next = Instant.distantPast
}

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

  /// Creates the tables, which the caller must deallocate.
  ///
  /// - Parameter bits: For each declaration, its bits in the rows of failing fact conditions.
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

  /// Returns the start of each list in their concatenation, followed by the end.
  private static func starts(of lists: [[UInt32]]) -> [UInt32] {
    lists.reduce(into: [0]) { starts, list in
      let start = starts[starts.count - 1]
      starts.append(start + UInt32(list.count))
    }
  }
}

extension FactSeries {
  /// Creates the series of a quantity without terms.
  package init(_ quantity: CompiledFactCondition.Quantity, _ dayEnds: [FactValue?]) {
    self.quantity = quantity
    followsDate = quantity.followsDate || quantity.facts.contains { dayEnds[$0.index] != nil }
    isTimed = followsDate || quantity.grows
    ordered = TermList(range: Range32(start: 0, end: 0), room: 0)
    equal = ordered
  }
}
