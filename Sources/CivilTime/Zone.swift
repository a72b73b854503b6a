public import TriggerModel

/// A time zone as an immutable table of offsets, 1970 to 2100; before and after, the first and the last
/// offset hold.
///
/// Foundation is where the data comes from, and is never asked afterwards. Instants are wall-clock
/// instants within 5.8 million years of 1970; `distantPast` and `distantFuture` are outside.
public final class Zone: Sendable {
  /// As given, such as "Europe/Berlin".
  public let identifier: String
  @usableFromInline let table: OffsetTable

  /// Looks the identifier up: a region and city ("Europe/Berlin", links such as "Asia/Kolkata" too),
  /// "UTC" or "GMT". Abbreviations are refused.
  ///
  /// - Complexity: a millisecond or two the first time in a process, a dictionary look-up afterwards
  public init(identifier: String) throws(UnknownZone) {
    self.table = try ZoneData.table(identifier)
    self.identifier = identifier
  }

  /// The version of the time-zone data, such as "2025b". Results depend on it.
  public static var dataVersion: String { ZoneData.version }

  /// The identifiers that the data offers, sorted. Links are accepted too, but not listed.
  public static var knownIdentifiers: [String] { ZoneData.knownIdentifiers }

  /// Wall time minus UTC.
  ///
  /// - Complexity: O(1), as all look-ups of this type but ``transitions(in:)``
  @inlinable
  public func offset(at instant: Instant) -> TimeSpan {
    TimeSpan(milliseconds: table.segment(at: instant.millisecondsSince1970).offset)
  }

  /// What the wall shows.
  @inlinable
  public func local(at instant: Instant) -> LocalTime {
    table.segment(at: instant.millisecondsSince1970).local(at: instant)
  }

  /// Where the instant stands for every daily window at once.
  @inlinable
  public func hands(at instant: Instant) -> WindowHands {
    table.segment(at: instant.millisecondsSince1970).hands(at: instant)
  }

  /// When the wall shows a minute (0…1,439) of a date: in a gap the gap's end, in a fold the occurrence
  /// asked for.
  public func instant(of date: CivilDate, minute: Int, _ occurrence: Occurrence = .first) -> Instant {
    instant(ofLocalMinute: Int64(date.dayNumber) * minutesPerDay + Int64(minute), occurrence)
  }

  /// When the wall shows a local time: in a gap the gap's end, in a fold the occurrence asked for.
  public func instant(of local: LocalTime, _ occurrence: Occurrence = .first) -> Instant {
    let wall = local.milliseconds
    return Instant(
      millisecondsSince1970: occurrence == .first
        ? table.firstInstant(showing: wall) : table.lastInstant(showing: wall))
  }

  /// As ``instant(of:minute:_:)``, with the minute counted from 1970-01-01T00:00 on the wall.
  package func instant(ofLocalMinute minute: Int64, _ occurrence: Occurrence) -> Instant {
    let wall = minute * Milliseconds.perMinute
    return Instant(
      millisecondsSince1970: occurrence == .first
        ? table.firstInstant(showing: wall) : table.lastInstant(showing: wall))
  }

  /// The first instant of a date: not always midnight, and for a date that the zone skipped whole the
  /// first instant of the next one.
  public func startOfDay(_ date: CivilDate) -> Instant {
    instant(of: date, minute: 0)
  }

  func segment(at instant: Instant) -> OffsetTable.Segment {
    table.segment(at: instant.millisecondsSince1970)
  }

  /// Whether the zone left any date out.
  var skipsDates: Bool { !table.skippedDates.isEmpty }

  /// Whether the zone left the date out, as Samoa did 30 December 2011.
  public func skips(_ date: CivilDate) -> Bool {
    !table.skippedDates.isEmpty && table.skippedDates.contains(date)
  }

  /// How many local dates a range touches; of an empty one the date of its beginning.
  public func localDays(in range: Range<Instant>) -> Int {
    let last = max(range.lowerBound, range.upperBound - TimeSpan(milliseconds: 1))
    return Int(local(at: last).date.dayNumber - local(at: range.lowerBound).date.dayNumber) + 1
  }

  /// How many days a range takes, each from the time of day at which it begins until that of the next date; the last may
  /// be cut short. At least one.
  public func wholeDays(in range: Range<Instant>) -> Int {
    let (start, end) = (local(at: range.lowerBound), local(at: range.upperBound))
    let days = Int(end.date.dayNumber - start.date.dayNumber)
    return max(1, end.millisecondOfDay > start.millisecondOfDay ? days + 1 : days)
  }

  /// An instant by which the local date is another, not before it changes; at most a day ahead.
  package func nextDate(after wall: Instant) -> Instant {
    let next = startOfDay(local(at: wall).date + 1)
    // In a fold around midnight the next date has begun once before.
    let end = next > wall ? next : wall + .hours(1)
    return firstTransition(in: wall + TimeSpan(milliseconds: 1)..<end) ?? end
  }

  /// The first change of the offset in a range; nil: there is none.
  ///
  /// - Complexity: O(log *n*) in the number of changes
  public func firstTransition(in range: Range<Instant>) -> Instant? {
    let segments = table.segments
    var (low, high) = (1, segments.count)
    while low < high {
      let middle = low + (high - low) / 2
      if segments[middle].start < range.lowerBound.millisecondsSince1970 {
        low = middle + 1
      } else {
        high = middle
      }
    }
    guard low < segments.count else { return nil }
    let first = Instant(millisecondsSince1970: segments[low].start)
    return range.contains(first) ? first : nil
  }

  /// The instants in a range at which the offset changes, ascending.
  public func transitions(in range: Range<Instant>) -> [Instant] {
    table.segments.dropFirst().map { Instant(millisecondsSince1970: $0.start) }.filter(range.contains)
  }
}

extension OffsetTable.Segment {
  /// A day such that no minute of an earlier date comes at an instant of the segment or after it.
  ///
  /// Where no change of the offset is near, that is today; a gap may move what it left out into today, but nothing
  /// from before yesterday: gaps are shorter than two days.
  func earliestDay(stillComingAt instant: Instant) -> Int64 {
    let wall = instant.millisecondsSince1970 + offset
    let isNearGap = instant.millisecondsSince1970 == start || wall <= highestBefore
    let today = max(wall, highestBefore).floorDivided(by: Milliseconds.perDay)
    return isNearGap ? today - 2 : today
  }

  /// The first instant at which the wall shows a minute, if it shows it in this segment and not before; nil where
  /// that takes a look at others.
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
