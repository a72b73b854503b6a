import TriggerModel

/// One quantity that fact conditions ask about, and the constants that it is compared with, in order: a change
/// of the quantity touches the conditions whose constants it passes, and no others.
struct FactSeries: Sendable, BitwiseCopyable {
  var quantity: CompiledFactCondition.Quantity
  /// It can change without anybody saying so: it grows with time, or ends with the day.
  var isTimed: Bool
  /// It can change when the local date does.
  var followsDate: Bool
  /// Comparisons by order: into ``FactTables/terms``, by ascending constant.
  var ordered: TermList
  /// Comparisons by equality, likewise; a condition with several constants is there several times.
  var equal: TermList
}

/// Terms that stand side by side.
struct TermList: Sendable, BitwiseCopyable {
  var range: Range32
  /// So many may come to stand there before the list must move.
  var room: UInt32

  var indices: Range<Int> { range.indices }
}

/// A range in four and four bytes.
struct Range32: Sendable, BitwiseCopyable {
  var start: UInt32
  var end: UInt32

  var indices: Range<Int> { Int(start)..<Int(end) }
}

/// One fact condition of one declaration, and a constant of it, in 16 bytes.
struct FactTerm: Sendable, BitwiseCopyable {
  var constant: Int64
  var declaration: UInt32
  /// Its place among the fact conditions of its declaration, below ``most``; and whether it has further constants.
  private var place: UInt8
  var comparison: FactCondition.Comparison
  /// When it does not hold, and when the quantity is not known.
  var fails: FactOutcome
  var isUnknown: FactOutcome

  /// So many fact conditions of a declaration have terms; what is beyond is worked out at each look.
  static let most = 16

  private static let several: UInt8 = 0x80

  init(_ condition: CompiledFactCondition, _ constant: FactValue, place: Int, of declaration: UInt32) {
    self.constant = constant.bits
    self.declaration = declaration
    self.place = UInt8(place) | (condition.constants.count > 1 ? Self.several : 0)
    comparison = condition.comparison
    fails = FactOutcome(condition.reason)
    isUnknown = FactOutcome(condition.reasonIfUnknown)
  }

  @inline(__always)
  var position: Int { Int(place & ~Self.several) }

  @inline(__always)
  var hasSeveralConstants: Bool { place & Self.several != 0 }
}

/// Whether fact conditions hold, and the reason to report if they do not.
enum FactOutcome: UInt8, Sendable, BitwiseCopyable {
  case holds, conditionFailed, staleData, lowConfidence, notEntitled

  /// Each reason has a row of failing entries.
  static let rows = 4

  /// The row of the reason; not for ``holds``.
  @inline(__always)
  var row: Int { Int(rawValue) - 1 }

  init(_ reason: Reason) {
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
struct FactTables: Sendable {
  var series: PlainTable<FactSeries>
  var terms: PlainTable<FactTerm>
  /// By declaration and place: the condition's series, and what to report. Where those of a declaration begin
  /// says ``firstPlace``, which is empty while no declaration has any.
  var places: PlainTable<FactPlace>
  var firstPlace: PlainTable<UInt32>
  /// The series that are about each fact: `firstSeries[f]..<[f + 1]` in ``seriesOfFacts``.
  var firstSeries: PlainTable<UInt32>
  var seriesOfFacts: PlainTable<UInt32>
  /// The series that change without anybody saying so.
  var timed: PlainTable<UInt32>
  /// See ``FailingFacts/hasSeveralBits``: how many, and each.
  var severalBits: PlainTable<UInt32>

  init(
    series: PlainTable<FactSeries>, terms: PlainTable<FactTerm>, places: PlainTable<FactPlace>,
    firstPlace: PlainTable<UInt32>, firstSeries: PlainTable<UInt32>, seriesOfFacts: PlainTable<UInt32>,
    timed: PlainTable<UInt32>, severalBits: PlainTable<UInt32>
  ) {
    self.series = series
    self.terms = terms
    self.places = places
    self.firstPlace = firstPlace
    self.firstSeries = firstSeries
    self.seriesOfFacts = seriesOfFacts
    self.timed = timed
    self.severalBits = severalBits
  }

  init(copying other: FactTables) {
    self.init(
      series: PlainTable(copying: other.series), terms: PlainTable(copying: other.terms),
      places: PlainTable(copying: other.places), firstPlace: PlainTable(copying: other.firstPlace),
      firstSeries: PlainTable(copying: other.firstSeries),
      seriesOfFacts: PlainTable(copying: other.seriesOfFacts), timed: PlainTable(copying: other.timed),
      severalBits: PlainTable(copying: other.severalBits))
  }

  var isEmpty: Bool { series.count == 0 }

  /// Whether a declaration has fact conditions; not where none has any.
  @inline(__always)
  func hasTerms(_ declaration: UInt32) -> Bool {
    firstPlace[Int(declaration)] < firstPlace[Int(declaration) + 1]
  }

  func deallocate() {
    series.deallocate()
    terms.deallocate()
    places.deallocate()
    firstPlace.deallocate()
    firstSeries.deallocate()
    seriesOfFacts.deallocate()
    timed.deallocate()
    severalBits.deallocate()
  }

  var bytes: Int {
    series.bytes + terms.bytes + places.bytes + firstPlace.bytes + firstSeries.bytes + seriesOfFacts.bytes
      + timed.bytes + severalBits.bytes
  }
}

/// One fact condition of a declaration.
struct FactPlace: Sendable, BitwiseCopyable {
  var series: UInt32
  /// When it does not hold, and when the quantity is not known.
  var fails: FactOutcome
  var isUnknown: FactOutcome
}
