import CivilTime
import TriggerModel

/// How a bucket's rows follow the day, the clock and the world. The caller owns the state.
extension Matcher {
  /// Makes the rows of a bucket that are one word each for the view, and tells what is left at each step: all of
  /// them, whatever has changed since, for to make them costs less than to guess wrong what has. Nothing is kept for the
  /// next look.
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
    let latest = current.pointee.latestDay
    let isRepeated = date.dayNumber <= latest || current.pointee.day < latest
    if isRepeated || bucket.pointee.hasSpecials {
      rearmSpecial(bucket.pointee, current, date, isRepeated: isRepeated)
    }
    // What is still armed, if it is not looked up one by one, waits again.
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

  /// As ``rearm(_:_:_:)`` where that is not the same for all entries.
  @inline(never)
  private mutating func rearmSpecial(
    _ bucket: TriggerBucket, _ current: UnsafePointer<BucketState>, _ date: CivilDate, isRepeated: Bool
  ) {
    let isFirst = current.pointee.day == BucketState.unknown
    let before = CivilDate(dayNumber: current.pointee.day)
    // What fires once a day only does not ask for weeks.
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

  /// Makes the eligible row, and counts the misses by their first kind.
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
    followRegions(bucket, current, view.inside)
    let eligible = conditions.makeEligible(
      state.words.base + bucket.pointee.state(.eligible), isCharging: view.isCharging)
    current.pointee.failedRegion =
      current.pointee.live &- current.pointee.failedCharging &- current.pointee.failedWeekdays &- eligible
  }

  /// As ``catchUp(_:_:_:)`` without the open row. Seldom is there anything to do.
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

  /// Makes the open row of a bucket whose windows begin and end with quarters of an hour, for this look alone.
  ///
  /// - Returns: Whether any window is open.
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

  /// The rows of a bucket's conditions but that on the time of day.
  @inline(__always)
  private func conditions(_ bucket: UnsafePointer<TriggerBucket>, _ weekday: Weekday) -> ConditionRows {
    let (words, rows) = (state.words.base, tables.rows.base)
    return ConditionRows(
      live: words + bucket.pointee.state(.live),
      charging: rows + bucket.pointee.row(FixedRow.charging),
      weekday: rows + bucket.pointee.row(FixedRow.weekday + Int(weekday.rawValue)),
      regionFails: words + bucket.pointee.state(.regionFails), count: Int(bucket.pointee.wordCount))
  }

  /// Makes the open row from the eligible row and the windows.
  @inline(never)
  mutating func openAnew(
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

  /// The rows of a bucket that say which windows are open.
  func windows(of bucket: UnsafePointer<TriggerBucket>, at time: WindowTime) -> WindowRows {
    let rows = tables.rows.base
    let minuteRow = Int(bucket.pointee.minuteRow)
    return WindowRows(
      rows + bucket.pointee.row(FixedRow.windows),
      minutes: minuteRow > 0 ? UnsafePointer(rows + bucket.pointee.row(minuteRow)) : nil,
      stride: Int(bucket.pointee.wordCount), at: time)
  }

  /// Crossing a region's boundary turns every condition about it from holding to failing, or back.
  @inline(__always)
  private mutating func followRegions(
    _ bucket: UnsafePointer<TriggerBucket>, _ current: UnsafeMutablePointer<BucketState>, _ inside: UInt32
  ) {
    let changed = (current.pointee.inside ^ inside) & bucket.pointee.regions
    current.pointee.inside = inside
    if changed != 0 { turnRegions(bucket, changed: changed) }
  }

  @inline(never)
  private mutating func turnRegions(_ bucket: UnsafePointer<TriggerBucket>, changed: UInt32) {
    for region in Bits(UInt64(changed)) {
      let row = tables.row(ofRegion: UInt32(region), in: bucket)
      turnBits(
        of: state.words.base + bucket.pointee.state(.regionFails),
        by: tables.rows.base + bucket.pointee.row(row),
        count: Int(bucket.pointee.wordCount))
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
