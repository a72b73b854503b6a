import CivilTime

/// The local days over which a cap counts deliveries together.
enum CapPeriod: Hashable, Sendable, BitwiseCopyable {
  /// A local day, and a calendar week that starts on a weekday.
  case day, week(from: Weekday)
  /// A calendar month.
  case month
  /// Any sequence of consecutive days. The number is at least 1.
  case days(Int)

  /// The maximum number of days.
  var longest: Int {
    switch self {
    case .day: 1
    case .week: 7
    case .month: 31
    case .days(let length): length
    }
  }

  /// Returns the spans that contain two days, or `nil` if there are none.
  func spans(containing day: CivilDate, _ other: CivilDate) -> DaySpans? {
    let (first, last) = day < other ? (day, other) : (other, day)
    let spans: DaySpans
    switch self {
    case .day: spans = DaySpans(starts: first...first, length: 1)
    case .week(let start):
      let monday = first - first.weekday.days(since: start)
      spans = DaySpans(starts: monday...monday, length: 7)
    case .month:
      let (year, month, number) = first.components
      let start = first - (number - 1)
      spans = DaySpans(starts: start...start, length: CivilDate.days(inMonth: month, of: year))
    case .days(let length):
      return last - first < length ? DaySpans(starts: last - (length - 1)...first, length: length) : nil
    }
    return last < spans.starts.lowerBound + spans.length ? spans : nil
  }

  /// Returns the spans that contain a day.
  func spans(containing day: CivilDate) -> DaySpans {
    spans(containing: day, day) ?? DaySpans(starts: day...day, length: 1)
  }
}

/// Spans of the same number of consecutive days, one for each start.
struct DaySpans: Hashable, Sendable {
  var starts: ClosedRange<CivilDate>
  /// The number of days of each span, at least 1.
  var length: Int
}
