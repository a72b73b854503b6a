import Statistics
import TriggerModel

/// What was due and never asked for, of all reminders on all devices, in the order of time; of one instant by device
/// and reminder. Each is made when its turn comes, as there may be millions of them.
struct UnaskedEntries: IteratorProtocol {
  private struct Source {
    var device: UInt8
    var reminder: ReminderID
    var next: Untold
    var rest: AnyIterator<Untold>
  }

  private struct Turn: Comparable, Sendable {
    var instant: Instant
    var source: Int

    static func < (a: Turn, b: Turn) -> Bool { (a.instant, a.source) < (b.instant, b.source) }
  }

  private var sources: [Source] = []
  private var turns = MinHeap<Turn>()

  init(_ accounts: RunAccounts) {
    for (device, account) in accounts.devices.enumerated() {
      for reminder in account.unansweredReminders {
        var rest = account.untold(reminder).makeIterator()
        guard let next = rest.next() else { continue }
        sources.append(
          Source(device: UInt8(device), reminder: reminder, next: next, rest: AnyIterator(rest)))
        queue(sources.count - 1)
      }
    }
  }

  private mutating func queue(_ source: Int) {
    turns.insert(Turn(instant: Self.instant(sources[source].next), source: source))
  }

  mutating func next() -> ChronologyEntry? {
    guard let turn = turns.popFirst() else { return nil }
    let source = sources[turn.source]
    if let next = source.rest.next() {
      sources[turn.source].next = next
      queue(turn.source)
    }
    return ChronologyEntry(
      reminder: source.reminder, device: source.device, fate: .unasked, cause: .untold(source.next.cause),
      blockers: [], failed: [], instant: turn.instant, moment: source.next.due.moment, request: nil)
  }

  private static func instant(_ untold: Untold) -> Instant { untold.due.instant ?? untold.due.moment.wall }
}
