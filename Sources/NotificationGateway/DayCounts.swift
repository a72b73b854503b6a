import CivilTime
import TriggerModel

/// How many deliveries and reservations each local day holds: in all per bucket, and per type.
///
/// A small array sorted by day and subject. It keeps today, every later day that has a reservation, and
/// so many of the latest days before today that saw a delivery: a person who flies west comes back to a
/// date whose quota is spent. Zones differ by at most 26 hours, so that travel reaches back two dates.
struct DayCounts: Hashable, Sendable {
  /// Days that are kept where nothing is counted by the week.
  static let keptDays = 3
  /// Days that are kept where something is: the week of the earliest date that travel reaches back to.
  static let keptDaysOfWeeks = 9

  /// What is counted on a day.
  struct Subject: Hashable, Sendable, BitwiseCopyable {
    fileprivate var code: Int64

    /// All of the standard bucket.
    static let standard = Subject(code: 0)
    /// All of the critical bucket.
    static let critical = Subject(code: 1)
    /// The standard bucket's notifications of one type.
    static func type(_ type: TypeID) -> Subject { Subject(code: Int64(type.rawValue) + 2) }

    /// Nil: all of a bucket.
    var type: TypeID? { code < 2 ? nil : TypeID(UInt32(truncatingIfNeeded: code - 2)) }
  }

  struct Entry: Hashable, Sendable, BitwiseCopyable {
    /// Day number in the upper 31 bits, subject below: in this order the array is sorted.
    fileprivate var key: Int64
    fileprivate(set) var count: UInt32

    fileprivate var day: Int32 { Int32(truncatingIfNeeded: key >> subjectBits) }
  }

  /// Every type and the two buckets.
  private static let subjectBits: Int64 = 33
  private static let subjectMask: Int64 = (1 << subjectBits) - 1

  private(set) var entries: [Entry] = []

  init() {}

  /// What was stored; nil when something is there twice.
  init?(_ days: [(day: CivilDate, counts: [(subject: Subject, count: UInt32)])]) {
    entries = days.flatMap { day in
      day.counts.filter { $0.count > 0 }.map {
        Entry(key: Self.key($0.subject, day.day), count: min($0.count, .fullCount))
      }
    }
    entries.sort { $0.key < $1.key }
    for (entry, next) in zip(entries, entries.dropFirst()) where entry.key == next.key { return nil }
  }

  /// - Complexity: O(log n) in the number of entries, of which there are at most a few for each day kept
  func count(_ subject: Subject, on day: CivilDate) -> UInt32 {
    let key = Self.key(subject, day)
    let index = position(key)
    return index < entries.count && entries[index].key == key ? entries[index].count : 0
  }

  /// The counts of the two buckets on a day, and those of the first 64 types whose daily cap is spent.
  ///
  /// - Complexity: O(log n + m), m being the number of entries of that day
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
      // Behind the policy's types come those of earlier versions of the app, which have no caps any more.
      case 2..<66 where code - 2 < caps.typeCount:
        if count >= caps[Int(code - 2), .daily] { counts.spentTypes |= 1 << UInt64(code - 2) }
      default: break
      }
      index += 1
    }
    return counts
  }

  /// The sum over several days.
  ///
  /// - Complexity: O(log n + m), m being the number of entries on these days
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

  /// Calls the body for each type that was counted on a day.
  func forEachType(on day: CivilDate, _ body: (TypeID) -> Void) {
    let end = Self.key(.standard, day + 1)
    var index = position(Self.key(.standard, day))
    while index < entries.count, entries[index].key < end {
      if let type = Subject(code: entries[index].key & Self.subjectMask).type { body(type) }
      index += 1
    }
  }

  /// The days on which a subject was counted, in order.
  func days(of subject: Subject) -> [(day: CivilDate, count: UInt32)] {
    entries.compactMap { entry in
      entry.key & Self.subjectMask == subject.code
        ? (CivilDate(dayNumber: entry.day), entry.count) : nil
    }
  }

  /// Everything that is counted, by day; types in the order of their identifiers.
  var byDay: [(day: CivilDate, counts: [(subject: Subject, count: UInt32)])] {
    var days: [(day: CivilDate, counts: [(subject: Subject, count: UInt32)])] = []
    for entry in entries {
      if days.last?.day.dayNumber != entry.day { days.append((CivilDate(dayNumber: entry.day), [])) }
      days[days.count - 1].counts.append((Subject(code: entry.key & Self.subjectMask), entry.count))
    }
    return days
  }

  /// Counts one more. `today` says which days are past, `kept` how many of those are still of interest.
  mutating func add(_ subject: Subject, on day: CivilDate, today: CivilDate, keeping kept: Int) {
    let key = Self.key(subject, day)
    let index = position(key)
    if index < entries.count && entries[index].key == key {
      entries[index].count.countUp()
    } else {
      entries.insert(Entry(key: key, count: 1), at: index)
      forget(before: today, keeping: kept)
    }
  }

  /// Takes one back, unless the day is forgotten.
  mutating func giveBack(_ subject: Subject, on day: CivilDate) {
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

  /// Sets a count, as it was stored.
  mutating func set(_ subject: Subject, on day: CivilDate, to count: UInt32) {
    let key = Self.key(subject, day)
    let index = position(key)
    let isThere = index < entries.count && entries[index].key == key
    entries.replaceSubrange(
      index..<(isThere ? index + 1 : index),
      with: count == 0 ? [] : [Entry(key: key, count: min(count, .fullCount))])
  }

  /// Drops the days before `today`, except the latest of them.
  private mutating func forget(before today: CivilDate, keeping kept: Int) {
    var index = position(Int64(today.dayNumber) << Self.subjectBits)
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
    // Removing nothing would move everything to where it is.
    if index > 0 { entries.removeSubrange(..<index) }
  }

  private static func key(_ subject: Subject, _ day: CivilDate) -> Int64 {
    Int64(day.dayNumber) << subjectBits | subject.code
  }

  /// The index of the first entry whose key is not less. Halves the range without a branch that the
  /// processor would have to guess: this runs twice for every decision.
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
