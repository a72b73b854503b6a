public import TriggerModel

/// A time zone, as an immutable table of offsets from 1970 to 2100. The first offset also applies to all
/// earlier instants, and the last one to all later instants.
///
/// The data is read from Foundation once. All instants must be within 5.8 million years of 1970, which
/// excludes `distantPast` and `distantFuture`.
public final class Zone: Sendable {
  /// The identifier that was passed to the initializer, such as "Europe/Berlin".
  public let identifier: String
  @usableFromInline let table: OffsetTable

  /// Creates a zone from an identifier: "UTC", "GMT", or a region and city such as "Europe/Berlin". Links to
  /// other identifiers are accepted, and abbreviations are rejected.
  ///
  /// - Complexity: One or two milliseconds for the first use in a process, a dictionary lookup afterwards.
  public init(identifier: String) throws(UnknownZone) {
    self.table = try ZoneData.table(identifier)
    self.identifier = identifier
  }

  /// The version of the time-zone data, such as "2025b". Results depend on this version.
  public static var dataVersion: String { ZoneData.version }

  /// The sorted identifiers in the data. Links are accepted but not listed.
  public static var knownIdentifiers: [String] { ZoneData.knownIdentifiers }

  /// Returns the offset of local time from UTC.
  ///
  /// - Complexity: O(1), like all lookups of this type except ``transitions(in:)``.
  @inlinable
  public func offset(at instant: Instant) -> TimeSpan {
    TimeSpan(milliseconds: table.segment(at: instant.millisecondsSince1970).offset)
  }

  /// Returns the local time.
  @inlinable
  public func local(at instant: Instant) -> LocalTime {
    table.segment(at: instant.millisecondsSince1970).local(at: instant)
  }

  /// Returns the position of the instant relative to all daily windows.
  @inlinable
  public func hands(at instant: Instant) -> WindowHands {
    table.segment(at: instant.millisecondsSince1970).hands(at: instant)
  }

  /// Returns the instant of a minute (0…1,439) of a date. For a time in a gap, this is the end of the gap.
  /// For a time in a fold, it is the given occurrence.
  public func instant(of date: CivilDate, minute: Int, _ occurrence: Occurrence = .first) -> Instant {
    instant(ofLocalMinute: Int64(date.dayNumber) * minutesPerDay + Int64(minute), occurrence)
  }

  /// Returns the instant of a local time. For a time in a gap, this is the end of the gap. For a time in a
  /// fold, it is the given occurrence.
  public func instant(of local: LocalTime, _ occurrence: Occurrence = .first) -> Instant {
    instant(showing: local.milliseconds, occurrence)
  }

  /// Returns the instant of a local minute, counted from 1970-01-01T00:00.
  package func instant(ofLocalMinute minute: Int64, _ occurrence: Occurrence) -> Instant {
    instant(showing: minute * Milliseconds.perMinute, occurrence)
  }

  private func instant(showing wall: Int64, _ occurrence: Occurrence) -> Instant {
    Instant(
      millisecondsSince1970: occurrence == .first
        ? table.firstInstant(showing: wall) : table.lastInstant(showing: wall))
  }

  /// Returns the first instant of a date, which is not always midnight. If the zone skipped the date, returns
  /// the first instant of the next date.
  public func startOfDay(_ date: CivilDate) -> Instant {
    instant(of: date, minute: 0)
  }

  func segment(at instant: Instant) -> OffsetTable.Segment {
    table.segment(at: instant.millisecondsSince1970)
  }

  /// Whether the zone skipped any date.
  var skipsDates: Bool { !table.skippedDates.isEmpty }

  /// Returns whether the zone skipped the date, as Samoa skipped 30 December 2011.
  public func skips(_ date: CivilDate) -> Bool {
    !table.skippedDates.isEmpty && table.skippedDates.contains(date)
  }

  /// Returns the number of local dates that a range touches, which is 1 for an empty range.
  public func localDays(in range: Range<Instant>) -> Int {
    let last = max(range.lowerBound, range.upperBound - TimeSpan(milliseconds: 1))
    return Int(local(at: last).date.dayNumber - local(at: range.lowerBound).date.dayNumber) + 1
  }

  /// Returns the length of a range in days, rounded up and at least one. Each day lasts from the range's time
  /// of day to the same time on the next date.
  public func wholeDays(in range: Range<Instant>) -> Int {
    let (start, end) = (local(at: range.lowerBound), local(at: range.upperBound))
    let days = Int(end.date.dayNumber - start.date.dayNumber)
    return max(1, end.millisecondOfDay > start.millisecondOfDay ? days + 1 : days)
  }

  /// Returns the next instant at which the local date may change: the start of the next date, or an earlier
  /// change of the offset.
  package func nextDate(after wall: Instant) -> Instant {
    let next = startOfDay(local(at: wall).date + 1)
    // In a fold around midnight, the next date has already begun in the first pass.
    let end = next > wall ? next : wall + .hours(1)
    return firstTransition(in: wall + TimeSpan(milliseconds: 1)..<end) ?? end
  }

  /// Returns the first change of the offset in a range, or `nil` if there is none.
  ///
  /// - Complexity: O(log *n*) in the number of changes
  public func firstTransition(in range: Range<Instant>) -> Instant? {
    let segments = table.segments
    let index = max(1, segments.partition { $0.start < range.lowerBound.millisecondsSince1970 })
    guard index < segments.count else { return nil }
    let first = Instant(millisecondsSince1970: segments[index].start)
    return range.contains(first) ? first : nil
  }

  /// Returns the instants in a range at which the offset changes, in ascending order.
  public func transitions(in range: Range<Instant>) -> [Instant] {
    table.segments.dropFirst().map { Instant(millisecondsSince1970: $0.start) }.filter(range.contains)
  }
}

extension OffsetTable.Segment {
  /// Returns a day number such that all minutes of earlier dates are before the instant.
  ///
  /// If the offset does not change near the instant, this is the current date. Near a change, the result is
  /// two days earlier, because a gap moves skipped times to its end. Gaps are shorter than two days.
  func earliestDay(possibleAt instant: Instant) -> Int64 {
    let wall = instant.millisecondsSince1970 + offset
    let isNearGap = instant.millisecondsSince1970 == start || wall <= highestBefore
    let today = max(wall, highestBefore).floorDivided(by: Milliseconds.perDay)
    return isNearGap ? today - 2 : today
  }

  /// Returns the only instant of a local minute if it is in this segment, or `nil` if other segments must be
  /// searched.
  @inline(__always)
  func onlyInstant(of date: CivilDate, minute: Int) -> Instant? {
    let wall = (Int64(date.dayNumber) * minutesPerDay + Int64(minute)) * Milliseconds.perMinute
    let instant = wall - offset
    guard wall > highestBefore, instant >= start, instant < end else { return nil }
    return Instant(millisecondsSince1970: instant)
  }

  @inlinable @inline(__always)
  func local(at instant: Instant) -> LocalTime {
    LocalTime(milliseconds: instant.millisecondsSince1970 + offset)
  }

  @inlinable @inline(__always)
  func hands(at instant: Instant) -> WindowHands {
    let wall = instant.millisecondsSince1970 + offset
    let minute = wall.floorDivided(by: Milliseconds.perMinute)
    if wall > highestBefore && wall <= lowestAfter { return WindowHands(start: minute, end: minute) }
    return WindowHands(
      start: max(wall, highestBefore).floorDivided(by: Milliseconds.perMinute),
      end: min(wall, lowestAfter).floorDivided(by: Milliseconds.perMinute))
  }
}

extension Zone {
  /// Returns the local time as text, such as "2026-03-02 17:42:10". If a fold repeats the time, the offset
  /// from UTC follows it, as in "2026-10-25 02:30 +01:00".
  package func words(at instant: Instant) -> String {
    let local = local(at: instant)
    guard self.instant(of: local, .first) != self.instant(of: local, .last) else { return local.words }
    let complete = instant.iso8601(in: self)
    let sign = complete.lastIndex { "+-".contains($0) } ?? complete.endIndex
    return "\(local.words) \(complete[sign...])"
  }
}

/// Two zones are equal if they have the same identifier.
extension Zone: Hashable {
  public static func == (a: Zone, b: Zone) -> Bool { a === b || a.identifier == b.identifier }

  public func hash(into hasher: inout Hasher) { hasher.combine(identifier) }
}

/// The zones of a program, by dense identifier.
public struct ZoneTable: Sendable {
  /// The zones in the order in which they were interned.
  public private(set) var zones: [Zone] = []

  /// Creates an empty table.
  public init() {}

  /// Returns the identifier of a zone, and adds the zone if it is new.
  ///
  /// - Complexity: O(n) in the number of zones, which is small
  public mutating func intern(_ identifier: String) throws(UnknownZone) -> ZoneID {
    if let index = zones.firstIndex(where: { $0.identifier == identifier }) { return ZoneID(index) }
    zones.append(try Zone(identifier: identifier))
    return ZoneID(zones.count - 1)
  }

  /// - Parameter id: An identifier that ``intern(_:)`` of this table has returned.
  public subscript(id: ZoneID) -> Zone { zones[id.index] }
}

/// Two tables are equal if they have the same zones in the same order.
extension ZoneTable: Equatable {
  public static func == (a: Self, b: Self) -> Bool {
    a.zones.map(\.identifier) == b.zones.map(\.identifier)
  }
}

/// An error for an identifier that the time-zone data lacks.
public struct UnknownZone: Error, Hashable, Sendable, CustomStringConvertible {
  /// The unknown identifier.
  public var identifier: String
  /// The known identifiers that are similar to it, with the most similar one first. The list may be empty.
  public var nearest: [String]

  public var description: String {
    let hint =
      nearest.isEmpty
      ? "use an identifier such as Europe/Berlin or UTC"
      : "did you mean " + nearest.joined(separator: " or ") + "?"
    return "unknown time zone \"\(identifier)\"; \(hint)"
  }
}
