import CivilTime
import TriggerModel

/// The number of deliveries and reservations on each local day, by bucket and by type.
///
/// The entries are sorted by day and subject. They cover today, every later day with a reservation, and the
/// latest earlier days with a delivery. Earlier days are kept because a person who flies west returns to a
/// date for which notifications are already counted. Zones differ by at most 26 hours, so travel can repeat
/// the last two dates.
struct DayCounts: Hashable, Sendable {
  /// Returns the number of past days to keep for the caps of a period. It covers the spans of the earliest date
  /// that travel can reach.
  static func keptDays(_ period: CapPeriod) -> Int { 3 + period.longest - 1 }

  /// The subject of a count: a bucket or a type.
  struct Subject: Hashable, Sendable, BitwiseCopyable {
    fileprivate var code: Int64

    /// All notifications in the standard bucket.
    static let standard = Subject(code: 0)
    /// All notifications in the critical bucket.
    static let critical = Subject(code: 1)
    /// Returns the subject for the standard notifications of one type.
    static func type(_ type: TypeID) -> Subject { Subject(code: Int64(type.rawValue) + 2) }

    /// The type, or `nil` for a bucket.
    var type: TypeID? { code < 2 ? nil : TypeID(UInt32(truncatingIfNeeded: code - 2)) }
  }

  struct Entry: Hashable, Sendable, BitwiseCopyable {
    /// The sort key: the day number in the upper 31 bits, the subject in the lower 33.
    fileprivate var key: Int64
    fileprivate(set) var count: UInt32

    fileprivate var day: Int32 { Int32(truncatingIfNeeded: key >> subjectBits) }
  }

  /// The number of bits for the subject, which suffices for every type and the two buckets.
  private static let subjectBits: Int64 = 33
  private static let subjectMask: Int64 = (1 << subjectBits) - 1

  private(set) var entries: [Entry] = []

  init() {}

  /// Creates counts from their stored form, or returns `nil` if it contains a day and subject twice.
  init?(_ days: [(day: CivilDate, counts: [(subject: Subject, count: UInt32)])]) {
    entries = days.flatMap { day in
      day.counts.filter { $0.count > 0 }.map {
        Entry(key: Self.key($0.subject, day.day), count: min($0.count, .fullCount))
      }
    }
    entries.sort { $0.key < $1.key }
    for (entry, next) in zip(entries, entries.dropFirst()) where entry.key == next.key { return nil }
  }

  /// - Complexity: O(log n) in the number of entries, which is small: at most a few per kept day.
  func count(_ subject: Subject, on day: CivilDate) -> UInt32 {
    let key = Self.key(subject, day)
    let index = position(key)
    return index < entries.count && entries[index].key == key ? entries[index].count : 0
  }

  /// Returns the counts of the two buckets on a day, and which of the first 64 types have used up their daily
  /// cap then.
  ///
  /// - Complexity: O(log n + m), where m is the number of entries of that day.
  func counts(on day: CivilDate, _ caps: CompiledCapPolicy.TypeCaps)
    -> (standard: UInt32, critical: UInt32, spentTypes: UInt64)
  {
    var counts = (standard: UInt32(0), critical: UInt32(0), spentTypes: caps.neverDaily)
    let end = Self.key(.standard, day + 1)
    var index = position(Self.key(.standard, day))
    while index < entries.count, entries[index].key < end {
      let (code, count) = (entries[index].key & Self.subjectMask, entries[index].count)
      switch code {
      case 0: counts.standard = count
      case 1: counts.critical = count
      // Obsolete types have higher numbers than the policy's types, and they have no caps.
      case 2..<66 where code - 2 < caps.typeCount:
        if count >= caps[Int(code - 2), .daily] { counts.spentTypes |= 1 << UInt64(code - 2) }
      default: break
      }
      index += 1
    }
    return counts
  }

  /// Returns the highest sum of a subject's counts in one of several spans.
  ///
  /// - Complexity: O(s (log n + m)), where s is the number of spans and m the number of entries in a span.
  func highestCount(_ subject: Subject, in spans: DaySpans) -> UInt32 {
    guard let last = entries.last?.day else { return 0 }
    // A span that ends after the last entry contains no more than the span before it.
    let latest = min(spans.starts.upperBound, CivilDate(dayNumber: last) - (spans.length - 1))
    var start = spans.starts.lowerBound
    var highest = count(subject, in: start..<start + spans.length)
    while start < latest {
      start = start + 1
      highest = max(highest, count(subject, in: start..<start + spans.length))
    }
    return highest
  }

  /// Returns the sum of a subject's counts over several days.
  ///
  /// - Complexity: O(log n + m), where m is the number of entries on these days
  func count(_ subject: Subject, in days: Range<CivilDate>) -> UInt32 {
    let end = Self.key(.standard, days.upperBound)
    var index = position(Self.key(subject, days.lowerBound))
    var sum: UInt32 = 0
    while index < entries.count, entries[index].key < end {
      if entries[index].key & Self.subjectMask == subject.code {
        let (more, isTooMany) = sum.addingReportingOverflow(entries[index].count)
        sum = isTooMany ? UInt32.fullCount : more
      }
      index += 1
    }
    return sum
  }

  /// Calls `body` for each type that has a count on a day.
  func forEachType(on day: CivilDate, _ body: (TypeID) -> Void) {
    let end = Self.key(.standard, day + 1)
    var index = position(Self.key(.standard, day))
    while index < entries.count, entries[index].key < end {
      if let type = Subject(code: entries[index].key & Self.subjectMask).type { body(type) }
      index += 1
    }
  }

  /// Returns the days on which a subject has a count, in order.
  func days(of subject: Subject) -> [(day: CivilDate, count: UInt32)] {
    entries.compactMap { entry in
      entry.key & Self.subjectMask == subject.code
        ? (CivilDate(dayNumber: entry.day), entry.count) : nil
    }
  }

  /// All counts by day, with types in the order of their identifiers.
  var byDay: [(day: CivilDate, counts: [(subject: Subject, count: UInt32)])] {
    var days: [(day: CivilDate, counts: [(subject: Subject, count: UInt32)])] = []
    for entry in entries {
      if days.last?.day.dayNumber != entry.day { days.append((CivilDate(dayNumber: entry.day), [])) }
      days[days.count - 1].counts.append((Subject(code: entry.key & Self.subjectMask), entry.count))
    }
    return days
  }

  /// Increments a count. Keeps only the latest `kept` of the days before `today`.
  mutating func add(_ subject: Subject, on day: CivilDate, today: CivilDate, keeping kept: Int) {
    let key = Self.key(subject, day)
    let index = position(key)
    if index < entries.count && entries[index].key == key {
      entries[index].count.countUp()
    } else {
      entries.insert(Entry(key: key, count: 1), at: index)
      removeDays(before: today, keeping: kept)
    }
  }

  /// Decrements a count, unless the counts of its day have been removed.
  mutating func remove(_ subject: Subject, on day: CivilDate) {
    let key = Self.key(subject, day)
    let index = position(key)
    guard index < entries.count, entries[index].key == key else { return }
    entries[index].count -= 1
    if entries[index].count == 0 { entries.remove(at: index) }
  }

  mutating func reserveCapacity(_ count: Int) {
    entries.reserveCapacity(count)
  }

  mutating func removeAll() {
    entries.removeAll(keepingCapacity: true)
  }

  /// Sets a count to its stored value.
  mutating func set(_ subject: Subject, on day: CivilDate, to count: UInt32) {
    let key = Self.key(subject, day)
    let index = position(key)
    let isThere = index < entries.count && entries[index].key == key
    entries.replaceSubrange(
      index..<(isThere ? index + 1 : index),
      with: count == 0 ? [] : [Entry(key: key, count: min(count, .fullCount))])
  }

  /// Removes the days before `today`, except the latest `kept` of them.
  private mutating func removeDays(before today: CivilDate, keeping kept: Int) {
    // The standard bucket has the lowest key of a day.
    var index = position(Self.key(.standard, today))
    var days = 0
    var current: Int32?
    while index > 0 {
      if entries[index - 1].day != current {
        current = entries[index - 1].day
        days += 1
        if days > kept { break }
      }
      index -= 1
    }
    // Skip an empty range, because removing it would move all entries.
    if index > 0 { entries.removeSubrange(..<index) }
  }

  private static func key(_ subject: Subject, _ day: CivilDate) -> Int64 {
    Int64(day.dayNumber) << subjectBits | subject.code
  }

  /// Returns the index of the first entry with a key of at least `key`.
  ///
  /// Runs twice per decision, so the binary search avoids unpredictable branches.
  private func position(_ key: Int64) -> Int {
    entries.withUnsafeBufferPointer { entries in
      var low = 0
      var count = entries.count
      while count > 0 {
        let half = (count &+ 1) >> 1
        low = entries[low &+ half &- 1].key < key ? low &+ half : low
        count &-= half
      }
      return low
    }
  }
}

extension DayCounts: Packable {
  mutating func pack(in parcel: inout Parcel) { parcel.carry(&entries) }
}
