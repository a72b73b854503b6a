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

  /// Looks for a policy that is known to have done the same to a person, so that the person need not be played again;
  /// and may learn from the others what does not depend on the policy.
  ///
  /// - Parameter others: Policies as they were when they had played the person.
  /// - Returns: The position of one whose outcome is what ``run(_:into:)`` would find, to the last number; nil if none is
  ///   known.
  mutating func twin(of person: UInt64, among others: ArraySlice<any PolicyArm>) -> Int?
}

extension PolicyArm {
  package mutating func twin(of person: UInt64, among others: ArraySlice<any PolicyArm>) -> Int? { nil }
}
