import CivilTime
import TriggerModel

/// Records matches. After a match, an entry waits for the next period.
extension Matcher {
  /// Records a match for every open entry of a bucket without fact conditions.
  @inline(never)
  mutating func fireOpen(_ index: Int, _ view: LocalView, into buffer: inout MatchBuffer) {
    let bucket = tables.buckets.base + index
    let open = state.words.base + bucket.pointee.state(.open)
    for word in 0..<Int(bucket.pointee.wordCount) where open[word] != 0 {
      fire(open[word], word, index, view, into: &buffer)
    }
  }

  /// Records a match for every open entry of a bucket whose entries fire once or daily.
  ///
  /// - Parameter most: The maximum number of matches.
  @inline(never)
  mutating func fireRows(
    _ most: Int, _ bucket: UnsafePointer<TriggerBucket>, _ current: UnsafeMutablePointer<BucketState>,
    day: Int32, into buffer: inout MatchBuffer
  ) {
    let rows = MatchedRows(bucket, state, tables)
    let open = state.words.base + bucket.pointee.state(.open)
    let eligible = state.words.base + bucket.pointee.state(.eligible)
    let entries = Int(bucket.pointee.firstEntry)
    let count = Int(bucket.pointee.wordCount)
    let matches = buffer.reserve(most)
    var end = matches
    for first in stride(from: 0, to: count, by: 8) {
      for place in Bits(filledWords(open, from: first, count: count)) {
        let word = first &+ place
        eligible[word] &= ~open[word]
        end = firePlain(open[word], word, rows, entries: entries, day: day, to: end)
      }
    }
    commit(end - matches, current, &buffer)
    if Self.countsMisses { counted.failedTimeWindow &-= Int64(end - matches) }
  }

  /// Records the matches of a bucket that has rows of one word and for which no counts are stored.
  @inline(__always)
  mutating func fireWord(
    _ open: UInt64, _ bucket: UnsafePointer<TriggerBucket>, day: Int32, into buffer: inout MatchBuffer
  ) {
    let matches = buffer.reserve(Int(bucket.pointee.entryCount))
    let end = firePlain(
      open, 0, MatchedRows(bucket, state, tables), entries: Int(bucket.pointee.firstEntry), day: day,
      to: matches)
    buffer.commit(end - matches)
    counted.matched &+= Int64(end - matches)
    if Self.countsMisses { counted.failedTimeWindow &-= Int64(end - matches) }
    hasChanged = true
  }

  /// Records the matches of one word whose entries fire once or daily.
  ///
  /// - Returns: The position after the last match.
  @inline(__always)
  mutating func firePlain(
    _ fired: UInt64, _ word: Int, _ rows: MatchedRows, entries: Int, day: Int32,
    to room: UnsafeMutablePointer<Match>
  ) -> UnsafeMutablePointer<Match> {
    rows.useUp(fired, word)
    return append(fired, base: entries &+ word &* 64, byPeriod: 0, day: day, to: room)
  }

  /// Adds recorded matches to the counts.
  @inline(__always)
  mutating func commit(
    _ fires: Int, _ current: UnsafeMutablePointer<BucketState>, _ buffer: inout MatchBuffer
  ) {
    current.pointee.live &-= Int32(truncatingIfNeeded: fires)
    buffer.commit(fires)
    counted.matched &+= Int64(fires)
    hasChanged = true
  }

  /// Records the matches of one word with entries of any kind.
  mutating func fire(
    _ hits: UInt64, _ word: Int, _ index: Int, _ view: LocalView, into buffer: inout MatchBuffer
  ) {
    let rows = tables.rows.base
    let bucket = tables.buckets.base + index
    if hits
      & (rows[bucket.pointee.row(FixedRow.residual) + word] | rows[bucket.pointee.row(FixedRow.shared) + word])
      == 0
    {
      fire(hits, word, bucket, state.buckets.base + index, day: view.date.dayNumber, into: &buffer)
    } else {
      fireSpecial(hits, word, index, view, into: &buffer)
    }
  }

  /// Records the matches of one word and removes the entries that must now wait for the next period.
  package mutating func fire(
    _ fired: UInt64, _ word: Int, _ bucket: UnsafePointer<TriggerBucket>,
    _ current: UnsafeMutablePointer<BucketState>, day: Int32, into buffer: inout MatchBuffer
  ) {
    if bulkRequestCounts != nil { flushRequestCounts(ofWord: bucket.pointee.firstWord + word) }
    let rows = tables.rows.base
    let byPeriod =
      rows[bucket.pointee.row(FixedRow.weekly) + word] | rows[bucket.pointee.row(FixedRow.monthly) + word]
    let matches = buffer.reserve(64)
    let fires =
      append(
        fired, base: Int(bucket.pointee.firstEntry) + word &* 64, byPeriod: byPeriod & fired, day: day,
        to: matches) - matches
    buffer.commit(fires)
    counted.matched &+= Int64(fires)
    hasChanged = true
    let words = state.words.base
    let used = fired & ~rows[bucket.pointee.row(FixedRow.always) + word]
    words[bucket.pointee.state(.open) + word] &= ~used
    words[bucket.pointee.state(.eligible) + word] &= ~used
    words[bucket.pointee.state(.live) + word] &= ~used
    words[bucket.pointee.state(.armed) + word] &= ~(fired & rows[bucket.pointee.row(FixedRow.once) + word])
    current.pointee.live &-= Int32(truncatingIfNeeded: used.nonzeroBitCount)
  }

  /// Records the matches of a word with entries that have conditions without a row, or whose reminders have
  /// other triggers.
  @inline(never)
  package mutating func fireSpecial(
    _ hits: UInt64, _ word: Int, _ index: Int, _ view: LocalView, into buffer: inout MatchBuffer
  ) {
    let bucket = tables.buckets.base + index
    let base = Int(bucket.pointee.firstEntry) + word * 64
    let residual = hits & tables.rows[bucket.pointee.row(FixedRow.residual) + word]
    let fired = hits & ~residualMisses(residual, base: base, view, into: &buffer)
    if fired == 0 { return }
    fire(fired, word, bucket, state.buckets.base + index, day: view.date.dayNumber, into: &buffer)
    let shared = fired & tables.rows[bucket.pointee.row(FixedRow.shared) + word]
    if shared != 0 { useUpOtherBuckets(shared, base: base, here: UInt32(index), view.date) }
  }

  /// Writes a match for each bit.
  ///
  /// - Parameters:
  ///   - byPeriod: The entries that repeat weekly or monthly.
  ///   - room: Memory for 64 matches.
  /// - Returns: The position after the last match.
  @inline(__always)
  private mutating func append(
    _ fired: UInt64, base: Int, byPeriod: UInt64, day: Int32, to room: UnsafeMutablePointer<Match>
  ) -> UnsafeMutablePointer<Match> {
    let memories = state.memories.base
    let declarations = tables.declarations.base + base
    let initialCount = tables.initialCount
    var room = room
    var rest = fired
    while rest != 0 {
      let bit = rest.trailingZeroBitCount
      let declaration = declarations[bit]
      rest &= rest &- 1
      let reminder = declaration < initialCount ? ReminderID(declaration) : tables.reminder(of: declaration)
      let memory = memories + reminder.index
      let before = memory.pointee
      room.pointee = Match(
        reminder: reminder, declaration: declaration, occurrence: before.occurrences)
      room += 1
      let isByPeriod = byPeriod != 0 && byPeriod >> UInt64(bit) & 1 == 1
      if !isByPeriod, let after = before.afterRequest(on: day) {
        memory.pointee = after
        continue
      }
      memory.pointee.occurrences &+= 1
      if isByPeriod {
        use(day, declaration, today: day)
      } else if !memory.pointee.use(day: day) {
        keepMatchDay(of: reminder, on: day)
      }
    }
    return room
  }

  /// Records a match of one declaration.
  ///
  /// - Parameter today: The current day if the match counts for another day, or `nil` if it counts for the
  ///   current day.
  package mutating func append(
    _ declaration: UInt32, day: Int32, today: Int32? = nil, into buffer: inout MatchBuffer
  ) {
    change()
    let reminder = tables.reminder(of: declaration)
    let occurrence = memory(of: reminder).occurrences
    use(day, declaration, today: today ?? day)
    state.memories[reminder.index].occurrences &+= 1
    buffer.reserve(1).pointee = Match(
      reminder: reminder, declaration: declaration, occurrence: occurrence)
    buffer.commit(1)
    counted.matched &+= 1
  }

  /// Appends the misses of entries for which a condition without a row fails.
  @inline(never)
  func appendResidualMisses(
    _ bits: UInt64, base: Int, _ view: LocalView, into buffer: inout MatchBuffer
  ) {
    for bit in Bits(bits) {
      let plan = Int(tables.declarations[base + bit])
      guard let failure = view.failures(of: program.plans[plan].residual, facts: facts, zone: zone) else {
        continue
      }
      buffer.misses.append(
        Miss(reminder: program.plans[plan].reminder, reason: failure.reason, failed: failure.kinds))
    }
  }

  /// Returns the entries for which a condition without a row fails, and counts and collects their misses.
  private mutating func residualMisses(
    _ bits: UInt64, base: Int, _ view: LocalView, into buffer: inout MatchBuffer
  ) -> UInt64 {
    var missed: UInt64 = 0
    for bit in Bits(bits) {
      // Access the plan by index, because a copy would retain each of its arrays.
      let plan = Int(tables.declarations[base + bit])
      let failure = view.failures(of: program.plans[plan].residual, facts: facts, zone: zone)
      guard let failure else { continue }
      missed |= 1 << UInt64(bit)
      counted.failedOther &+= 1
      if buffer.wantsMisses {
        buffer.misses.append(
          Miss(reminder: program.plans[plan].reminder, reason: failure.reason, failed: failure.kinds))
      }
    }
    return missed
  }

  /// Marks reminders with several triggers as used up in the buckets of their other triggers.
  @inline(never)
  private mutating func useUpOtherBuckets(_ used: UInt64, base: Int, here: UInt32, _ date: CivilDate) {
    for bit in Bits(used) { useUp(tables.declarations[base + bit], on: date, exceptIn: here) }
  }
}

extension MatchedRows {
  @inline(__always)
  init(_ bucket: UnsafePointer<TriggerBucket>, _ state: MatcherState, _ tables: MatchTables) {
    let words = state.words.base
    self.init(
      live: words + bucket.pointee.state(.live), armed: words + bucket.pointee.state(.armed),
      once: tables.rows.base + bucket.pointee.row(FixedRow.once))
  }
}
