import CivilTime
import TriggerModel

/// The requests of one reminder that the system repeats until they are taken back.
struct StandingRequests: Hashable, Holding {
  struct Entry: Hashable, Sendable, BitwiseCopyable {
    var id: RequestID
    var pattern: SystemRepeat
    /// When it was to appear first; the distant past once it is known to have.
    var first: Instant
  }

  private(set) var entries: [Entry] = []
  /// Up to here occurrences were denied, refused or dropped: the app does not ask for them again.
  private(set) var lostTo = Instant.distantPast
  /// The person took everything back, and has not opened the app since.
  var isTakenBack = false
  /// When the app wishes to be woken to ask again; `.distantFuture`: not at all.
  var wish = Instant.distantFuture

  var holdsAny: Bool { !entries.isEmpty }

  init() {}

  /// What was stored.
  init(_ entries: [Entry], lostTo: Instant, isTakenBack: Bool, wish: Instant) {
    self.entries = entries
    self.lostTo = lostTo
    self.isTakenBack = isTakenBack
    self.wish = wish
  }

  func has(_ pattern: SystemRepeat) -> Bool { entries.contains { $0.pattern == pattern } }

  func has(_ id: RequestID) -> Bool { entries.contains { $0.id == id } }

  mutating func add(_ entry: Entry) { entries.append(entry) }

  /// Takes a request out; nil when it does not stand.
  mutating func remove(_ id: RequestID) -> Entry? {
    entries.firstIndex { $0.id == id }.map { entries.remove(at: $0) }
  }

  mutating func removeAll() { entries = [] }

  mutating func lost(_ occurrence: Instant) { lostTo = max(lostTo, occurrence) }

  mutating func forgetLosses() { lostTo = .distantPast }

  /// A request is known to have appeared.
  mutating func appeared(_ id: RequestID) {
    if let index = entries.firstIndex(where: { $0.id == id }) { entries[index].first = .distantPast }
  }

  /// The phone has come to another zone: what is still to appear first does when its time comes there.
  mutating func move(after now: Instant, to zone: Zone, _ moved: (Instant) -> Instant) {
    for index in entries.indices
    where entries[index].pattern.span == nil && entries[index].first != .distantPast {
      entries[index].first = entries[index].pattern.next(after: now, in: zone) ?? .distantFuture
    }
    if lostTo > now { lostTo = moved(lostTo) }
  }
}

// MARK: - Storing

extension StandingRequests {
  func write(to writer: inout StateWriter) {
    writer.list(entries) { writer, entry in
      writer.number(entry.id.occurrence)
      writer.pattern(entry.pattern)
      writer.openInstant(entry.first)
    }
    writer.openInstant(lostTo)
    writer.flag(isTakenBack)
    writer.openInstant(wish)
  }

  init(of reminder: ReminderID, from reader: inout StateReader) throws(StoreProblem) {
    let entries = try reader.list(each: 6) {
      (reader: inout StateReader) throws(StoreProblem) in
      Entry(
        id: RequestID(reminder: reminder, occurrence: try reader.number32()), pattern: try reader.pattern(),
        first: try reader.openInstant())
    }
    self.init(
      entries, lostTo: try reader.openInstant(), isTakenBack: try reader.flag(),
      wish: try reader.openInstant())
  }
}

// MARK: - At rest

extension StandingRequests: Packable {
  mutating func pack(in parcel: inout Parcel) {
    parcel.carry(&entries)
    parcel.carry(&self, \.lostTo, \.isTakenBack, \.wish)
  }
}
