import BitRows
import CivilTime
import TriggerModel

/// How a bucket's rows follow the day, the clock and the world. The caller owns the state.
extension Matcher {
  /// A new local day: what fires once a day, week or month waits again, unless it has matched in the
  /// period that has come.
  ///
  /// Earlier matches are looked up only where they can matter: when a day comes again (travel to the west, a
  /// clock set back), at the first look of a process, and for reminders with triggers in other buckets,
  /// which may have matched there.
  @inline(never)
  mutating func rearm(
    _ bucket: UnsafePointer<TriggerBucket>, _ current: UnsafeMutablePointer<BucketState>, _ date: CivilDate
  ) {
    let bucket = bucket.pointee
    let before = CivilDate(dayNumber: current.pointee.day)
    let latest = current.pointee.latestDay
    let isFirst = current.pointee.day == BucketState.unknown
    let isRepeated = date.dayNumber <= latest || before.dayNumber < latest
    // What fires once a day only does not ask for weeks.
    let isNewWeek = isFirst || !bucket.hasSpecials || program.week(of: before) != program.week(of: date)
    let isNewMonth =
      isFirst || !bucket.hasSpecials || (before.year, before.month) != (date.year, date.month)
    var waits: UInt64 = 0
    for word in 0..<Int(bucket.wordCount) {
      let live = state.words[bucket.state(.live) + word]
      let armed = state.words[bucket.state(.armed) + word]
      waits |= live | armed
      var again = armed & ~live
      if !isNewWeek { again &= ~tables.rows[bucket.row(FixedRow.weekly) + word] }
      if !isNewMonth { again &= ~tables.rows[bucket.row(FixedRow.monthly) + word] }
      let doubtful = isRepeated ? armed : armed & tables.rows[bucket.row(FixedRow.shared) + word]
      let matched = doubtful == 0 ? 0 : matchedInPeriod(doubtful, word, bucket, date)
      state.words[bucket.state(.live) + word] = (live | again) & ~matched
    }
    current.pointee.day = date.dayNumber
    current.pointee.latestDay = max(latest, date.dayNumber)
    current.pointee.key = waits == 0 ? BucketState.spent : BucketState.noKey
    if waits == 0 { current.pointee.live = 0 }
  }

  /// The entries among `bits` that have matched in the same day, week or month as the date.
  private func matchedInPeriod(_ bits: UInt64, _ word: Int, _ bucket: TriggerBucket, _ date: CivilDate)
    -> UInt64
  {
    var matched: UInt64 = 0
    for bit in Bits(bits) {
      let declaration = tables.declarations[Int(bucket.firstEntry) + word * 64 + bit]
      if hasMatched(declaration, inPeriodOf: date) { matched |= 1 << UInt64(bit) }
    }
    return matched
  }

  /// Makes the eligible row and counts the misses by their first kind, time windows apart.
  @inline(never)
  mutating func remakeEligible(
    _ bucket: UnsafePointer<TriggerBucket>, _ current: UnsafeMutablePointer<BucketState>, _ view: LocalView
  ) {
    let changed = current.pointee.inside ^ view.inside
    if changed & bucket.pointee.regions != 0 { turnRegions(bucket, changed: changed) }
    current.pointee.inside = view.inside
    let words = state.words.base
    let rows = tables.rows.base
    let eligible = words + bucket.pointee.state(.eligible)
    let live = words + bucket.pointee.state(.live)
    let regionFails = words + bucket.pointee.state(.regionFails)
    let charging = rows + bucket.pointee.row(FixedRow.charging + (view.isCharging ? 1 : 0))
    let weekday = rows + bucket.pointee.row(FixedRow.weekday + Int(view.weekday.rawValue))
    let count = Int(bucket.pointee.wordCount)
    var tallies = (BitTally(), BitTally(), BitTally(), BitTally())
    var word = 0
    while word &+ 8 <= count {
      let all = SIMD8(at: live + word)
      let charged = all & SIMD8(at: charging + word)
      let onDay = charged & SIMD8(at: weekday + word)
      let inPlace = onDay & ~SIMD8(at: regionFails + word)
      inPlace.store(at: eligible + word)
      if Matcher.countsMisses {
        tallies.0.add(all)
        tallies.1.add(charged)
        tallies.2.add(onDay)
        tallies.3.add(inPlace)
      }
      word &+= 8
    }
    var counts = SIMD4<UInt64>.zero
    if word > 0 {
      counts = SIMD4(tallies.0.count, tallies.1.count, tallies.2.count, tallies.3.count)
    }
    while word < count {
      let all = live[word]
      let charged = all & charging[word]
      let onDay = charged & weekday[word]
      let inPlace = onDay & ~regionFails[word]
      eligible[word] = inPlace
      if Matcher.countsMisses { counts &+= SIMD4(all, charged, onDay, inPlace).bitCounts }
      word &+= 1
    }
    current.pointee.key = view.key(regions: bucket.pointee.regions)
    current.pointee.live = Int32(truncatingIfNeeded: counts[0])
    current.pointee.failedCharging = Int32(truncatingIfNeeded: counts[0] &- counts[1])
    current.pointee.failedWeekdays = Int32(truncatingIfNeeded: counts[1] &- counts[2])
    current.pointee.failedRegion = Int32(truncatingIfNeeded: counts[2] &- counts[3])
    openAnew(bucket, current, view.windowTime)
  }

  /// Makes the open row from the eligible row and the windows.
  @inline(never)
  mutating func openAnew(
    _ bucket: UnsafePointer<TriggerBucket>, _ current: UnsafeMutablePointer<BucketState>, _ time: WindowTime
  ) {
    let eligibles = state.words.base + bucket.pointee.state(.eligible)
    let opens = state.words.base + bucket.pointee.state(.open)
    let windows = tables.rows.base + bucket.pointee.row(FixedRow.windowFrom)
    let (stride, lowest) = (Int(bucket.pointee.wordCount), Int(bucket.pointee.lowestDigit))
    var tally = BitTally()
    var word = 0
    while word &+ 8 <= stride {
      var open = SIMD8(at: eligibles + word)
      if !open.isNone {
        open = open & time.open(windows + word, stride: stride, lowest: lowest)
        tally.add(open)
      }
      open.store(at: opens + word)
      word &+= 8
    }
    var count = word > 0 ? tally.count : 0
    if word &+ 4 <= stride {
      var open = SIMD4(at: eligibles + word)
      if !open.isNone {
        open = open & time.open(windows + word, stride: stride, lowest: lowest)
        count &+= UInt64(truncatingIfNeeded: open.bitCount)
      }
      open.store(at: opens + word)
      word &+= 4
    }
    while word < stride {
      var open = eligibles[word]
      if open != 0 {
        open &= time.open(windows + word, stride: stride, lowest: lowest)
        count &+= UInt64(truncatingIfNeeded: open.nonzeroBitCount)
      }
      opens[word] = open
      word &+= 1
    }
    current.pointee.failedTimeWindow = current.pointee.eligible &- Int32(truncatingIfNeeded: count)
  }

  /// Crossing a region's boundary turns every condition about it from holding to failing, or back.
  private func turnRegions(_ bucket: UnsafePointer<TriggerBucket>, changed: UInt32) {
    let bucket = bucket.pointee
    let fails = state.words.base + bucket.state(.regionFails)
    for item in Int(bucket.firstRegionRow)..<Int(bucket.endOfRegionRows) {
      let region = tables.regionRows[item]
      if changed >> UInt32(region.region) & 1 == 0 { continue }
      let row = tables.rows.base + bucket.row(Int(region.row))
      for word in 0..<Int(bucket.wordCount) { fails[word] ^= row[word] }
    }
  }
}

extension ReminderProgram {
  /// Which week a date lies in, counted from the one that holds 1970-01-05, a Monday.
  func week(of date: CivilDate) -> Int32 {
    let days = date.dayNumber - 4 - Int32(weekStart.rawValue)
    return days >= 0 ? days / 7 : (days - 6) / 7
  }

  /// The first day of a week by its number.
  func firstDay(ofWeek week: Int32) -> Int32 { week * 7 + 4 + Int32(weekStart.rawValue) }
}
