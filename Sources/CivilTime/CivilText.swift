public import TriggerModel

/// A date, a time or an instant that is not written as ISO 8601 wants it.
public struct InvalidCivilText: Error, Hashable, Sendable, CustomStringConvertible {
  /// What a text was to be.
  public enum Expected: UInt8, Hashable, Sendable, CaseIterable {
    /// A date, a time of day, both, or both with a zone.
    case date, time, local, instant

    var form: String {
      switch self {
      case .date: "a date such as 2026-03-02"
      case .time: "a time such as 08:10"
      case .local: "a local time such as 2026-03-02T08:10"
      case .instant: "an instant such as 2026-03-02T08:10:00Z or 2026-03-02T08:10+01:00"
      }
    }
  }

  /// What was written.
  public var text: String
  /// What it was to be.
  public var expected: Expected
  /// What is wrong with it, such as "February 2026 has 28 days".
  public var problem: String

  package init(text: String, expected: Expected, problem: String) {
    self.text = text
    self.expected = expected
    self.problem = problem
  }

  public var description: String {
    "\"\(text.prefix(64))\" is not \(expected.form): \(problem)"
  }
}

extension CivilDate {
  /// Reads `2026-03-02`: four digits, two, two, and a date that exists.
  public init(iso8601 text: some StringProtocol) throws(InvalidCivilText) {
    var reader = CivilTextReader(text, expected: .date)
    self = try reader.date()
    try reader.end()
  }

  /// Such as `2026-03-02`, for the years 0…9999; others with a sign and the digits they have.
  public var iso8601: String {
    var writer = CivilTextWriter()
    writer.date(self)
    return writer.text
  }
}

extension LocalTime {
  /// Reads `2026-03-02T07:00`, with seconds and up to three decimals if you like; without a zone.
  public init(iso8601 text: some StringProtocol) throws(InvalidCivilText) {
    var reader = CivilTextReader(text, expected: .local)
    self = try reader.local()
    try reader.end()
  }

  /// Such as `2026-03-02T07:00:00`; milliseconds only when there are any.
  public var iso8601: String {
    var writer = CivilTextWriter()
    writer.local(self)
    return writer.text
  }
}

/// Minutes of the day as text.
public enum MinuteOfDay {
  /// Reads `08:10`: two digits, a colon, two digits, 00:00…23:59.
  ///
  /// - Returns: 0…1,439
  public static func parse(_ text: some StringProtocol) throws(InvalidCivilText) -> Int {
    var reader = CivilTextReader(text, expected: .time)
    let minute = try reader.minute()
    try reader.end()
    return minute
  }

  /// Such as `08:10`, for minutes 0…1,439.
  public static func text(_ minute: Int) -> String {
    var writer = CivilTextWriter()
    writer.minute(minute)
    return writer.text
  }
}

extension Instant {
  /// Reads `2026-03-02T08:10:00.250Z`: seconds may be missing, decimals are at most three, and the
  /// offset is `Z` or such as `+01:00`.
  public init(iso8601 text: some StringProtocol) throws(InvalidCivilText) {
    var reader = CivilTextReader(text, expected: .instant)
    let local = try reader.local()
    let offset = try reader.offset()
    try reader.end()
    self.init(millisecondsSince1970: local.milliseconds - offset)
  }

  /// In UTC, such as `2026-03-02T08:10:00Z`; milliseconds only when there are any. Beyond the years
  /// 0…9999 `distantPast` or `distantFuture`.
  public var iso8601: String { text(offset: nil) }

  /// As the wall in a zone shows it, with its offset, such as `2026-03-02T09:10:00+01:00`; an offset
  /// with seconds, as Monrovia had one, is written with them.
  public func iso8601(in zone: Zone) -> String {
    isInFourDigitYears ? text(offset: zone.offset(at: self).milliseconds) : iso8601
  }

  private var isInFourDigitYears: Bool {
    (-62_167_219_200_000..<253_402_300_800_000).contains(millisecondsSince1970)
  }

  private func text(offset: Int64?) -> String {
    guard isInFourDigitYears else { return millisecondsSince1970 < 0 ? "distantPast" : "distantFuture" }
    var writer = CivilTextWriter()
    writer.local(LocalTime(milliseconds: millisecondsSince1970 + (offset ?? 0)))
    writer.offset(offset)
    return writer.text
  }
}
