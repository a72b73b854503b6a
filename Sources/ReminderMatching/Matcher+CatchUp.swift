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
  func rearm(_ bucket: TriggerBucket, _ current: UnsafeMutablePointer<BucketState>, _ date: CivilDate) {
    let before = CivilDate(dayNumber: current.pointee.day)
    let latest = current.pointee.latestDay
    let isFirst = current.pointee.day == BucketState.unknown
    let isRepeated = date.dayNumber <= latest || before.dayNumber < latest
    let isNewWeek = isFirst || program.week(of: before) != program.week(of: date)
    let isNewMonth = isFirst || (before.year, before.month) != (date.year, date.month)
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
    current.pointee.day = date.dayNumber
    current.pointee.latestDay = max(latest, date.dayNumber)
    current.pointee.key = BucketState.noKey
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

  /// Toggles what opened or closed between the bucket's minute and this one.
  ///
  /// Which windows are open depends on the minute of the day alone, so going round the clock once from
  /// the old minute to the new is right however many days have passed.
  @inline(__always)
  func followEdges(_ bucket: TriggerBucket, _ current: UnsafeMutablePointer<BucketState>, to minute: Int) {
    var next = Int(current.pointee.nextEdge)
    if minute < Int(current.pointee.minute) {
      next = toggle(from: next, through: 24 * 60, bucket, current)
      next = Int(bucket.firstEdge)
    }
    next = toggle(from: next, through: minute, bucket, current)
    current.pointee.nextEdge = Int32(truncatingIfNeeded: next)
    current.pointee.minute = Int32(truncatingIfNeeded: minute)
  }

  /// Toggles the windows whose edges come up to a minute; returns the first edge after it.
  @inline(__always)
  private func toggle(
    from first: Int, through minute: Int, _ bucket: TriggerBucket,
    _ current: UnsafeMutablePointer<BucketState>
  ) -> Int {
    let end = Int(bucket.endOfEdges)
    let edges = tables.edges.base
    let window = state.words.base + bucket.state(.window)
    let eligible = state.words.base + bucket.state(.eligible)
    let limit = Edge.packed(minute: minute + 1, entry: 0)
    var next = first
    var closed: Int32 = 0
    while next < end, edges[next] < limit {
      let entry = Edge.entry(edges[next])
      let word = entry >> 6
      let bit = UInt64(entry & 63)
      let before = window[word]
      window[word] = before ^ (1 &<< bit)
      if Matcher.countsMisses {
        // An eligible entry that was open counts as a miss from now on, and one that was closed no longer.
        let wasOpen = Int32(truncatingIfNeeded: before &>> bit & 1)
        closed &+= Int32(truncatingIfNeeded: eligible[word] &>> bit & 1) &* (2 &* wasOpen &- 1)
      }
      next &+= 1
    }
    current.pointee.failedTimeWindow &+= closed
    return next
  }

  /// Makes the window row from the windows themselves: in a fold, and when leaving it.
  @inline(never)
  func remakeWindows(
    _ bucket: TriggerBucket, _ current: UnsafeMutablePointer<BucketState>, _ view: LocalView
  ) {
    let row = bucket.state(.window)
    for item in Int(bucket.firstWindow)..<Int(bucket.endOfWindows) {
      let entry = tables.windows[item]
      let word = row + Int(entry.entry) / 64
      let mask: UInt64 = 1 << UInt64(entry.entry % 64)
      if entry.window.contains(view.hands) { state.words[word] |= mask } else { state.words[word] &= ~mask }
    }
    current.pointee.minute = view.isInFold ? BucketState.unknown : Int32(view.minute)
    current.pointee.nextEdge = Int32(firstEdge(after: view.minute, in: bucket))
    current.pointee.key = BucketState.noKey
  }

  /// The first edge of a bucket whose minute is after this one.
  private func firstEdge(after minute: Int, in bucket: TriggerBucket) -> Int {
    var (low, high) = (Int(bucket.firstEdge), Int(bucket.endOfEdges))
    while low < high {
      let middle = (low + high) / 2
      if Edge.minute(tables.edges[middle]) <= minute { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Makes the eligible row and counts the misses by their first kind.
  @inline(never)
  func remakeEligible(
    _ bucket: TriggerBucket, _ current: UnsafeMutablePointer<BucketState>, _ view: LocalView
  ) {
    turnRegions(bucket, changed: current.pointee.inside ^ view.inside)
    current.pointee.inside = view.inside
    let words = state.words.base
    let eligible = words + bucket.state(.eligible)
    let live = words + bucket.state(.live)
    let window = words + bucket.state(.window)
    let regionFails = words + bucket.state(.regionFails)
    let charging = tables.rows.base + bucket.row(FixedRow.charging + (view.isCharging ? 1 : 0))
    let weekday = tables.rows.base + bucket.row(FixedRow.weekday + Int(view.weekday.rawValue))
    var (lives, charges, days, regions, windows) = (0, 0, 0, 0, 0)
    for word in 0..<Int(bucket.wordCount) {
      let all = live[word]
      let charged = all & charging[word]
      let onDay = charged & weekday[word]
      let inPlace = onDay & ~regionFails[word]
      eligible[word] = inPlace
      if !Matcher.countsMisses { continue }
      lives &+= all.nonzeroBitCount
      charges &+= (all ^ charged).nonzeroBitCount
      days &+= (charged ^ onDay).nonzeroBitCount
      regions &+= (onDay ^ inPlace).nonzeroBitCount
      windows &+= (inPlace & ~window[word]).nonzeroBitCount
    }
    current.pointee.key = view.key(regions: bucket.regions)
    current.pointee.live = Int32(truncatingIfNeeded: lives)
    current.pointee.failedCharging = Int32(truncatingIfNeeded: charges)
    current.pointee.failedWeekdays = Int32(truncatingIfNeeded: days)
    current.pointee.failedRegion = Int32(truncatingIfNeeded: regions)
    current.pointee.failedTimeWindow = Int32(truncatingIfNeeded: windows)
  }

  /// Crossing a region's boundary turns every condition about it from holding to failing, or back.
  private func turnRegions(_ bucket: TriggerBucket, changed: UInt32) {
    if changed & bucket.regions == 0 { return }
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
