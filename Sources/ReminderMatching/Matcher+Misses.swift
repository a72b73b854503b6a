import CivilTime
package import TriggerModel

/// Reports individually why waiting reminders of a bucket do not match. Journals and explanations need this.
extension Matcher {
  /// Appends a miss for each live entry for which a condition with a row fails.
  ///
  /// Call this after updating the bucket, and before recording its matches.
  @inline(never)
  mutating func appendMisses(
    _ bucket: UnsafePointer<TriggerBucket>, _ view: LocalView, into buffer: inout MatchBuffer
  ) {
    let windows = windows(of: bucket, at: view.time)
    let bucket = bucket.pointee
    let charging = bucket.row(FixedRow.charging + (view.isCharging ? 1 : 0))
    let weekday = bucket.row(FixedRow.weekday + Int(view.weekday.rawValue))
    for word in 0..<Int(bucket.wordCount) {
      let missed = state.words[bucket.state(.live) + word] & ~state.words[bucket.state(.open) + word]
      if missed == 0 { continue }
      let window = windows.open(word: word)
      let regionFails = state.words[bucket.state(.regionFails) + word]
      for bit in Bits(missed) {
        let mask: UInt64 = 1 << UInt64(bit)
        let declaration = tables.declarations[Int(bucket.firstEntry) + word * 64 + bit]
        if tables.rows[bucket.row(FixedRow.residual) + word] & mask != 0
          || bucket.factOffset >= 0 && tables.facts.hasTerms(declaration)
        {
          appendMiss(of: Int(declaration), view, into: &buffer)
          continue
        }
        var failed: ConditionKinds = []
        if tables.rows[charging + word] & mask == 0 { failed.insert(.charging) }
        if tables.rows[weekday + word] & mask == 0 { failed.insert(.weekdays) }
        if regionFails & mask != 0 { failed.insert(.region) }
        if window & mask == 0 { failed.insert(.timeWindow) }
        buffer.misses.append(
          Miss(reminder: tables.reminder(of: declaration), reason: .conditionFailed, failed: failed))
      }
    }
  }

  /// Appends the miss of a reminder that has conditions without a row, if any of its conditions fails.
  func appendMiss(of plan: Int, _ view: LocalView, into buffer: inout MatchBuffer) {
    let failure = view.failures(of: program.plans[plan].conditions, facts: facts, zone: zone)
    guard let failure else { return }
    buffer.misses.append(
      Miss(reminder: program.plans[plan].reminder, reason: failure.reason, failed: failure.kinds))
  }
}

/// The matches with interchangeable requests in one word of a trigger's entries.
///
/// They change the state only once the decision about them is known.
package struct MatchBatch: Hashable, Sendable, BitwiseCopyable {
  /// The trigger's bucket.
  package var trigger: UInt32
  /// The index of the word in the program.
  package var word: UInt32
  /// The matching entries.
  package var bits: UInt64
  /// The local day for which the matches count.
  package var day: Int32
}

/// Collects matches and misses as words of 64 entries, for callers that do not need them individually.
extension Matcher {
  /// Reports why waiting reminders of a bucket do not match, individually or as words.
  @inline(never)
  mutating func reportMisses(
    _ bucket: UnsafePointer<TriggerBucket>, _ view: LocalView, into buffer: inout MatchBuffer
  ) {
    guard buffer.wantsMisses else { return }
    if !buffer.collectsBatches || bucket.pointee.factOffset >= 0 {
      appendMisses(bucket, view, into: &buffer)
    } else if bucket.pointee.wordCount == 1 || view.isInFold || program.plans.count > program.initialCount {
      countMisses(bucket, view, into: &buffer)
    } else {
      reportEvaluation(bucket, view, into: &buffer)
    }
  }

  /// Reports the same misses as ``appendMisses(_:_:into:)``, but with one word for 64 reminders. Reminders
  /// that have conditions without a row are reported individually.
  private mutating func countMisses(
    _ bucket: UnsafePointer<TriggerBucket>, _ view: LocalView, into buffer: inout MatchBuffer
  ) {
    let windows = windows(of: bucket, at: view.time)
    let bucket = bucket.pointee
    let words = state.words.base
    let rows = tables.rows.base
    let charging = bucket.row(FixedRow.charging + (view.isCharging ? 1 : 0))
    let weekday = bucket.row(FixedRow.weekday + Int(view.weekday.rawValue))
    for word in 0..<Int(bucket.wordCount) {
      let bits = appendResidualWordMisses(bucket, word, view, into: &buffer)
      if bits == 0 { continue }
      let failed = FailedWords(
        timeWindow: bits & ~windows.open(word: word), weekdays: bits & ~rows[weekday + word],
        region: bits & words[bucket.state(.regionFails) + word], charging: bits & ~rows[charging + word])
      buffer.counted.append(
        CountedReminders(word: UInt32(bucket.firstWord + word), bits: bits, .missed(failed)))
    }
  }

  /// Reports that the trigger occurred, and, if this has changed, which entries wait for it. ``MissTally``
  /// derives the misses from these reports.
  private mutating func reportEvaluation(
    _ bucket: UnsafePointer<TriggerBucket>, _ view: LocalView, into buffer: inout MatchBuffer
  ) {
    let trigger = UInt32(bucket - UnsafePointer(tables.buckets.base))
    let bucket = bucket.pointee
    if bucket.hasSpecials {
      for word in 0..<Int(bucket.wordCount) {
        _ = appendResidualWordMisses(bucket, word, view, into: &buffer)
      }
    }
    if reportedRows.count != program.wordCount { reportedRows = ReportedRows(count: program.wordCount) }
    let words = state.words.base
    reportedRows.update(
      from: bucket.firstWord, live: words + bucket.state(.live),
      apart: tables.rows.base + bucket.row(FixedRow.residual),
      regionFails: words + bucket.state(.regionFails), count: Int(bucket.wordCount)
    ) { word, waiting, outOfPlace in
      buffer.counted.append(
        CountedReminders(
          word: UInt32(word), bits: waiting, .waiting(trigger: trigger, outOfPlace: outOfPlace)))
    }
    let look = EvaluationTime(
      trigger: trigger, minute: view.time.minute, weekday: Int(view.weekday.rawValue),
      isCharging: view.isCharging)
    buffer.counted.append(CountedReminders(word: 0, bits: 0, .looked(look)))
  }

  /// Appends the misses of those entries of a word that have conditions without a row.
  ///
  /// - Returns: The other entries of the word that miss.
  private func appendResidualWordMisses(
    _ bucket: TriggerBucket, _ word: Int, _ view: LocalView, into buffer: inout MatchBuffer
  ) -> UInt64 {
    let missed = state.words[bucket.state(.live) + word] & ~state.words[bucket.state(.open) + word]
    let special = missed & tables.rows[bucket.row(FixedRow.residual) + word]
    for bit in Bits(special) {
      let declaration = tables.declarations[Int(bucket.firstEntry) + word * 64 + bit]
      appendMiss(of: Int(declaration), view, into: &buffer)
    }
    return missed & ~special
  }

  /// Collects the matches of a bucket without fact conditions as words. Entries whose requests are not
  /// interchangeable match immediately.
  @inline(never)
  mutating func holdRows(_ index: Int, _ view: LocalView, into buffer: inout MatchBuffer) {
    let bucket = tables.buckets.base + index
    let open = state.words.base + bucket.pointee.state(.open)
    for word in 0..<Int(bucket.pointee.wordCount) {
      let hits = open[word]
      if hits == 0 { continue }
      let rest = hold(hits, word, index, day: view.date.dayNumber, into: &buffer)
      if rest != 0 { fireSpecial(rest, word, index, view, into: &buffer) }
    }
  }

  /// - Returns: The entries whose requests are not interchangeable.
  func hold(
    _ hits: UInt64, _ word: Int, _ index: Int, day: Int32, into buffer: inout MatchBuffer
  ) -> UInt64 {
    let number = tables.buckets[index].firstWord + word
    let bits = hits & program.alike(UInt32(number))
    if bits != 0 {
      buffer.held.append(
        MatchBatch(trigger: UInt32(index), word: UInt32(number), bits: bits, day: day))
    }
    return hits & ~bits
  }

  /// Records collected matches individually.
  package mutating func take(_ held: MatchBatch, into buffer: inout MatchBuffer) {
    own()
    let index = Int(held.trigger)
    let bucket = tables.buckets.base + index
    let word = Int(held.word) - bucket.pointee.firstWord
    fire(held.bits, word, bucket, state.buckets.base + index, day: held.day, into: &buffer)
  }

  /// Counts collected matches that were denied. Their reminders continue to wait, and the number of requests
  /// of each increases by one.
  package mutating func count(_ held: MatchBatch) {
    own()
    hasChanged = true
    counted.matched += Int64(held.bits.nonzeroBitCount)
    countRequests(held.bits, ofWord: Int(held.word))
    let bucket = tables.buckets.base + Int(held.trigger)
    if !bucket.pointee.hasSpecials { return }
    // For entries that fire at every match, record the day, because their matches are never reverted.
    let word = Int(held.word) - bucket.pointee.firstWord
    for bit in Bits(held.bits & tables.rows[bucket.pointee.row(FixedRow.always) + word]) {
      let reminder = program.reminder(held.word, bit)
      if !state.memories.base[reminder.index].use(day: held.day) { keepMatchDay(of: reminder, on: held.day) }
    }
  }
}

extension ReminderProgram {
  /// Returns the rows that determine the misses among a trigger's entries.
  package func lookRows(of trigger: UInt32) -> MissRows {
    let bucket = tables.buckets[Int(trigger)]
    let rows = UnsafePointer(tables.rows.base)
    return MissRows(
      weekdays: rows + bucket.row(FixedRow.weekday), chargers: rows + bucket.row(FixedRow.charging),
      quarters: rows + bucket.row(FixedRow.windows),
      minutes: bucket.minuteRow > 0 ? rows + bucket.row(Int(bucket.minuteRow)) : nil,
      firstWord: bucket.firstWord, wordCount: Int(bucket.wordCount))
  }

  /// The number of words that the entries of the program take.
  package var wordCount: Int { tables.firstEntries.count }

  /// Returns the declaration at a bit of a word.
  @inline(__always)
  package func declaration(_ word: UInt32, _ bit: Int) -> UInt32 {
    tables.declarations[Int(tables.firstEntries[Int(word)]) + bit]
  }

  /// Returns the reminder at a bit of a word.
  @inline(__always)
  package func reminder(_ word: UInt32, _ bit: Int) -> ReminderID {
    tables.reminder(of: declaration(word, bit))
  }

  /// Returns the entries of a word that have interchangeable requests, for each notification bucket in the
  /// order of raw values.
  package func alikeByBucket(_ word: UInt32) -> SIMD4<UInt64> {
    let rows = tables.alike.base + Int(word) * MatchTables.bucketCount
    return SIMD4(rows[0], rows[1], rows[2], 0)
  }

  /// Returns the entries of a word that have interchangeable requests for one notification bucket. See
  /// ``alikeByBucket(_:)``.
  package func alike(_ word: UInt32, _ bucket: Bucket) -> UInt64 {
    tables.alike.base[Int(word) * MatchTables.bucketCount + Int(bucket.rawValue)]
  }

  func alike(_ word: UInt32) -> UInt64 {
    let rows = tables.alike.base + Int(word) * MatchTables.bucketCount
    return rows[0] | rows[1] | rows[2]
  }

  /// Calls the body with the word and the bit of each declaration that has interchangeable requests of a
  /// type.
  package func forEachWord(of type: TypeID, _ body: (_ word: UInt32, _ bits: UInt64) -> Void) {
    guard type.index + 1 < typeStarts.count else { return }
    func tell(_ declaration: UInt32) {
      if let place = place(of: declaration) { body(place.word, place.bit) }
    }
    declarationsByType[Int(typeStarts[type.index])..<Int(typeStarts[type.index + 1])].forEach(tell)
    addedByType[type]?.forEach(tell)
  }

  /// Returns the word and the bit of a declaration that has one trigger.
  package func place(of declaration: UInt32) -> (word: UInt32, bit: UInt64)? {
    guard let place = places(of: declaration).first else { return nil }
    let word = tables.buckets[Int(place.bucket)].firstWord + Int(place.entry) / 64
    return (UInt32(word), 1 << UInt64(place.entry % 64))
  }
}
