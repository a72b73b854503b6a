import ReminderMatching
import TriggerModel

/// What was said of many reminders at a time, counted without looking at each: 64 counters take a few steps.
struct AlikeCounts: Sendable {
  /// Why requests were denied, and all that stood in their way.
  private struct Denials: Sendable {
    let reason: Reason
    let blockers: ReasonSet
    var counts: BitCounts
  }

  private let program: ReminderProgram
  private var missed: BitCounts
  /// By kind of condition, in the order of ``TriggerModel/ConditionKinds/allNames``.
  private var failed: [BitCounts]
  private var denials: [Denials] = []
  private var due: BitCounts

  init(_ program: ReminderProgram) {
    self.program = program
    missed = BitCounts(words: program.wordCount)
    failed = Array(repeating: missed, count: ConditionKinds.allNames.count)
    due = missed
  }

  func reminder(_ word: UInt32, _ bit: Int) -> ReminderID { program.reminder(word, bit) }

  mutating func take(_ counted: CountedReminders, due bits: UInt64) {
    let word = Int(counted.word)
    switch counted.fate {
    case .missed(let kinds):
      missed.add(counted.bits, word)
      for (kind, bits) in [kinds.timeWindow, kinds.weekdays, kinds.region, kinds.charging].enumerated() {
        failed[kind].add(bits, word)
      }
    case .denied(let reason, let blockers):
      due.add(bits, word)
      let known = denials.firstIndex { $0.blockers == blockers && $0.reason == reason }
      if known == nil {
        denials.append(
          Denials(reason: reason, blockers: blockers, counts: BitCounts(words: program.wordCount)))
      }
      denials[known ?? denials.count - 1].counts.add(counted.bits, word)
    }
  }

  /// Adds all of it to the accounts of the reminders.
  func add(to accounts: inout [ReminderAccount]) {
    missed.forEach { word, bit, count in
      let index = program.reminder(word, bit).index
      accounts[index].matches += count
      accounts[index].noRequest[.conditionFailed] += count
    }
    for kind in failed.indices {
      failed[kind].forEach { accounts[program.reminder($0, $1).index].failedKinds[kind] += $2 }
    }
    due.forEach { accounts[program.reminder($0, $1).index].dueRequests += $2 }
    for denials in denials {
      denials.counts.forEach { word, bit, count in
        let index = program.reminder(word, bit).index
        accounts[index].matches += count
        accounts[index].requests += count
        accounts[index].denied[denials.reason] += count
        for blocker in Reason.allCases where denials.blockers.contains(blocker) {
          accounts[index].blockedBy[blocker] += count
        }
      }
    }
  }
}

/// How often each bit of some words was set: binary numbers that stand upright, so that a word is added to 64 of
/// them at once, mostly in two steps.
struct BitCounts: Sendable {
  /// By word: the lowest digits of its 64 numbers, the next ones, and so on.
  private var digits: [UInt64]
  private let wordCount: Int

  /// More than any run has events: a count goes to 4 thousand million.
  private static let length = 32

  init(words: Int) {
    wordCount = words
    digits = []
  }

  mutating func add(_ bits: UInt64, _ word: Int) {
    if bits == 0 { return }
    if digits.isEmpty { digits = Array(repeating: 0, count: wordCount * Self.length) }
    var carry = bits
    var digit = word * Self.length
    while carry != 0 {
      let sum = digits[digit] ^ carry
      carry &= digits[digit]
      digits[digit] = sum
      digit += 1
    }
  }

  /// Calls the body for every bit that was ever set.
  func forEach(_ body: (_ word: UInt32, _ bit: Int, _ count: Int) -> Void) {
    if digits.isEmpty { return }
    for word in 0..<wordCount {
      let own = digits[word * Self.length..<(word + 1) * Self.length]
      let ever = own.reduce(0, |)
      for bit in 0..<64 where ever >> UInt64(bit) & 1 == 1 {
        let count = own.reversed().reduce(0) { $0 << 1 | Int($1 >> UInt64(bit) & 1) }
        body(UInt32(word), bit, count)
      }
    }
  }
}
