import CivilTime
import TestSupport
import Testing
import TriggerModel

@testable import ReminderEngine

/// Tests that the indexes of a table agree with its ledgers.
@Suite struct LedgerTableTests {
  @Test(arguments: 0..<50 as Range<UInt64>)
  func `each index contains the reminders whose ledgers are in its state`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var table = LedgerTable()
    var oracle: [ReminderID: Ledger] = [:]
    for _ in 0..<300 {
      let reminder = ReminderID(random.below(12))
      let instant = random.below(2) == 0 ? Instant(millisecondsSince1970: Int64(random.below(9))) : nil
      let request = RequestID(reminder: reminder, occurrence: 0)
      let now = Moment(wall: .distantPast, uptime: Uptime(boot: 0, span: .zero), zone: ZoneID(0))
      func change(_ ledger: inout Ledger, _ kind: Int) {
        switch kind {
        case 0: ledger.leftOut = instant
        case 1: ledger.snooze = instant.map { Snooze(until: $0) }
        case 2: ledger.wake = instant
        case 3:
          ledger.occurrences = instant.map { _ in OccurrencePlan() }
          if let instant { ledger.occurrences?.considered(instant, .init(id: request, at: instant, day: 0)) }
        case 4: ledger.outdatedMark = instant.map { _ in 1 }
        case 5: ledger.occurrences = OccurrencePlan()
        case 6:
          ledger.repetitions = RepetitionPlan()
          if let instant {
            ledger.repetitions?.add(.init(id: request, pattern: SystemRepeat(.daily), first: instant))
          }
        case 7:
          ledger.retries = nil
          if let instant { ledger.retries.orNew.add(instant, at: now) }
        case 8: ledger.deferredSnooze = instant.map { .init(.init(occurrence: 0, copy: 0), deliverAt: $0) }
        case 9: ledger.lapse = instant.map { _ in PlannedLapse(since: CivilDate(dayNumber: 0)) }
        default: ledger = Ledger()
        }
      }
      let kind = random.below(11)
      change(&table[reminder], kind)
      change(&oracle[reminder, default: Ledger()], kind)
      if oracle[reminder]?.isEmpty ?? false { oracle[reminder] = nil }
      #expect(table[reminder] == oracle[reminder] ?? Ledger())
      let expected: [(LedgerTable.Index, (Ledger) -> Bool)] = [
        (.leftOut, { $0.leftOut != nil }), (.snoozed, { $0.snooze != nil }),
        (.retrying, { $0.retries != nil }),
        (.deferredSnoozes, { $0.deferredSnooze != nil }), (.outdated, { $0.outdatedMark != nil }),
        (
          .pending,
          { $0.occurrences?.pending.isEmpty == false || $0.repetitions?.entries.isEmpty == false }
        ),
      ]
      for (index, isIn) in expected {
        let reminders = oracle.filter { isIn($0.value) }.keys.sorted()
        #expect(table.reminders(index).sorted() == reminders && table.count(index) == reminders.count)
      }
    }
    #expect(table.reminders.sorted() == oracle.keys.sorted())
  }
}
