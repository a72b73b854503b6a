package import TriggerModel

/// One quantity that fact conditions ask about, and the constants that it is compared with, in order: a change
/// of the quantity touches the conditions whose constants it passes, and no others.
package struct FactSeries: Sendable, BitwiseCopyable {
  package var quantity: CompiledFactCondition.Quantity
  /// It can change without anybody saying so: it grows with time, or ends with the day.
  package var isTimed: Bool
  /// It can change when the local date does.
  package var followsDate: Bool
  /// Comparisons by order: into ``FactTables/terms``, by ascending constant.
  package var ordered: TermList
  /// Comparisons by equality, likewise; a condition with several constants is there several times.
  package var equal: TermList
}

/// Terms that stand side by side.
package struct TermList: Sendable, BitwiseCopyable {
  package var range: Range32
  /// So many may come to stand there before the list must move.
  package var room: UInt32

  package var indices: Range<Int> { range.indices }
}

/// A range in four and four bytes.
package struct Range32: Sendable, BitwiseCopyable {
  package var start: UInt32
  package var end: UInt32

  package init(start: UInt32, end: UInt32) {
    self.start = start
    self.end = end
  }

  package var indices: Range<Int> { Int(start)..<Int(end) }
}

/// One fact condition of one declaration, and a constant of it, in 16 bytes.
package struct FactTerm: Sendable, BitwiseCopyable {
  package var constant: Int64
  package var declaration: UInt32
  /// Its place among the fact conditions of its declaration, below ``most``.
  package var place: UInt8
  package var comparison: FactCondition.Comparison
  /// When it does not hold, and when the quantity is not known.
  package var fails: FactOutcome
  package var ifUnknown: FactOutcome

  /// So many fact conditions of a declaration have terms; what is beyond is worked out at each look.
  package static let most = 16

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

/// Whether fact conditions hold, and the reason to report if they do not.
package enum FactOutcome: UInt8, Sendable, BitwiseCopyable {
  case holds, conditionFailed, staleData, lowConfidence, notEntitled

  /// Each reason has a row of failing entries.
  package static let rows = 4

  /// The row of the reason; not for ``holds``.
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

/// The fact conditions of a program, laid out by the quantities that they are about. They belong to a
/// ``ReminderProgram``.
package struct FactTables: Sendable {
  package var series: PlainTable<FactSeries>
  package var terms: PlainTable<FactTerm>
  /// By declaration and place: the condition's series, and what to report. Where those of a declaration begin
  /// says ``firstPlace``, which is empty while no declaration has any.
  package var places: PlainTable<FactPlace>
  package var firstPlace: PlainTable<UInt32>
  /// The series that are about each fact: `firstSeries[f]..<[f + 1]` in ``seriesOfFacts``.
  package var firstSeries: PlainTable<UInt32>
  package var seriesOfFacts: PlainTable<UInt32>
  /// The series that change without anybody saying so.
  package var timed: PlainTable<UInt32>
  /// See ``FailingFacts/hasSeveralBits``: how many, and each.
  package var severalBits: PlainTable<UInt32>

  package var isEmpty: Bool { series.count == 0 }

  /// Whether a declaration has fact conditions; not where none has any.
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
  /// When it does not hold, and when the quantity is not known.
  package var fails: FactOutcome
  package var ifUnknown: FactOutcome

  /// Of a condition on the quantity of a series.
  package init(_ condition: CompiledFactCondition, series: Int) {
    self.series = UInt32(series)
    fails = FactOutcome(condition.reason)
    ifUnknown = FactOutcome(condition.reasonIfUnknown)
  }
}
