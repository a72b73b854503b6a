package import TriggerModel

/// Whether a person who was reminded of a goal reached it: what a gate and a locked surface mean alike.
///
/// A person counts once. What was reached when nobody had reminded them counts for nothing, and neither does,
/// so far, who could still do it in time after the end of the run.
package struct Conversion: Hashable, Sendable {
  private var lastReminder: Instant?
  private var reached: Instant?

  package init() {}

  /// A notification came up that reminds of the goal.
  package mutating func reminded(at instant: Instant) {
    if reached == nil { lastReminder = instant }
  }

  /// The goal was reached; later times count for nothing.
  package mutating func reached(at instant: Instant) {
    if reached == nil { reached = instant }
  }

  /// Whether a reminder came up before the goal was reached.
  package var wasReminded: Bool { lastReminder != nil }

  /// One person or none, of one or none: within the span after the latest reminder.
  package func count(within span: TimeSpan, by end: Instant) -> Estimate.Count {
    guard let lastReminder else { return Estimate.Count(0, of: 0) }
    if let reached { return Estimate.Count(reached - lastReminder <= span ? 1 : 0, of: 1) }
    return Estimate.Count(0, of: lastReminder + span < end ? 1 : 0)
  }
}
