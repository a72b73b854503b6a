import CivilTime
import TriggerModel

/// Updates the rows of a bucket for the date, the clock and the device state. The caller must own the state.
extension Matcher {
  /// Computes all rows of a bucket with rows of one word, and returns the entries that remain after each
  /// step.
  ///
  /// It always computes all rows, because that takes less time than a mispredicted branch. It does not store
  /// the eligible row.
  @inline(__always)
  mutating func makeWord(
    _ bucket: UnsafePointer<TriggerBucket>, _ current: UnsafeMutablePointer<BucketState>,
    _ view: PlainView
  ) -> WordSteps {
    let words = state.words.base + Int(bucket.pointee.stateOffset)
    let rows = UnsafePointer(tables.rows.base + Int(bucket.pointee.rowOffset))
    let armed = words[StateRow.armed.rawValue]
    let live = words[StateRow.live.rawValue] | (current.pointee.day == view.date.dayNumber ? 0 : armed)
    var fails = words[StateRow.regionFails.rawValue]
    for region in Bits(UInt64((current.pointee.inside ^ view.inside) & bucket.pointee.regions)) {
      fails ^= rows[tables.row(ofRegion: UInt32(region), in: bucket)]
    }
    let charged = live & rows[FixedRow.charging &+ (view.isCharging ? 1 : 0)]
    let onDay = charged & rows[FixedRow.weekday &+ Int(view.weekday.rawValue)]
    let inPlace = onDay & ~fails
    let open = inPlace & QuarterRows(rows + FixedRow.windows, stride: 1, in: view.quarter).open(at: 0)
    words[StateRow.live.rawValue] = live
    words[StateRow.regionFails.rawValue] = fails
    words[StateRow.open.rawValue] = open
    (current.pointee.day, current.pointee.latestDay) = (view.date.dayNumber, view.date.dayNumber)
    current.pointee.key = live | armed == 0 ? RowKey.spent : RowKey.none
    current.pointee.inside = view.inside
    return WordSteps(live: live, charged: charged, onDay: onDay, inPlace: inPlace, open: open)
  }

  /// Makes entries that repeat daily, weekly or monthly wait again on a new local day, unless they have
  /// already matched in the period of that day.
  ///
  /// Earlier matches are looked up only in three cases. A day may repeat, because the phone travelled west or
  /// the clock was set back. A process may evaluate the bucket for the first time. A reminder may have
  /// triggers in other buckets.
  @inline(never)
  mutating func rearm(
    _ bucket: UnsafePointer<TriggerBucket>, _ current: UnsafeMutablePointer<BucketState>, _ date: CivilDate
  ) {
    let latest = current.pointee.latestDay
    let isRepeated = date.dayNumber <= latest || current.pointee.day < latest
    if isRepeated || bucket.pointee.hasSpecials {
      rearmSpecial(bucket.pointee, current, date, isRepeated: isRepeated)
    }
    // Armed entries that need no individual lookup become live.
    let words = state.words.base
    let (live, waits) = WaitingRows(
      live: words + bucket.pointee.state(.live), armed: words + bucket.pointee.state(.armed),
      count: Int(bucket.pointee.wordCount)
    ).arm(isLookedUp: isRepeated || bucket.pointee.hasSpecials)
    current.pointee.day = date.dayNumber
    current.pointee.latestDay = max(latest, date.dayNumber)
    current.pointee.live = live
    current.pointee.key = waits ? RowKey.newDay : RowKey.spent
  }

  /// Handles the entries that ``rearm(_:_:_:)`` must look up individually.
  @inline(never)
  private mutating func rearmSpecial(
    _ bucket: TriggerBucket, _ current: UnsafePointer<BucketState>, _ date: CivilDate, isRepeated: Bool
  ) {
    let isFirst = current.pointee.day == BucketState.unknown
    let before = CivilDate(dayNumber: current.pointee.day)
    // Buckets with only daily entries do not depend on the week.
    let isNewWeek = isFirst || !bucket.hasSpecials || program.week(of: before) != program.week(of: date)
    let isNewMonth =
      isFirst || !bucket.hasSpecials || (before.year, before.month) != (date.year, date.month)
    for word in 0..<Int(bucket.wordCount) {
      let live = state.words[bucket.state(.live) + word]
      let armed = state.words[bucket.state(.armed) + word]
      var again = armed & ~live
      if !isNewWeek { again &= ~tables.rows[bucket.row(FixedRow.weekly) + word] }
      if !isNewMonth { again &= ~tables.rows[bucket.row(FixedRow.monthly) + word] }
      let doubtful = isRepeated ? armed : armed & tables.rows[bucket.row(FixedRow.shared) + word]
      let matched = doubtful == 0 ? 0 : matchedInPeriod(doubtful, word, bucket, date)
      state.words[bucket.state(.live) + word] = (live | again) & ~matched
    }
  }

  /// Returns the entries among `bits` that have already matched in the period of the date.
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

  /// Computes the eligible row, and counts each miss for the first condition that fails.
  @inline(never)
  mutating func remakeEligible(
    _ bucket: UnsafePointer<TriggerBucket>, _ current: UnsafeMutablePointer<BucketState>,
    _ view: PlainView, _ key: UInt32
  ) {
    let conditions = conditions(bucket, view.weekday)
    if current.pointee.key == RowKey.none { current.pointee.live = conditions.waiting() }
    if !RowKey.differInPlaceAlone(current.pointee.key, key) {
      let (charged, onDay) = conditions.counts(isCharging: view.isCharging)
      current.pointee.failedCharging = current.pointee.live &- charged
      current.pointee.failedWeekdays = charged &- onDay
    }
    current.pointee.key = key
    updateRegions(bucket, current, view.inside)
    let eligible = conditions.makeEligible(
      state.words.base + bucket.pointee.state(.eligible), isCharging: view.isCharging)
    current.pointee.failedRegion =
      current.pointee.live &- current.pointee.failedCharging &- current.pointee.failedWeekdays &- eligible
  }

  /// Updates the same rows as ``catchUp(_:_:_:)``, except the open row. Usually they are already up to date.
  @inline(__always)
  mutating func prepareRows(
    _ bucket: UnsafePointer<TriggerBucket>, _ current: UnsafeMutablePointer<BucketState>,
    _ view: PlainView
  ) {
    let key = view.key(regions: bucket.pointee.regions)
    if current.pointee.day == view.date.dayNumber, current.pointee.key == key { return }
    if current.pointee.day != view.date.dayNumber { rearm(bucket, current, view.date) }
    if current.pointee.key != RowKey.spent { remakeEligible(bucket, current, view, key) }
  }

  /// Computes the open row for this evaluation. The bucket's windows must start and end at quarters of an
  /// hour.
  ///
  /// - Returns: Whether any entry is open.
  @inline(__always)
  mutating func makeOpen(
    _ bucket: UnsafePointer<TriggerBucket>, _ current: UnsafeMutablePointer<BucketState>,
    _ quarter: RowsOfQuarter
  ) -> Bool {
    current.pointee.slot = BucketState.unknown
    let (words, count) = (state.words.base, Int(bucket.pointee.wordCount))
    let rows = tables.rows.base + bucket.pointee.row(FixedRow.windows)
    return QuarterRows(rows, stride: count, in: quarter).isAnyOpen(
      words + bucket.pointee.state(.open), from: words + bucket.pointee.state(.eligible), count: count)
  }

  /// Returns the rows for the conditions of a bucket, except the time window.
  @inline(__always)
  private func conditions(_ bucket: UnsafePointer<TriggerBucket>, _ weekday: Weekday) -> ConditionRows {
    let (words, rows) = (state.words.base, tables.rows.base)
    return ConditionRows(
      live: words + bucket.pointee.state(.live),
      charging: rows + bucket.pointee.row(FixedRow.charging),
      weekday: rows + bucket.pointee.row(FixedRow.weekday + Int(weekday.rawValue)),
      regionFails: words + bucket.pointee.state(.regionFails), count: Int(bucket.pointee.wordCount))
  }

  /// Computes the open row from the eligible row and the windows.
  @inline(never)
  mutating func remakeOpen(
    _ bucket: UnsafePointer<TriggerBucket>, _ current: UnsafeMutablePointer<BucketState>,
    _ view: inout LocalView
  ) {
    let count = Int(bucket.pointee.wordCount)
    let eligible = state.words.base + bucket.pointee.state(.eligible)
    let open = state.words.base + bucket.pointee.state(.open)
    let left: Int32
    if bucket.pointee.minuteRow == TriggerBucket.noWindows {
      open.update(from: eligible, count: count)
      left = current.pointee.eligible
    } else if bucket.pointee.minuteRow > 0 || view.isInFold {
      left = windows(of: bucket, at: view.time).makeOpen(open, from: eligible, count: count)
    } else {
      let rows = tables.rows.base + bucket.pointee.row(FixedRow.windows)
      left = QuarterRows(rows, stride: count, in: view.time.rows).makeOpen(open, from: eligible, count: count)
    }
    current.pointee.failedTimeWindow = current.pointee.eligible &- left
  }

  /// Returns the rows of a bucket that determine which windows are open.
  func windows(of bucket: UnsafePointer<TriggerBucket>, at time: WindowTime) -> WindowRows {
    let rows = tables.rows.base
    let minuteRow = Int(bucket.pointee.minuteRow)
    return WindowRows(
      rows + bucket.pointee.row(FixedRow.windows),
      minutes: minuteRow > 0 ? UnsafePointer(rows + bucket.pointee.row(minuteRow)) : nil,
      stride: Int(bucket.pointee.wordCount), at: time)
  }

  /// Flips the bits for conditions on regions that the phone has entered or left.
  @inline(__always)
  private mutating func updateRegions(
    _ bucket: UnsafePointer<TriggerBucket>, _ current: UnsafeMutablePointer<BucketState>, _ inside: UInt32
  ) {
    let changed = (current.pointee.inside ^ inside) & bucket.pointee.regions
    current.pointee.inside = inside
    if changed != 0 { flipRegions(bucket, changed: changed) }
  }

  @inline(never)
  private mutating func flipRegions(_ bucket: UnsafePointer<TriggerBucket>, changed: UInt32) {
    for region in Bits(UInt64(changed)) {
      let row = tables.row(ofRegion: UInt32(region), in: bucket)
      flipBits(
        of: state.words.base + bucket.pointee.state(.regionFails),
        by: tables.rows.base + bucket.pointee.row(row),
        count: Int(bucket.pointee.wordCount))
    }
  }
}

extension ReminderProgram {
  /// Returns the number of the week that contains a date. Week 0 contains 1970-01-05, a Monday.
  func week(of date: CivilDate) -> Int32 {
    let days = date.dayNumber - 4 - Int32(weekStart.rawValue)
    return days >= 0 ? days / 7 : (days - 6) / 7
  }

  /// Returns the first day of a week.
  func firstDay(ofWeek week: Int32) -> Int32 { week * 7 + 4 + Int32(weekStart.rawValue) }
}
