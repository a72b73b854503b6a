public import TriggerModel

/// Lengths of time after the instant that a fact holds, or before it: 8 hours after the last dose; a day and an hour
/// before an appointment.
///
/// They are lengths as a clock measures them, whatever zone or summer time says. When the fact takes another value,
/// everything is planned anew from that one; while it has none, there are no occurrences. The n-th shows the n-th text.
public struct RelativeSpans: Hashable, Sendable {
  /// A fact that holds an instant.
  public var fact: String
  /// After it, before it where negative; ascending, one or more, each one of ``lengths`` but for the sign.
  public var spans: [TimeSpan]

  /// From a minute to 3,650 days, as for days.
  public static let lengths = TimeSpan.minutes(1)...TimeSpan.days(3_650)

  /// - Precondition: The spans are as ``spans`` asks.
  public init(_ spans: [TimeSpan], from fact: String) {
    precondition(!spans.isEmpty && zip(spans, spans.dropFirst()).allSatisfy(<), "relative spans ascend")
    precondition(
      spans.allSatisfy { Self.lengths ~= $0.magnitude }, "relative spans are 1 minute to 3,650 days")
    self.fact = fact
    self.spans = spans
  }

  /// The first occurrence at or after an instant; nil when there is none.
  package func next(atOrAfter instant: Instant, from start: Instant) -> Instant? {
    spans.lazy.map { start + $0 }.first { $0 >= instant }
  }

  /// Which of the spans an occurrence belongs to; nil when it is none.
  package func position(of occurrence: Instant, from start: Instant) -> Int? {
    spans.firstIndex { start + $0 == occurrence }
  }
}
