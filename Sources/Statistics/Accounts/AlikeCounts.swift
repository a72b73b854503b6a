import BitRows
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
  /// By trigger, where it is told when it came, and not who missed it.
  private var looks: [UInt32: LookTally] = [:]

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
      // In place: to hand one over counts a reference.
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
      looks[trigger, default: LookTally(rows)].wait(
        word - program.tables.buckets[Int(trigger)].firstWord, counted.bits, outOfPlace: outOfPlace, rows)
    case .looked(let time):
      looks[time.trigger]?.look(
        minute: Int(time.minute), weekday: Int(time.weekday), isCharging: time.isCharging)
    }
  }

  /// Adds all of it to the accounts of the reminders.
  func add(to accounts: inout [ReminderAccount]) {
    missed.forEach { word, bit, count in
      let index = program.reminder(word, bit).index
      accounts[index].matches += count
      accounts[index].noRequest[.conditionFailed] += count
    }
    for (trigger, tally) in looks {
      let first = UInt32(program.tables.buckets[Int(trigger)].firstWord)
      tally.forEach(program.lookRows(of: trigger)) { word, bit, misses in
        let index = program.reminder(first + UInt32(word), bit).index
        accounts[index].matches += misses.all
        accounts[index].noRequest[.conditionFailed] += misses.all
        for (kind, count) in [misses.timeWindow, misses.weekdays, misses.region, misses.charging].enumerated() {
          accounts[index].failedKinds[kind] += count
        }
      }
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
