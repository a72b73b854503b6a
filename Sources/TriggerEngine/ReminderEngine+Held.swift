package import ReminderEngine
import ReminderMatching
package import TriggerModel

/// Decides held matches in bulk. The result is the same as if they were decided individually.
///
/// The requests of an instant are decided in a fixed order, bucket by bucket, and a denial does not affect
/// later requests. Until a request is admitted, all requests in a bucket get the same decision, except those
/// of special types. This decision is made only once. The first request that may be admitted is made
/// individually, and later requests wait for its outcome.
extension ReminderEngine {
  package mutating func decideHeld(
    by deciding: inout some DecidingHalf, at moment: Moment, into effects: inout [EngineEffect]
  ) -> Bool {
    guard deciding.canAnswerInAdvance(at: moment) else {
      requestHeld(into: &effects)
      return false
    }
    markSpecialTypes(by: &deciding, at: moment, true)
    let (common, apart) = heldByBucket()
    for bucket in Bucket.allCases where common[Int(bucket.rawValue)] | apart[Int(bucket.rawValue)] != 0 {
      let hasApart = apart[Int(bucket.rawValue)] != 0
      if decide(bucket, hasApart: hasApart, by: &deciding, at: moment, into: &effects) { break }
    }
    markSpecialTypes(by: &deciding, at: moment, false)
    clearHeld()
    finish(into: &effects)
    return isHolding
  }

  private mutating func markSpecialTypes(
    by deciding: inout some DecidingHalf, at moment: Moment, _ isSpecial: Bool
  ) {
    if held.apart.isEmpty { held.apart = Array(repeating: 0, count: program.wordCount) }
    deciding.forEachSpecialType(at: moment) { type in
      program.forEachWord(of: type) { word, bits in
        if isSpecial { held.apart[Int(word)] |= bits } else { held.apart[Int(word)] &= ~bits }
      }
    }
  }

  /// - Returns: Whether a request was made that may be admitted. If `true`, the next call decides the later
  ///   requests.
  private mutating func decide(
    _ bucket: Bucket, hasApart: Bool, by deciding: inout some DecidingHalf, at moment: Moment,
    into effects: inout [EngineEffect]
  ) -> Bool {
    var first: Candidate?
    if let type = commonType(bucket) {
      let answer = deciding.answer(bucket, type, at: moment)
      if answer.outcome == .admit {
        first = firstInOrder(bucket)
      } else if answer.outcome == .deny, let reason = answer.reason {
        denyHeld(bucket, reason, answer.blockers)
      } else {
        for index in held.matches.indices {
          end(common(bucket, index), at: index, as: answer, into: &effects)
        }
      }
    }
    var denied: [(Candidate, Decision)] = []
    for index in held.matches.indices where hasApart {
      for candidate in apart(bucket, index) {
        let type = program.plans[Int(candidate.declaration)].type
        let answer = deciding.answer(bucket, type, at: moment)
        if answer.outcome != .admit {
          denied.append((candidate, answer))
        } else if first.map({ candidate.order < $0.order }) ?? true {
          first = candidate
        }
      }
    }
    for (candidate, answer) in denied where first.map({ candidate.order < $0.order }) ?? true {
      end(candidate.bit, at: candidate.index, as: answer, into: &effects)
    }
    guard let first else { return false }
    requestHeld(first.bit, at: first.index, into: &effects)
    return true
  }

  /// Ends matches that will not be admitted. Denials are counted. Requests that will be deferred are made
  /// individually, because the scheduler must store each of them.
  private mutating func end(
    _ bits: UInt64, at index: Int, as answer: Decision, into effects: inout [EngineEffect]
  ) {
    if bits == 0 { return }
    guard answer.outcome == .deny, let reason = answer.reason else {
      requestHeld(bits, at: index, into: &effects)
      return
    }
    denyHeld(bits, at: index, reason, answer.blockers)
  }

  // MARK: Candidates

  private struct Candidate {
    var index: Int
    var bit: UInt64
    var declaration: UInt32
    var order: DecisionOrder
  }

  private func commonType(_ bucket: Bucket) -> TypeID? {
    for index in held.matches.indices {
      let bits = common(bucket, index)
      if bits != 0 { return program.plans[Int(candidate(bits, index).declaration)].type }
    }
    return nil
  }

  private func firstInOrder(_ bucket: Bucket) -> Candidate? {
    var first: Candidate?
    for index in held.matches.indices {
      var rest = common(bucket, index)
      while rest != 0 {
        let next = candidate(rest, index)
        if first.map({ next.order < $0.order }) ?? true { first = next }
        rest &= rest - 1
      }
    }
    return first
  }

  /// Returns the matches in a word that have special types.
  private func apart(_ bucket: Bucket, _ index: Int) -> [Candidate] {
    let found = held.matches[index].found
    let alike = program.alikeByBucket(found.word)[Int(bucket.rawValue)]
    var rest = found.bits & alike & held.apart[Int(found.word)]
    if rest == 0 { return [] }
    var candidates: [Candidate] = []
    while rest != 0 {
      candidates.append(candidate(rest, index))
      rest &= rest - 1
    }
    return candidates
  }

  /// Returns the candidate for the lowest bit.
  private func candidate(_ bits: UInt64, _ index: Int) -> Candidate {
    let bit = bits.trailingZeroBitCount
    let declaration = program.declaration(held.matches[index].found.word, bit)
    return Candidate(
      index: index, bit: 1 << UInt64(bit), declaration: declaration,
      order: program.order[Int(declaration)])
  }
}
