import TriggerModel

/// The ledgers of reminders, with an index of the reminders in each of several states.
struct LedgerTable: Sendable {
  private var table = ReminderTable<Ledger>()
  /// The reminders in each index.
  private var indexes = Array(repeating: ReminderTable<Void>(), count: Index.allCases.count)
  private let empty = Ledger()

  /// A ledger state for which the table has an index.
  enum Index: Int, CaseIterable {
    /// The reminder is snoozed.
    case snoozed
    /// The reminder's snooze has ended, but the request for its end is not delivered yet.
    case deferredSnoozes
    /// The reminder has pending requests for occurrences or repetitions.
    case pending
    /// The system has no room for an occurrence of the reminder.
    case leftOut
    /// The reminder has requests to retry.
    case retrying
    /// The reminder's plans belong to a declaration that an update of the app has changed.
    case outdated

    fileprivate func contains(_ ledger: Ledger) -> Bool {
      switch self {
      case .snoozed: ledger.snooze != nil
      case .deferredSnoozes: ledger.deferredSnooze != nil
      case .pending:
        !(ledger.occurrences?.pending.isEmpty ?? true) || !(ledger.repetitions?.entries.isEmpty ?? true)
      case .leftOut: ledger.leftOut != nil
      case .retrying: ledger.retries != nil
      case .outdated: ledger.outdatedMark != nil
      }
    }
  }

  /// The reminders that have a ledger, in no particular order.
  var reminders: some Sequence<ReminderID> { table.keys }

  /// Returns whether a reminder has a ledger. Check this before a change, because a change is more expensive.
  @inline(__always)
  func hasLedger(of reminder: ReminderID) -> Bool {
    table.position(of: reminder) != ReminderTable<Ledger>.none
  }

  /// Returns whether an index is empty.
  func isEmpty(_ index: Index) -> Bool { indexes[index.rawValue].isEmpty }

  /// Returns the number of reminders in an index.
  func count(_ index: Index) -> Int { indexes[index.rawValue].count }

  /// Returns the reminders in an index, in no particular order.
  func reminders(_ index: Index) -> some Sequence<ReminderID> { indexes[index.rawValue].keys }

  /// Returns the ledgers of the reminders in an index, in no particular order.
  func ledgers(_ index: Index) -> some Sequence<Ledger> { reminders(index).lazy.map { self[$0] } }

  /// The ledger of a reminder. An empty ledger is not stored.
  ///
  /// Both accessors are inlined, because calling a coroutine would allocate its frame.
  subscript(reminder: ReminderID) -> Ledger {
    @inline(__always)
    get {
      let position = table.position(of: reminder)
      return position == ReminderTable<Ledger>.none ? empty : table.entries[Int(position)].value
    }
    @inline(__always)
    _modify {
      // An unknown reminder may have a large number, which makes the table large. Therefore store its ledger
      // only if the change leaves it non-empty.
      var ledger = Ledger()
      let position = table.position(of: reminder)
      let isKnown = position != ReminderTable<Ledger>.none
      if isKnown { swap(&ledger, &table.entries[Int(position)].value) }
      defer {
        if isKnown {
          swap(&ledger, &table.entries[Int(position)].value)
          noteChange(of: reminder, at: Int(position))
        } else if !ledger.isEmpty {
          insert(ledger, of: reminder)
        }
      }
      yield &ledger
    }
  }

  private mutating func insert(_ ledger: Ledger, of reminder: ReminderID) {
    table[reminder] = ledger
    noteChange(of: reminder, at: Int(table.position(of: reminder)))
  }

  private mutating func noteChange(of reminder: ReminderID, at position: Int) {
    for index in Index.allCases {
      let isIn = index.contains(table.entries[position].value)
      if isIn == (indexes[index.rawValue][reminder] != nil) { continue }
      indexes[index.rawValue][reminder] = isIn ? () : nil
    }
    if table.entries[position].value.isEmpty { table[reminder] = nil }
  }
}

extension LedgerTable {
  mutating func pack(in parcel: inout Parcel) {
    table.pack(Ledger(), in: &parcel)
    if !parcel.isUnpacking { return }
    for reminder in table.keys { noteChange(of: reminder, at: Int(table.position(of: reminder))) }
  }
}
