import CivilTime
import TriggerModel

/// The hot path: which reminders match an event.
///
/// A bucket's *eligible* row says for each entry that it is live and that every condition with a row
/// holds, the time window apart. It is made anew only when the weekday, the charging state or a region
/// changed since the bucket was last looked at; the *window* row follows the clock by its edges. A look
/// is then one `and` per 64 reminders, and the counts of misses by kind come along for nothing.
struct Matcher: Sendable {
  let program: ReminderProgram
  var words: [UInt64]
  var buckets: [BucketState]
  var memories: [ReminderMemory]
  var totals = MatchTotals()

  init(program: ReminderProgram) {
    self.program = program
    words = program.initialState
    buckets = program.buckets.map { bucket in
      BucketState(nextEdge: Self.firstEdge(after: 0, in: bucket, of: program))
    }
    memories = Array(repeating: ReminderMemory(), count: program.declarations.count)
  }

  /// Appends the matches of a bucket whose trigger has come.
  mutating func look(
    at index: Int, _ view: LocalView, facts: FactStore, zone: Zone, into buffer: inout MatchBuffer
  ) {
    let bucket = program.buckets[index]
    if bucket.entryCount == 0 { return }
    catchUp(index, bucket, view)
    totals.lookedAt += 1
    totals.triggered += Int64(buckets[index].live)
    totals.failedCharging += Int64(buckets[index].failedCharging)
    totals.failedWeekdays += Int64(buckets[index].failedWeekdays)
    totals.failedRegion += Int64(buckets[index].failedRegion)
    totals.failedTimeWindow += Int64(buckets[index].failedTimeWindow)
    if buffer.wantsMisses { appendMisses(index, bucket, view, into: &buffer) }
    buffer.reserve(Int(bucket.entryCount))
    let eligible = bucket.state(.eligible)
    let window = bucket.state(.window)
    for word in 0..<Int(bucket.wordCount) {
      let hits = words[eligible + word] & words[window + word]
      if hits != 0 { fire(hits, word, index, bucket, view, facts: facts, zone: zone, into: &buffer) }
    }
  }

  /// Brings a bucket's rows up to the view.
  @inline(__always)
  mutating func catchUp(_ index: Int, _ bucket: TriggerBucket, _ view: LocalView) {
    if buckets[index].day != view.date.dayNumber { rearm(index, bucket, view) }
    if view.isInFold || buckets[index].minute == BucketState.unknown {
      remakeWindows(index, bucket, view)
    } else if buckets[index].minute != Int32(view.minute) {
      followEdges(index, bucket, to: view.minute)
    }
    if buckets[index].key != view.key { remakeEligible(index, bucket, view) }
  }

  // MARK: Matches

  private mutating func fire(
    _ hits: UInt64, _ word: Int, _ index: Int, _ bucket: TriggerBucket, _ view: LocalView, facts: FactStore,
    zone: Zone, into buffer: inout MatchBuffer
  ) {
    let base = Int(bucket.firstEntry) + word * 64
    let residual = program.rows[bucket.row(FixedRow.residual) + word]
    let shared = program.rows[bucket.row(FixedRow.shared) + word]
    var fired = hits
    if hits & residual != 0 {
      fired = withoutResidualMisses(hits, residual, base: base, view, facts: facts, zone: zone, into: &buffer)
    }
    var rest = fired
    while rest != 0 {
      let declaration = program.entryDeclarations[base + rest.trailingZeroBitCount]
      rest &= rest - 1
      append(declaration, day: view.date.dayNumber, into: &buffer)
    }
    let once = program.rows[bucket.row(FixedRow.once) + word]
    let used =
      fired
      & (once | program.rows[bucket.row(FixedRow.daily) + word]
        | program.rows[bucket.row(FixedRow.weekly) + word]
        | program.rows[bucket.row(FixedRow.monthly) + word])
    words[bucket.state(.eligible) + word] &= ~used
    words[bucket.state(.live) + word] &= ~used
    words[bucket.state(.armed) + word] &= ~(fired & once)
    buckets[index].live -= Int32(used.nonzeroBitCount)
    if used & shared != 0 { useUpElsewhere(used & shared, base: base, here: UInt32(index)) }
  }

  @inline(__always)
  mutating func append(_ declaration: UInt32, day: Int32, into buffer: inout MatchBuffer) {
    let reminder = program.plans[Int(declaration)].reminder
    let occurrence = memories[reminder.index].occurrences
    memories[reminder.index].occurrences = occurrence &+ 1
    memories[reminder.index].lastDay = day
    buffer.append(Match(reminder: reminder, declaration: declaration, occurrence: occurrence))
    totals.matched += 1
  }

  /// The hits whose conditions without a row hold too.
  private mutating func withoutResidualMisses(
    _ hits: UInt64, _ residual: UInt64, base: Int, _ view: LocalView, facts: FactStore, zone: Zone,
    into buffer: inout MatchBuffer
  ) -> UInt64 {
    var kept = hits
    var rest = hits & residual
    while rest != 0 {
      let bit = rest.trailingZeroBitCount
      rest &= rest - 1
      let plan = program.plans[Int(program.entryDeclarations[base + bit])]
      guard let failure = view.failures(of: plan.residual, facts: facts, zone: zone) else { continue }
      kept &= ~(1 << UInt64(bit))
      totals.failedOther += 1
      if buffer.wantsMisses {
        buffer.misses.append(Miss(reminder: plan.reminder, reason: failure.reason, failed: failure.kinds))
      }
    }
    return kept
  }

  /// A reminder with several triggers is used up in all of its buckets.
  private mutating func useUpElsewhere(_ used: UInt64, base: Int, here: UInt32) {
    var rest = used
    while rest != 0 {
      let declaration = program.entryDeclarations[base + rest.trailingZeroBitCount]
      rest &= rest - 1
      let isOnce = program.plans[Int(declaration)].repeats == .once
      for place in program.places(of: declaration) where place.bucket != here {
        setBit(.live, place, false)
        if isOnce { setBit(.armed, place, false) }
        buckets[Int(place.bucket)].key = BucketState.noKey
      }
    }
  }

  // MARK: Single entries

  func bit(_ row: StateRow, _ place: EntryPlace) -> Bool {
    let bucket = program.buckets[Int(place.bucket)]
    return words[bucket.state(row) + Int(place.entry) / 64] >> UInt64(place.entry % 64) & 1 == 1
  }

  mutating func setBit(_ row: StateRow, _ place: EntryPlace, _ value: Bool) {
    let word = program.buckets[Int(place.bucket)].state(row) + Int(place.entry) / 64
    let mask: UInt64 = 1 << UInt64(place.entry % 64)
    if value { words[word] |= mask } else { words[word] &= ~mask }
  }

  /// Makes a declaration wait for its triggers, or stop waiting.
  mutating func setWaiting(_ declaration: UInt32, live: Bool, armed: Bool) {
    for place in program.places(of: declaration) {
      setBit(.live, place, live)
      setBit(.armed, place, armed)
      buckets[Int(place.bucket)].key = BucketState.noKey
    }
  }
}

extension ReminderProgram {
  /// Where a declaration's entries are, one per trigger.
  func places(of declaration: UInt32) -> ArraySlice<EntryPlace> {
    entryPlaces[Int(entriesOfDeclaration[Int(declaration)])..<Int(entriesOfDeclaration[Int(declaration) + 1])]
  }
}
