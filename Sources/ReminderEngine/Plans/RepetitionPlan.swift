package import CivilTime
package import TriggerModel

/// The requests of one reminder that the system repeats until they are cancelled.
package struct RepetitionPlan: Hashable, Sendable {
  package struct Entry: Hashable, Sendable, BitwiseCopyable {
    package var id: RequestID
    package var pattern: SystemRepeat
    /// The instant of the first delivery, or `.distantPast` if that delivery has been observed.
    package var first: Instant

    package init(id: RequestID, pattern: SystemRepeat, first: Instant) {
      self.id = id
      self.pattern = pattern
      self.first = first
    }
  }

  package private(set) var entries: [Entry] = []
  /// The instant up to which occurrences were denied or dropped. They are not requested again.
  package private(set) var lostTo = Instant.distantPast
  /// Whether the person has cancelled all requests and has not opened the app since.
  package var isCancelled = false
  /// The instant at which the app must be woken for a retry, or `.distantFuture` if there is none.
  package var wish = Instant.distantFuture

  package init() {}

  /// Creates a plan from its stored state.
  package init(_ entries: [Entry], lostTo: Instant, isCancelled: Bool, wish: Instant) {
    self.entries = entries
    self.lostTo = lostTo
    self.isCancelled = isCancelled
    self.wish = wish
  }

  package func has(_ pattern: SystemRepeat) -> Bool { entries.contains { $0.pattern == pattern } }

  package func has(_ id: RequestID) -> Bool { entries.contains { $0.id == id } }

  package mutating func add(_ entry: Entry) { entries.append(entry) }

  /// Removes and returns a request, or returns `nil` if the plan does not contain it.
  package mutating func remove(_ id: RequestID) -> Entry? {
    entries.firstIndex { $0.id == id }.map { entries.remove(at: $0) }
  }

  package mutating func removeAll() { entries = [] }

  package mutating func lost(_ occurrence: Instant) { lostTo = max(lostTo, occurrence) }

  package mutating func forgetLosses() { lostTo = .distantPast }

  /// Records that a request has been delivered for the first time.
  package mutating func appeared(_ id: RequestID) {
    if let index = entries.firstIndex(where: { $0.id == id }) { entries[index].first = .distantPast }
  }

  /// Moves the first deliveries that are in the future to another zone, where they keep their local time.
  package mutating func move(after now: Instant, to zone: Zone, _ moved: (Instant) -> Instant) {
    for index in entries.indices
    where entries[index].pattern.span == nil && entries[index].first != .distantPast {
      entries[index].first = entries[index].pattern.next(after: now, in: zone) ?? .distantFuture
    }
    if lostTo > now { lostTo = moved(lostTo) }
  }
}

// MARK: - Storing

extension RepetitionPlan {
  package func write(to writer: inout StateWriter) {
    writer.list(entries) { writer, entry in
      writer.number(entry.id.occurrence)
      writer.pattern(entry.pattern)
      writer.openInstant(entry.first)
    }
    writer.openInstant(lostTo)
    writer.flag(isCancelled)
    writer.openInstant(wish)
  }

  package init(of reminder: ReminderID, from reader: inout StateReader) throws(StoreProblem) {
    let entries = try reader.list(each: 6) {
      (reader: inout StateReader) throws(StoreProblem) in
      Entry(
        id: RequestID(reminder: reminder, occurrence: try reader.number32()), pattern: try reader.pattern(),
        first: try reader.openInstant())
    }
    self.init(
      entries, lostTo: try reader.openInstant(), isCancelled: try reader.flag(),
      wish: try reader.openInstant())
  }
}

// MARK: - At rest

extension RepetitionPlan: Packable {
  package mutating func pack(in parcel: inout Parcel) {
    parcel.carry(&entries)
    parcel.carry(&self, \.lostTo, \.isCancelled, \.wish)
  }
}
