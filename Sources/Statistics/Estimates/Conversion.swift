package import TriggerModel

/// Whether a person who was reminded of a goal reached it: what a gate and a locked surface mean alike.
///
/// Everybody counts once, and is watched for the same span, from the first reminder on: whoever reached the goal
/// within it has converted. Whom the run does not watch for so long counts apart, whatever they did: to count the
/// quick ones, and to wait for the others, would make every run look well. What was reached when nobody had
/// reminded them counts for nothing.
package struct Conversion: Hashable, Sendable {
  private var firstReminder: Instant?
  private var reached: Instant?

  package init() {}

  /// A notification was exposed that reminds of the goal.
  package mutating func reminded(at instant: Instant) {
    if reached == nil, firstReminder == nil { firstReminder = instant }
  }

  /// The goal was reached; later times count for nothing.
  package mutating func reached(at instant: Instant) {
    if reached == nil { reached = instant }
  }

  /// One person or none, of one or none.
  package func count(within span: TimeSpan, by end: Instant) -> Estimate.Count {
    guard let firstReminder else { return Estimate.Count(0, of: 0) }
    guard firstReminder + span < end else { return Estimate.Count(0, of: 0, unknown: 1) }
    let hasConverted = reached.map { $0 - firstReminder <= span } ?? false
    return Estimate.Count(hasConverted ? 1 : 0, of: 1)
  }
}
