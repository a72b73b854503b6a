package import TriggerModel

/// The stored form of an occurrence plan. See `StoredState.md`.
extension OccurrencePlan {
  package func write(to writer: inout StateWriter) {
    writer.list(pending) { $1.write(to: &$0) }
    for instant in [consideredTo, cancelledTo, lostTo] { writer.openInstant(instant) }
    writer.flag(hasWakeRequest)
  }

  package init(of reminder: ReminderID, from reader: inout StateReader) throws(StoreProblem) {
    let pending = try Entry.list(of: reminder, from: &reader)
    self.init(
      pending: pending, consideredTo: try reader.pastInstant(), cancelledTo: try reader.pastInstant(),
      lostTo: try reader.pastInstant())
    hasWakeRequest = try reader.flag()
  }

  package func writeSnoozed(to writer: inout StateWriter) { writer.list(snoozed) { $1.write(to: &$0) } }

  package mutating func readSnoozed(
    of reminder: ReminderID, from reader: inout StateReader
  ) throws(StoreProblem) {
    endSnooze(keeping: try Entry.list(of: reminder, from: &reader))
  }

  package func writePutOff(to writer: inout StateWriter) {
    writer.list(pending.filter(\.isDeferred)) { writer, entry in
      writer.number(entry.id.occurrence)
      writer.openInstant(entry.deliveredAt)
    }
  }

  package mutating func readPutOff(
    of reminder: ReminderID, from reader: inout StateReader
  ) throws(StoreProblem) {
    let entries = try reader.list(each: 2) {
      (reader: inout StateReader) throws(StoreProblem) in (try reader.number32(), try reader.openInstant())
    }
    for (occurrence, instant) in entries {
      guard putOff(RequestID(reminder: reminder, occurrence: occurrence), until: instant) else {
        throw .contradictory
      }
    }
  }
}

extension OccurrencePlan.Entry {
  fileprivate func write(to writer: inout StateWriter) {
    writer.number(id.occurrence)
    writer.instant(at)
    writer.day(day)
  }

  /// Decodes entries in chronological order.
  fileprivate static func list(
    of reminder: ReminderID, from reader: inout StateReader
  ) throws(StoreProblem) -> [Self] {
    let entries = try reader.list(each: 3) {
      (reader: inout StateReader) throws(StoreProblem) in
      Self(
        id: RequestID(reminder: reminder, occurrence: try reader.number32()), at: try reader.instant(),
        day: try reader.day())
    }
    for (entry, next) in zip(entries, entries.dropFirst()) where entry.at > next.at { throw .contradictory }
    return entries
  }
}

extension StateReader {
  /// Decodes an instant that may be `.distantPast`.
  fileprivate mutating func pastInstant() throws(StoreProblem) -> Instant {
    let instant = try openInstant()
    if instant == .distantFuture { throw .contradictory }
    return instant
  }
}
