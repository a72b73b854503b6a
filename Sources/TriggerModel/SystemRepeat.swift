/// The pattern of a request that the system repeats until the request is removed. A single pending request
/// represents all occurrences.
///
/// A pattern has neither a first date nor an end. The system shows the notification at every occurrence.
public struct SystemRepeat: Hashable, Sendable, BitwiseCopyable {
  /// The unit of the repetition.
  public enum Unit: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
    /// Repeats at a minute of the local day, and on the day and in the month of the pattern if the unit has
    /// them.
    case daily, weekly, monthly, yearly
    /// Repeats at a fixed interval after each occurrence, independent of the calendar.
    case span
  }

  /// The shortest span that systems repeat, as limited by `UNTimeIntervalNotificationTrigger` and
  /// `AlarmManager`.
  public static let shortestSpan = TimeSpan.minutes(1)
  /// The longest span, about three years.
  public static let longestSpan = TimeSpan.days(1_000)

  /// The unit. It determines which of the properties below apply. All others are 0.
  public let unit: Unit
  /// The month of a yearly pattern, 1…12, or 0 for other patterns.
  public let month: UInt8
  /// The day of the week of a weekly pattern (1 is Monday), or the day of the month of a monthly or yearly
  /// pattern, or 0 for other patterns.
  public let day: UInt8
  /// The minute of the local day, 0…1,439, or 0 for a span.
  public let minute: UInt16
  /// The length of the span in seconds, or 0 for other patterns.
  public let seconds: UInt32

  /// Creates a pattern. Values that are out of range are clamped.
  public init(_ unit: Unit, month: Int = 0, day: Int = 0, minute: Int = 0, seconds: Int = 0) {
    func part(_ value: Int, _ range: ClosedRange<Int>, in units: Unit...) -> Int {
      units.contains(unit) ? min(max(value, range.lowerBound), range.upperBound) : 0
    }
    let spans = Int(Self.shortestSpan.milliseconds / 1_000)...Int(Self.longestSpan.milliseconds / 1_000)
    self.unit = unit
    self.month = UInt8(part(month, 1...12, in: .yearly))
    self.day = UInt8(part(day, 1...7, in: .weekly) + part(day, 1...31, in: .monthly, .yearly))
    self.minute = UInt16(part(minute, 0...1_439, in: .daily, .weekly, .monthly, .yearly))
    self.seconds = UInt32(part(seconds, spans, in: .span))
  }

  /// The time between two occurrences, or `nil` for a calendar pattern.
  public var span: TimeSpan? { unit == .span ? TimeSpan(milliseconds: Int64(seconds) * 1_000) : nil }
}
