import ReminderMatching
import TriggerModel

/// Counts outcomes that many reminders have in common. Counting one for 64 reminders takes only a few
/// operations.
struct BulkCounts: Sendable {
  /// The denied requests with the same reason and blockers.
  private struct Denials: Sendable {
    let reason: Reason
    let blockers: ReasonSet
    var counts: BitCounts
  }

  private let program: ReminderProgram
  private var missed: BitCounts
  /// The counts for each kind of condition, in the order of ``TriggerModel/ConditionKinds/allNames``.
  private var failed: [BitCounts]
  private var denials: [Denials] = []
  /// The denied requests that were not due.
  private var notDue: BitCounts
  /// The triggers with only a number of evaluations. The reminders that missed are not recorded.
  private var looks: [(trigger: UInt32, tally: MissTally)] = []
  /// For each trigger, its index in `looks` plus one. The list is empty before the first entry.
  private var positions: [Int] = []

  init(_ program: ReminderProgram) {
    self.program = program
    missed = BitCounts(words: program.wordCount)
    failed = Array(repeating: missed, count: ConditionKinds.allNames.count)
    notDue = missed
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
      let others = counted.bits & ~bits
      if others != 0 { notDue.add(others, word) }
      // Iterate by index, because passing an element to a closure would retain it.
      var index = 0
      while index < denials.count, denials[index].blockers != blockers || denials[index].reason != reason {
        index += 1
      }
      if index == denials.count {
        denials.append(
          Denials(reason: reason, blockers: blockers, counts: BitCounts(words: program.wordCount)))
      }
      denials[index].counts.add(counted.bits, word)
    case .waiting(let trigger, let outOfPlace):
      let rows = program.lookRows(of: trigger)
      looks[position(of: trigger, rows)].tally.wait(word, counted.bits, outOfPlace: outOfPlace, rows)
    case .looked(let time):
      looks[positions[Int(time.trigger)] - 1].tally.look(
        minute: Int(time.minute), weekday: Int(time.weekday), isCharging: time.isCharging)
    }
  }

  private mutating func position(of trigger: UInt32, _ rows: MissRows) -> Int {
    if positions.isEmpty { positions = Array(repeating: 0, count: program.tables.buckets.count) }
    if positions[Int(trigger)] == 0 {
      looks.append((trigger, MissTally(rows)))
      positions[Int(trigger)] = looks.count
    }
    return positions[Int(trigger)] - 1
  }

  /// Adds all counts to the accounts of the reminders.
  func add(to accounts: inout [ReminderAccount]) {
    missed.forEach { word, bit, count in
      let index = program.reminder(word, bit).index
      accounts[index].matches += count
      accounts[index].noRequest[.conditionFailed] += count
    }
    for (trigger, tally) in looks {
      tally.forEach(program.lookRows(of: trigger)) { word, bit, misses in
        let index = program.reminder(UInt32(word), bit).index
        accounts[index].matches += misses.all
        accounts[index].noRequest[.conditionFailed] += misses.all
        for kind in misses.failed.indices { accounts[index].failedKinds[kind] += Int(misses.failed[kind]) }
      }
    }
    for kind in failed.indices {
      failed[kind].forEach { accounts[program.reminder($0, $1).index].failedKinds[kind] += $2 }
    }
    notDue.forEach { accounts[program.reminder($0, $1).index].dueRequests -= $2 }
    for denials in denials {
      denials.counts.forEach { word, bit, count in
        let index = program.reminder(word, bit).index
        accounts[index].matches += count
        accounts[index].requests += count
        accounts[index].dueRequests += count
        accounts[index].denied[denials.reason] += count
        for blocker in Reason.allCases where denials.blockers.contains(blocker) {
          accounts[index].blockedBy[blocker] += count
        }
      }
    }
  }
}
