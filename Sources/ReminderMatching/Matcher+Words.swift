import CivilTime
package import TriggerModel

/// Matches of one word of a trigger's entries that would ask alike. They are held until it is known what would be
/// said to them: nothing is changed by them before.
package struct HeldMatches: Hashable, Sendable, BitwiseCopyable {
  /// The trigger's bucket.
  package var trigger: UInt32
  /// Among the words of the program.
  package var word: UInt32
  /// The entries that match.
  package var bits: UInt64
  /// The local day that they count for.
  package var day: Int32
}

/// Looks that leave matches and misses as words of 64, for those who need not know of each.
extension Matcher {
  /// Why waiting reminders of a bucket do not match: one by one, or as words.
  @inline(never)
  mutating func tellMisses(
    _ bucket: UnsafePointer<TriggerBucket>, _ view: LocalView, into buffer: inout MatchBuffer
  ) {
    guard buffer.wantsMisses else { return }
    if !buffer.keepsWords || bucket.pointee.factOffset >= 0 {
      appendMisses(bucket, view, into: &buffer)
    } else if bucket.pointee.wordCount == 1 || view.isInFold || program.plans.count > program.firstCount {
      countMisses(bucket, view, into: &buffer)
    } else {
      tellLook(bucket, view, into: &buffer)
    }
  }

  /// As ``appendMisses(_:_:into:)``, with a word in place of 64 reminders. Those whose conditions are not all in
  /// rows are told one by one.
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
      let bits = appendSpecialMisses(bucket, word, view, into: &buffer)
      if bits == 0 { continue }
      let failed = FailedWords(
        timeWindow: bits & ~windows.open(word: word), weekdays: bits & ~rows[weekday + word],
        region: bits & words[bucket.state(.regionFails) + word], charging: bits & ~rows[charging + word])
      buffer.counted.append(
        CountedReminders(word: UInt32(bucket.firstWord + word), bits: bits, .missed(failed)))
    }
  }

  /// As ``countMisses(_:_:into:)``, without making their words: it is told when the trigger came and, where that has
  /// changed, who waits for it.
  private mutating func tellLook(
    _ bucket: UnsafePointer<TriggerBucket>, _ view: LocalView, into buffer: inout MatchBuffer
  ) {
    let trigger = UInt32(bucket - UnsafePointer(tables.buckets.base))
    let bucket = bucket.pointee
    if bucket.hasSpecials {
      for word in 0..<Int(bucket.wordCount) { _ = appendSpecialMisses(bucket, word, view, into: &buffer) }
    }
    if told.count != program.wordCount { told = ToldRows(count: program.wordCount) }
    let words = state.words.base
    told.update(
      from: bucket.firstWord, live: words + bucket.state(.live),
      apart: tables.rows.base + bucket.row(FixedRow.residual),
      regionFails: words + bucket.state(.regionFails), count: Int(bucket.wordCount)
    ) { word, waiting, outOfPlace in
      buffer.counted.append(
        CountedReminders(
          word: UInt32(word), bits: waiting, .waiting(trigger: trigger, outOfPlace: outOfPlace)))
    }
    let look = LookTime(
      trigger: trigger, minute: view.time.minute, weekday: Int(view.weekday.rawValue),
      isCharging: view.isCharging)
    buffer.counted.append(CountedReminders(word: 0, bits: 0, .looked(look)))
  }

  /// Appends the misses of one word of those whose conditions are not all in rows.
  /// - Returns: All others of it that miss.
  private func appendSpecialMisses(
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

  /// Holds the matches of a bucket without fact conditions. What does not ask alike matches at once.
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

  /// - Returns: Those that do not ask alike.
  func hold(
    _ hits: UInt64, _ word: Int, _ index: Int, day: Int32, into buffer: inout MatchBuffer
  ) -> UInt64 {
    let number = tables.buckets[index].firstWord + word
    let bits = hits & program.alike(UInt32(number))
    if bits != 0 {
      buffer.held.append(
        HeldMatches(trigger: UInt32(index), word: UInt32(number), bits: bits, day: day))
    }
    return hits & ~bits
  }

  /// Matches that were held are taken one by one after all.
  package mutating func take(_ held: HeldMatches, into buffer: inout MatchBuffer) {
    own()
    let index = Int(held.trigger)
    let bucket = tables.buckets.base + index
    let word = Int(held.word) - bucket.pointee.firstWord
    fire(held.bits, word, bucket, state.buckets.base + index, day: held.day, into: &buffer)
  }

  /// Matches that were held came to nothing: their reminders go on waiting, each with one request more behind it.
  package mutating func count(_ held: HeldMatches) {
    own()
    hasChanged = true
    counted.matched += Int64(held.bits.nonzeroBitCount)
    countAsked(held.bits, ofWord: Int(held.word))
    let bucket = tables.buckets.base + Int(held.trigger)
    if !bucket.pointee.hasSpecials { return }
    // Where every match counts there is none to be given back.
    let word = Int(held.word) - bucket.pointee.firstWord
    for bit in Bits(held.bits & tables.rows[bucket.pointee.row(FixedRow.always) + word]) {
      let reminder = program.reminder(held.word, bit)
      if !state.memories.base[reminder.index].use(day: held.day) { keepTurn(of: reminder, on: held.day) }
    }
  }
}

extension ReminderProgram {
  /// What the misses of a trigger's entries follow from.
  package func lookRows(of trigger: UInt32) -> LookRows {
    let bucket = tables.buckets[Int(trigger)]
    let rows = UnsafePointer(tables.rows.base)
    return LookRows(
      weekdays: rows + bucket.row(FixedRow.weekday), chargers: rows + bucket.row(FixedRow.charging),
      quarters: rows + bucket.row(FixedRow.windows),
      minutes: bucket.minuteRow > 0 ? rows + bucket.row(Int(bucket.minuteRow)) : nil,
      firstWord: bucket.firstWord, wordCount: Int(bucket.wordCount))
  }

  /// How many words the entries of all triggers take.
  package var wordCount: Int { tables.firstEntries.count }

  /// The declaration behind a bit of a word.
  @inline(__always)
  package func declaration(_ word: UInt32, _ bit: Int) -> UInt32 {
    tables.declarations[Int(tables.firstEntries[Int(word)]) + bit]
  }

  /// The reminder behind a bit of a word.
  @inline(__always)
  package func reminder(_ word: UInt32, _ bit: Int) -> ReminderID {
    tables.reminder(of: declaration(word, bit))
  }

  /// The entries of a word whose requests are alike, of each bucket, in the order of its raw value.
  package func alikeByBucket(_ word: UInt32) -> SIMD4<UInt64> {
    let rows = tables.alike.base + Int(word) * MatchTables.bucketCount
    return SIMD4(rows[0], rows[1], rows[2], 0)
  }

  /// Of one bucket; see ``alikeByBucket(_:)``.
  package func alike(_ word: UInt32, _ bucket: Bucket) -> UInt64 {
    tables.alike.base[Int(word) * MatchTables.bucketCount + Int(bucket.rawValue)]
  }

  func alike(_ word: UInt32) -> UInt64 {
    let rows = tables.alike.base + Int(word) * MatchTables.bucketCount
    return rows[0] | rows[1] | rows[2]
  }

  /// The entries of a word that are of one type.
  package func forEachWord(of type: TypeID, _ body: (_ word: UInt32, _ bits: UInt64) -> Void) {
    guard type.index + 1 < typeStarts.count else { return }
    func tell(_ declaration: UInt32) {
      if let place = place(of: declaration) { body(place.word, place.bit) }
    }
    declarationsByType[Int(typeStarts[type.index])..<Int(typeStarts[type.index + 1])].forEach(tell)
    addedByType[type]?.forEach(tell)
  }

  /// Where a declaration with one trigger stands.
  package func place(of declaration: UInt32) -> (word: UInt32, bit: UInt64)? {
    guard let place = places(of: declaration).first else { return nil }
    let word = tables.buckets[Int(place.bucket)].firstWord + Int(place.entry) / 64
    return (UInt32(word), 1 << UInt64(place.entry % 64))
  }
}
