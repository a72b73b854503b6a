/// The pattern by which the system repeats a request until it is taken back: one pending request stands for all
/// of its occurrences.
///
/// It has no first date and no end: the system shows it whenever the pattern comes round.
public struct SystemRepeat: Hashable, Sendable, BitwiseCopyable {
  /// How often the pattern comes round.
  public enum Unit: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
    /// At one minute of the local day, on the day and in the month that the pattern names.
    case daily, weekly, monthly, yearly
    /// The same time after each occurrence, whatever the calendar says.
    case span
  }

  /// The system repeats nothing faster: `UNTimeIntervalNotificationTrigger`, and `AlarmManager` alike.
  public static let shortestSpan = TimeSpan.minutes(1)
  /// About three years.
  public static let longestSpan = TimeSpan.days(1_000)

  /// Which of the parts below it has; the others are 0.
  public let unit: Unit
  /// Yearly: 1…12; otherwise 0.
  public let month: UInt8
  /// Weekly: 1 for Monday … 7; monthly and yearly: 1…31; otherwise 0.
  public let day: UInt8
  /// Of the local day, 0…1,439; 0 where it is a span.
  public let minute: UInt16
  /// Of the span; 0 otherwise.
  public let seconds: UInt32

  /// What lies outside the range of a part is brought into it.
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

  /// The time between two occurrences; nil where the calendar says.
  public var span: TimeSpan? { unit == .span ? TimeSpan(milliseconds: Int64(seconds) * 1_000) : nil }
}
