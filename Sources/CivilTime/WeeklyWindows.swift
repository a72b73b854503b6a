public import TriggerModel

/// The windows of each day of the week, such as 22:00-07:00 on weekdays and 22:00-10:00 at the weekend.
///
/// A window that crosses midnight belongs to the day on which it ends. Saturday's window from 22:00 to 10:00
/// therefore starts on Friday at 22:00. A window that ends at 00:00 does not cross midnight and belongs to the
/// day on which it starts.
///
/// The windows may overlap. As for a ``DailyWindow``, each lasts from the first occurrence of its start to the
/// last occurrence of its end, and the end of a gap replaces a time that the gap skips.
public struct WeeklyWindows: Hashable, Sendable {
  /// The windows by weekday, from Monday.
  private let days: [[DailyWindow]]
  /// The only window, if it is the same on every day. `nil` for all other windows.
  public let everyDay: DailyWindow?
  /// The windows as ranges of the week that neither overlap nor touch, in order. Empty if there is an
  /// ``everyDay`` window.
  private let spans: [Span]

  /// A range of the week. The last one of a week may end in the next week.
  private struct Span: Hashable, Sendable, BitwiseCopyable {
    /// The minute at which the range starts, 0…10,079. Minute 0 is Monday 00:00.
    var from: Int64
    /// The length in minutes, 1…10,080.
    var length: Int64
  }

  /// Creates the same window for every day.
  public init(_ window: DailyWindow) {
    self.init { _ in [window] }
  }

  /// Creates windows from those of each weekday.
  public init(_ windows: (Weekday) -> [DailyWindow]) {
    let days = Weekday.allCases.map(windows)
    let isOne = days[0].count == 1 && days.allSatisfy { $0 == days[0] }
    self.days = days
    everyDay = isOne ? days[0][0] : nil
    spans = isOne ? [] : Self.spans(days)
  }

  /// The windows that belong to a day of the week.
  public subscript(weekday: Weekday) -> [DailyWindow] { days[Int(weekday.rawValue)] }

  /// Whether the windows contain no instant.
  public var isEmpty: Bool { everyDay?.isEmpty ?? spans.isEmpty }

  /// Whether the windows contain every instant.
  public var isAlways: Bool { spans.first?.length == minutesPerWeek }

  private static func spans(_ days: [[DailyWindow]]) -> [Span] {
    var isInside = [Bool](repeating: false, count: Int(minutesPerWeek))
    for (day, windows) in days.enumerated() {
      for window in windows {
        let crossesMidnight = window.to != 0 && window.to < window.from
        let from = (crossesMidnight ? day - 1 : day) * 1_440 + window.from
        for minute in from..<from + window.length {
          isInside[minute.floorRemainder(by: isInside.count)] = true
        }
      }
    }
    guard let outside = isInside.firstIndex(of: false) else { return [Span(from: 0, length: minutesPerWeek)] }
    // Starting outside of all windows keeps a window across the end of the week in one piece.
    var spans: [Span] = []
    for minute in outside..<outside + isInside.count where isInside[minute % isInside.count] {
      if let last = spans.last, Int(last.from + last.length) == minute {
        spans[spans.count - 1].length += 1
      } else {
        spans.append(Span(from: Int64(minute), length: 1))
      }
    }
    for index in spans.indices { spans[index].from %= minutesPerWeek }
    return spans.sorted { $0.from < $1.from }
  }

  // MARK: Instants

  /// Returns whether a window contains the instant of these hands.
  public func contains(_ hands: WindowHands) -> Bool {
    if let everyDay { return everyDay.contains(hands) }
    return openSpan(hands) != nil
  }

  /// Returns the end of the windows that contain an instant, or `nil` if none does. Windows that overlap or
  /// touch end together.
  ///
  /// - Complexity: O(n) in the number of windows
  public func end(containing instant: Instant, in zone: Zone) -> Instant? {
    if let everyDay { return everyDay.interval(containing: instant, in: zone)?.upperBound }
    var end: Instant?
    // In a fold or after a gap, another window may contain the end of the first one.
    for _ in 0...spans.count {
      guard let last = openSpan(zone.hands(at: end ?? instant)) else { break }
      end = zone.instant(ofLocalMinute: last, .last)
    }
    return end
  }

  /// Returns the local minute at which the latest range that has started ends, if it contains the instant.
  private func openSpan(_ hands: WindowHands) -> Int64? {
    guard let last = spans.last else { return nil }
    // Only the latest range that has started matters, because earlier ones end earlier.
    let minute = Self.minuteOfWeek(hands.start)
    let span = spans.last { $0.from <= minute }
    let start = hands.start - minute + (span?.from ?? last.from - minutesPerWeek)
    let end = start + (span ?? last).length
    return hands.end < end ? end : nil
  }

  private static func minuteOfWeek(_ minute: Int64) -> Int64 {
    // 1970-01-01 was a Thursday.
    (minute + 3 * minutesPerDay).floorRemainder(by: minutesPerWeek)
  }

  /// Returns whether a window contains a minute of a day without a gap or a fold, and the minute at which this
  /// changes, counted from the start of the day. Minutes from 1,440 on belong to later days.
  public func state(on weekday: Weekday, at minuteOfDay: Int) -> (isInside: Bool, until: Int) {
    let midnight = Int64(weekday.rawValue) * minutesPerDay
    let minute = midnight + Int64(minuteOfDay)
    guard let first = spans.first, let last = spans.last else { return (false, 1_440) }
    let span = spans.last { $0.from <= minute } ?? Span(from: last.from - minutesPerWeek, length: last.length)
    if minute < span.from + span.length { return (true, Int(span.from + span.length - midnight)) }
    let next = spans.first { $0.from > minute }?.from ?? first.from + minutesPerWeek
    return (false, Int(next - midnight))
  }
}

/// The number of minutes in seven calendar days. Their actual duration may differ.
private let minutesPerWeek = 7 * minutesPerDay
