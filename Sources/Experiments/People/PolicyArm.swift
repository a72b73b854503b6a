/// A policy over a population, as one worker plays it: each worker has a copy of its own.
///
/// Person `k` meets the same luck under every arm of an experiment, so that arms differ in nothing but their
/// policies.
package protocol PolicyArm: Sendable {
  /// Plays a person from the first day to the last.
  ///
  /// The outcome is the same whoever was played before, in this copy or in another.
  ///
  /// - Parameter outcome: forgets what it held, and keeps its memory. Its decisions are sorted by their key.
  mutating func run(_ person: UInt64, into outcome: inout PersonOutcome)
}
