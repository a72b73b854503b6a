import CivilTime
import TriggerModel

/// How a bucket's rows follow the day, the clock and the world.
extension Matcher {
  /// A new local day: what fires once a day, week or month waits again.
  ///
  /// A day that has been before (travel to the west, a clock set back) does not make a reminder wait
  /// again that matched on it last.
  mutating func rearm(_ index: Int, _ bucket: TriggerBucket, _ view: LocalView) {
    let day = view.date.dayNumber
    let last = buckets[index].day
    buckets[index].day = day
    if last == BucketState.unknown { return }
    let before = CivilDate(dayNumber: last)
    let isNewWeek = !program.isSamePeriod(before, view.date, .weekly)
    let isNewMonth = !program.isSamePeriod(before, view.date, .monthly)
    let live = bucket.state(.live)
    let armed = bucket.state(.armed)
    for word in 0..<Int(bucket.wordCount) {
      var again = program.rows[bucket.row(FixedRow.daily) + word]
      if isNewWeek { again |= program.rows[bucket.row(FixedRow.weekly) + word] }
      if isNewMonth { again |= program.rows[bucket.row(FixedRow.monthly) + word] }
      again &= words[armed + word] & ~words[live + word]
      if day < last { again &= ~matchedBefore(again, word, bucket, day) }
      words[live + word] |= again
    }
    buckets[index].key = BucketState.noKey
  }

  /// The entries among `bits` that matched on this very day.
  private func matchedBefore(_ bits: UInt64, _ word: Int, _ bucket: TriggerBucket, _ day: Int32) -> UInt64 {
    var result: UInt64 = 0
    var rest = bits
    while rest != 0 {
      let bit = rest.trailingZeroBitCount
      rest &= rest - 1
      let declaration = program.entryDeclarations[Int(bucket.firstEntry) + word * 64 + bit]
      let reminder = program.plans[Int(declaration)].reminder
      if memories[reminder.index].lastDay == day { result |= 1 << UInt64(bit) }
    }
    return result
  }

  /// Toggles what opened or closed between the bucket's minute and this one.
  ///
  /// Which windows are open depends on the minute of the day alone, so going round the clock once from
  /// the old minute to the new is right however many days have passed.
  mutating func followEdges(_ index: Int, _ bucket: TriggerBucket, to minute: Int) {
    var next = Int(buckets[index].nextEdge)
    if minute < Int(buckets[index].minute) {
      next = toggle(from: next, through: 24 * 60, index, bucket)
      next = Int(bucket.edges.lowerBound)
    }
    next = toggle(from: next, through: minute, index, bucket)
    buckets[index].nextEdge = Int32(next)
    buckets[index].minute = Int32(minute)
  }

  @inline(__always)
  private mutating func toggle(from first: Int, through minute: Int, _ index: Int, _ bucket: TriggerBucket)
    -> Int
  {
    let end = Int(bucket.edges.upperBound)
    let window = bucket.state(.window)
    let eligible = bucket.state(.eligible)
    var next = first
    var closed: Int32 = 0
    while next < end {
      let edge = program.edges[next]
      if Edge.minute(edge) > minute { break }
      let entry = Edge.entry(edge)
      let word = entry >> 6
      let bit = UInt64(entry & 63)
      let before = words[window + word]
      words[window + word] = before ^ (1 << bit)
      // An eligible entry that was open counts as a miss from now on, and one that was closed no longer.
      let wasOpen = Int32(truncatingIfNeeded: before >> bit & 1)
      closed &+= Int32(truncatingIfNeeded: words[eligible + word] >> bit & 1) &* (2 &* wasOpen &- 1)
      next += 1
    }
    buckets[index].failedTimeWindow &+= closed
    return next
  }

  /// Makes the window row from the windows themselves: in a fold, and when leaving it.
  mutating func remakeWindows(_ index: Int, _ bucket: TriggerBucket, _ view: LocalView) {
    let row = bucket.state(.window)
    for item in Int(bucket.windows.lowerBound)..<Int(bucket.windows.upperBound) {
      let entry = program.windows[item]
      let word = row + Int(entry.entry) / 64
      let mask: UInt64 = 1 << UInt64(entry.entry % 64)
      if entry.window.contains(view.hands) { words[word] |= mask } else { words[word] &= ~mask }
    }
    buckets[index].minute = view.isInFold ? BucketState.unknown : Int32(view.minute)
    buckets[index].nextEdge = Self.firstEdge(after: view.minute, in: bucket, of: program)
    buckets[index].key = BucketState.noKey
  }

  /// Makes the eligible row and counts the misses by their first kind.
  mutating func remakeEligible(_ index: Int, _ bucket: TriggerBucket, _ view: LocalView) {
    let count = Int(bucket.wordCount)
    turnRegions(bucket, changed: buckets[index].inside ^ view.inside)
    buckets[index].inside = view.inside
    let eligible = bucket.state(.eligible)
    let live = bucket.state(.live)
    let window = bucket.state(.window)
    let regionFails = bucket.state(.regionFails)
    let charging = bucket.row(FixedRow.charging + (view.isCharging ? 1 : 0))
    let weekday = bucket.row(FixedRow.weekday + Int(view.weekday.rawValue))
    var (lives, charges, days, regions, windows) = (0, 0, 0, 0, 0)
    for word in 0..<count {
      var left = words[live + word]
      lives &+= left.nonzeroBitCount
      var holding = left & program.rows[charging + word]
      charges &+= (left ^ holding).nonzeroBitCount
      left = holding
      holding &= program.rows[weekday + word]
      days &+= (left ^ holding).nonzeroBitCount
      left = holding
      holding &= ~words[regionFails + word]
      regions &+= (left ^ holding).nonzeroBitCount
      words[eligible + word] = holding
      windows &+= (holding & ~words[window + word]).nonzeroBitCount
    }
    buckets[index].key = view.key
    buckets[index].live = Int32(lives)
    buckets[index].failedCharging = Int32(charges)
    buckets[index].failedWeekdays = Int32(days)
    buckets[index].failedRegion = Int32(regions)
    buckets[index].failedTimeWindow = Int32(windows)
  }

  /// Crossing a region's boundary turns every condition about it from holding to failing, or back.
  private mutating func turnRegions(_ bucket: TriggerBucket, changed: UInt32) {
    if changed == 0 { return }
    let fails = bucket.state(.regionFails)
    for item in Int(bucket.regionRows.lowerBound)..<Int(bucket.regionRows.upperBound) {
      let region = program.regionRows[item]
      if changed >> UInt32(region.region) & 1 == 0 { continue }
      let row = bucket.row(Int(region.row))
      for word in 0..<Int(bucket.wordCount) { words[fails + word] ^= program.rows[row + word] }
    }
  }

  /// The first edge of a bucket whose minute is after this one.
  static func firstEdge(after minute: Int, in bucket: TriggerBucket, of program: ReminderProgram) -> Int32 {
    var (low, high) = (Int(bucket.edges.lowerBound), Int(bucket.edges.upperBound))
    while low < high {
      let middle = (low + high) / 2
      if Edge.minute(program.edges[middle]) <= minute { low = middle + 1 } else { high = middle }
    }
    return Int32(low)
  }
}

extension ReminderProgram {
  /// Which week a date lies in, counted from the one that holds 1970-01-05, a Monday.
  func week(of date: CivilDate) -> Int32 {
    let days = date.dayNumber - 4 - Int32(weekStart.rawValue)
    return days >= 0 ? days / 7 : (days - 6) / 7
  }

  /// Whether a reminder that repeats like this counts both dates as one period.
  func isSamePeriod(_ a: CivilDate, _ b: CivilDate, _ repeats: Repeat) -> Bool {
    switch repeats {
    case .once: true
    case .daily: a == b
    case .weekly: week(of: a) == week(of: b)
    case .monthly: (a.year, a.month) == (b.year, b.month)
    case .always: false
    }
  }
}
