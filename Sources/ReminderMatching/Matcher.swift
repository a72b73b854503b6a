package import CivilTime
package import TriggerModel

/// The hot path: which reminders match an event.
///
/// A bucket's *eligible* row says for each entry that it is live and that every condition with a row
/// holds, the time window apart. It is made anew only when the weekday, the charging state or a region
/// changed since the bucket was last looked at; the *window* row follows the clock by its edges. A look
/// is then one `and` per 64 reminders, and the counts of misses by kind come along for nothing.
///
/// A value: copies share the state until one of them changes it.
package struct Matcher: Sendable {
  package private(set) var program: ReminderProgram
  /// The program's tables, at hand without going through it.
  package private(set) var tables: MatchTables
  package private(set) var state: MatcherState
  /// Changed by ``set(_:_:at:age:_:)``.
  package var facts: FactStore
  /// How far the rows of failing fact conditions have followed the facts.
  package var factSync = FactSync()
  /// The days of matches that lie too long before a reminder's latest to be kept with it, since that was
  /// handed over for a day to come, or the clock was set back. Ascending.
  package var turns: [ReminderID: [Int32]] { didSet { hasChanged = true } }
  /// By reminder one more than the number of the request that was shown last; 0: none was. Empty before the
  /// first is.
  private var shownNumbers: [UInt32] = []
  /// What must be stored is another than when this was last set to false. The rows are none of it: they
  /// follow from the rest and the clock.
  package var hasChanged = false
  /// The zone that the phone is set to.
  package var zone: Zone
  package var totals = MatchTotals()
  /// By word, how often entries have asked and were denied that is not in their memories yet.
  var asked = BitCounts(words: 0)

  package init(
    program: ReminderProgram, state: MatcherState, facts: FactStore, turns: [ReminderID: [Int32]], zone: Zone
  ) {
    self.program = program
    self.zone = zone
    tables = program.tables
    self.state = state
    self.facts = facts
    self.turns = turns
  }

  /// Whether any reminder listens to an event.
  @inline(__always)
  package func listens(to event: ObservedEvent) -> Bool {
    tables.bucket(of: event.kind, event.subject) != nil
  }

  /// Appends the matches of the reminders that listen to an event.
  ///
  /// One call from the engine, in which everything else is inlined.
  ///
  /// - Parameter inside: Bit *r*: inside region *r*.
  /// - Returns: Their bucket; nil if nobody listens.
  package mutating func look(
    for event: ObservedEvent, from viewpoint: inout Viewpoint, inside: UInt32, into buffer: inout MatchBuffer
  ) -> Int? {
    guard let bucket = tables.bucket(of: event.kind, event.subject) else { return nil }
    look(at: bucket, viewpoint.view(at: event.moment, inside: inside), into: &buffer)
    return bucket
  }

  /// Takes a copy of the state when a copy of the matcher shares it. Whatever changes the state calls
  /// this first.
  @inline(__always)
  package mutating func own() {
    if !isKnownUniquelyReferenced(&state) { state = MatcherState(copying: state) }
  }

  /// Takes a copy of the program when anybody else has it.
  package mutating func ownProgram() {
    noteAsked()
    if !isKnownUniquelyReferenced(&program) { program = ReminderProgram(copying: program) }
  }

  /// Goes on with a program, and a state of it.
  package mutating func use(_ program: ReminderProgram, _ state: MatcherState) {
    self.program = program
    self.state = state
    tables = program.tables
    if shownNumbers.isEmpty || shownNumbers.count >= program.reminderCount { return }
    shownNumbers += repeatElement(0, count: program.reminderCount - shownNumbers.count)
  }

  /// As ``own()``, before something is changed that must be stored.
  private mutating func change() {
    own()
    hasChanged = true
  }

  /// Whether why reminders do not match is counted: always, but in the build with which
  /// `.ci/trials/why-not` measures what that costs.
  @inline(__always)
  package static var countsMisses: Bool {
    #if WITHOUT_MISS_COUNTS
      false
    #else
      true
    #endif
  }

  /// Appends the matches of a bucket whose trigger has come.
  @inline(__always)
  private mutating func look(at index: Int, _ view: LocalView, into buffer: inout MatchBuffer) {
    own()
    let bucket = tables.buckets.base + index
    let current = state.buckets.base + index
    catchUp(bucket, current, view)
    totals.lookedAt += 1
    if Self.countsMisses {
      totals.triggered += Int64(current.pointee.live)
      totals.failedCharging += Int64(current.pointee.failedCharging)
      totals.failedWeekdays += Int64(current.pointee.failedWeekdays)
      totals.failedRegion += Int64(current.pointee.failedRegion)
      totals.failedTimeWindow += Int64(current.pointee.failedTimeWindow)
    }
    if buffer.isAskedForMore {
      tellMisses(bucket, view, into: &buffer)
      if buffer.keepsWords, bucket.pointee.factOffset < 0 { return holdRows(index, view, into: &buffer) }
    }
    if bucket.pointee.factOffset >= 0 { return lookAtFacts(index, view, into: &buffer) }
    let eligible = state.words.base + bucket.pointee.state(.eligible)
    let window = state.words.base + bucket.pointee.state(.window)
    let residual = tables.rows.base + bucket.pointee.row(FixedRow.residual)
    let shared = tables.rows.base + bucket.pointee.row(FixedRow.shared)
    for word in 0..<Int(bucket.pointee.wordCount) {
      let hits = eligible[word] & window[word]
      if hits == 0 { continue }
      if hits & (residual[word] | shared[word]) == 0 {
        fire(hits, word, bucket, current, day: view.date.dayNumber, into: &buffer)
      } else {
        fireSpecial(hits, word, index, view, into: &buffer)
      }
    }
  }

  /// The rest of a look at a bucket of which some entries have fact conditions.
  @inline(never)
  private mutating func lookAtFacts(_ index: Int, _ view: LocalView, into buffer: inout MatchBuffer) {
    if !factSync.isUpToDate(at: view.moment) { catchUpFacts(view) }
    let bucket = tables.buckets.base + index
    let current = state.buckets.base + index
    let eligible = state.words.base + bucket.pointee.state(.eligible)
    let window = state.words.base + bucket.pointee.state(.window)
    let fails = state.factRows.base + Int(bucket.pointee.factOffset)
    let special = tables.rows.base + bucket.pointee.row(FixedRow.residual)
    let shared = tables.rows.base + bucket.pointee.row(FixedRow.shared)
    for word in 0..<Int(bucket.pointee.wordCount) {
      let ready = eligible[word] & window[word]
      if ready == 0 { continue }
      let reasons = fails + word &* FactOutcome.rows
      let (stale, unsure) = (reasons[FactOutcome.staleData.row], reasons[FactOutcome.lowConfidence.row])
      let notEntitled = reasons[FactOutcome.notEntitled.row]
      let failing = ready & (reasons[FactOutcome.conditionFailed.row] | stale | unsure | notEntitled)
      if failing != 0 {
        totals.failedOther += Int64(failing.nonzeroBitCount)
        totals.staleData += Int64((ready & stale).nonzeroBitCount)
        totals.lowConfidence += Int64((ready & unsure).nonzeroBitCount)
        totals.notEntitled += Int64((ready & notEntitled).nonzeroBitCount)
        if buffer.wantsMisses {
          appendResidualMisses(failing, base: Int(bucket.pointee.firstEntry) + word * 64, view, into: &buffer)
        }
      }
      var hits = ready & ~failing
      if buffer.keepsWords { hits = hold(hits, word, index, day: view.date.dayNumber, into: &buffer) }
      if hits == 0 { continue }
      if hits & (special[word] | shared[word]) == 0 {
        fire(hits, word, bucket, current, day: view.date.dayNumber, into: &buffer)
      } else {
        fireSpecial(hits, word, index, view, into: &buffer)
      }
    }
  }

  /// Brings a bucket's rows up to the view.
  @inline(__always)
  package func catchUp(
    _ bucket: UnsafePointer<TriggerBucket>, _ current: UnsafeMutablePointer<BucketState>, _ view: LocalView
  ) {
    if current.pointee.day != view.date.dayNumber { rearm(bucket.pointee, current, view.date) }
    if view.isInFold || current.pointee.minute == BucketState.unknown {
      remakeWindows(bucket.pointee, current, view)
    } else if current.pointee.minute != Int32(truncatingIfNeeded: view.minute) {
      followEdges(bucket.pointee, current, to: view.minute)
    }
    if current.pointee.key != view.key(regions: bucket.pointee.regions) {
      remakeEligible(bucket.pointee, current, view)
    }
  }

  // MARK: Matches

  /// The entries of one word that match: records them, and uses up those that wait for another turn.
  @inline(__always)
  package mutating func fire(
    _ fired: UInt64, _ word: Int, _ bucket: UnsafePointer<TriggerBucket>,
    _ current: UnsafeMutablePointer<BucketState>, day: Int32, into buffer: inout MatchBuffer
  ) {
    if !asked.isEmpty { noteAsked(ofWord: bucket.pointee.firstWord + word) }
    let rows = tables.rows.base
    let byPeriod =
      rows[bucket.pointee.row(FixedRow.weekly) + word] | rows[bucket.pointee.row(FixedRow.monthly) + word]
    append(
      fired, base: Int(bucket.pointee.firstEntry) + word &* 64, byPeriod: byPeriod & fired, day: day,
      into: &buffer)
    let words = state.words.base
    let used = fired & ~rows[bucket.pointee.row(FixedRow.always) + word]
    words[bucket.pointee.state(.eligible) + word] &= ~used
    words[bucket.pointee.state(.live) + word] &= ~used
    words[bucket.pointee.state(.armed) + word] &= ~(fired & rows[bucket.pointee.row(FixedRow.once) + word])
    current.pointee.live &-= Int32(truncatingIfNeeded: used.nonzeroBitCount)
  }

  /// As ``fire(_:_:_:_:day:into:)`` where some entry of the word has conditions without a row, or other
  /// triggers.
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
    if shared != 0 { useUpElsewhere(shared, base: base, here: UInt32(index), view.date) }
  }

  /// Records a match for each bit.
  ///
  /// - Parameter byPeriod: those that repeat weekly or monthly.
  @inline(__always)
  private mutating func append(
    _ fired: UInt64, base: Int, byPeriod: UInt64, day: Int32, into buffer: inout MatchBuffer
  ) {
    var room = buffer.reserve(64)
    let memories = state.memories.base
    let declarations = tables.declarations.base + base
    var rest = fired
    var count = 0
    while rest != 0 {
      let bit = rest.trailingZeroBitCount
      let declaration = declarations[bit]
      rest &= rest &- 1
      let reminder = tables.reminder(of: declaration)
      let occurrence = memories[reminder.index].occurrences
      memories[reminder.index].occurrences = occurrence &+ 1
      if byPeriod != 0, byPeriod >> UInt64(bit) & 1 == 1 {
        use(day, declaration, today: day)
      } else if !memories[reminder.index].use(day: day) {
        keepTurn(of: reminder, on: day)
      }
      room.pointee = Match(reminder: reminder, declaration: declaration, occurrence: occurrence)
      room += 1
      count &+= 1
    }
    buffer.commit(count)
    totals.matched += Int64(count)
    hasChanged = true
  }

  /// Records a match of one declaration.
  ///
  /// - Parameter today: when that is another day than the one that the match counts for.
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
    totals.matched += 1
  }

  /// The misses of entries of which a condition without a row of its own fails.
  @inline(never)
  private func appendResidualMisses(
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

  /// Those of the bits for which a condition without a row fails: the second of a kind.
  private mutating func residualMisses(
    _ bits: UInt64, base: Int, _ view: LocalView, into buffer: inout MatchBuffer
  ) -> UInt64 {
    var missed: UInt64 = 0
    for bit in Bits(bits) {
      // No copy of the plan, which counts a reference for each of its lists.
      let plan = Int(tables.declarations[base + bit])
      let failure = view.failures(of: program.plans[plan].residual, facts: facts, zone: zone)
      guard let failure else { continue }
      missed |= 1 << UInt64(bit)
      totals.failedOther += 1
      if buffer.wantsMisses {
        buffer.misses.append(
          Miss(reminder: program.plans[plan].reminder, reason: failure.reason, failed: failure.kinds))
      }
    }
    return missed
  }

  /// Reminders with several triggers are used up in all of their buckets.
  @inline(never)
  private func useUpElsewhere(_ used: UInt64, base: Int, here: UInt32, _ date: CivilDate) {
    for bit in Bits(used) { useUp(tables.declarations[base + bit], on: date, exceptIn: here) }
  }

  // MARK: Single reminders

  /// Counts a request that no trigger led to.
  package mutating func countOccurrence(of reminder: ReminderID) {
    change()
    state.memories[reminder.index].occurrences &+= 1
  }

  /// A request is as if it had not been made.
  package mutating func takeBackOccurrence(of reminder: ReminderID) {
    change()
    state.memories[reminder.index].occurrences &-= 1
  }

  /// Forgets every match. Requests go on being numbered, and the facts are not the installation's.
  package mutating func reset() {
    noteAsked()
    let old = state
    state = MatcherState(of: program)
    for index in 0..<program.reminderCount {
      state.memories[index].occurrences = old.memories[index].occurrences
    }
    turns = [:]
    shownNumbers = []
    factSync.forget()
  }

  /// Changes what is remembered of a reminder.
  @discardableResult
  package mutating func changeMemory<Result>(
    of reminder: ReminderID, _ body: (inout ReminderMemory) -> Result
  ) -> Result {
    change()
    return body(&state.memories[reminder.index])
  }

  /// The number of the request of a reminder that was shown last, as far as the app knows.
  package func shown(of reminder: ReminderID) -> UInt32? {
    guard reminder.index < shownNumbers.count, shownNumbers[reminder.index] > 0 else { return nil }
    return shownNumbers[reminder.index] - 1
  }

  /// The phone is in a region that has no bit of a view, or not.
  package mutating func setInside(_ region: RegionID, _ isInside: Bool) {
    guard isInside != facts.farRegions.contains(region) else { return }
    if isInside { facts.farRegions.insert(region) } else { facts.farRegions.remove(region) }
    hasChanged = true
  }

  /// A request was shown: what is snoozed is the last that was. Nil: none was.
  package mutating func setShown(_ occurrence: UInt32?, of reminder: ReminderID) {
    if occurrence == shown(of: reminder) { return }
    if shownNumbers.isEmpty { shownNumbers = Array(repeating: 0, count: program.reminderCount) }
    shownNumbers[reminder.index] = occurrence.map { $0 &+ 1 } ?? 0
    hasChanged = true
  }

  /// A request was shown, after those that were before. One that this installation does not know is not its own.
  package mutating func wasShown(_ request: RequestID) {
    guard request.occurrence < memory(of: request.reminder).occurrences else { return }
    setShown(request.occurrence, of: request.reminder)
  }

  /// A request that counted as shown came to nothing.
  package mutating func wasNotShown(_ request: RequestID) {
    guard request.reminder.index < program.reminderCount, shown(of: request.reminder) == request.occurrence
    else { return }
    setShown(nil, of: request.reminder)
  }

  /// An edited reminder may fire again, whatever it did before. Its requests go on being counted.
  package mutating func forgetMatches(of reminder: ReminderID) {
    change()
    state.memories[reminder.index].forgetDays()
    setShown(nil, of: reminder)
    turns[reminder] = nil
  }

  /// Makes a declaration wait for its triggers, or stop waiting.
  package mutating func setWaiting(_ declaration: UInt32, live: Bool, armed: Bool) {
    change()
    for place in program.places(of: declaration) {
      setBit(.live, place, live)
      setBit(.armed, place, armed)
      state.buckets[Int(place.bucket)].key = BucketState.noKey
    }
  }

  /// A match on a date uses its declaration up in all of its buckets but one.
  package func useUp(_ declaration: UInt32, on date: CivilDate, exceptIn here: UInt32? = nil) {
    let repeats = program.plans[Int(declaration)].repeats
    if repeats == .always { return }
    for place in program.places(of: declaration) where place.bucket != here {
      bring(Int(place.bucket), to: date)
      setBit(.live, place, false)
      if repeats == .once { setBit(.armed, place, false) }
      state.buckets[Int(place.bucket)].key = BucketState.noKey
    }
  }

  /// An occurrence of a reminder was handed over, and counts for a day of its own: on that its turn is over
  /// in the buckets of its other triggers too.
  package mutating func handedOver(_ declaration: UInt32) {
    let places = program.places(of: declaration)
    let repeats = program.plans[Int(declaration)].repeats
    if places.count < 2 || repeats == .always || repeats == .once { return }
    change()
    for place in places {
      let current = state.buckets[Int(place.bucket)].day
      guard current != BucketState.unknown,
        hasMatched(declaration, inPeriodOf: CivilDate(dayNumber: current))
      else { continue }
      setBit(.live, place, false)
      state.buckets[Int(place.bucket)].key = BucketState.noKey
    }
  }

  /// Brings the buckets of a declaration to a date, so that what is then said about the declaration is
  /// said about that date.
  package mutating func bring(_ declaration: UInt32, to date: CivilDate) {
    own()
    for place in program.places(of: declaration) { bring(Int(place.bucket), to: date) }
  }

  private func bring(_ bucket: Int, to date: CivilDate) {
    if state.buckets[bucket].day != date.dayNumber {
      rearm(tables.buckets[bucket], state.buckets.base + bucket, date)
    }
  }

  package func bit(_ row: StateRow, _ place: EntryPlace) -> Bool {
    let bucket = tables.buckets[Int(place.bucket)]
    return state.words[bucket.state(row) + Int(place.entry) / 64] >> UInt64(place.entry % 64) & 1 == 1
  }

  package func setBit(_ row: StateRow, _ place: EntryPlace, _ value: Bool) {
    let word = tables.buckets[Int(place.bucket)].state(row) + Int(place.entry) / 64
    let mask: UInt64 = 1 << UInt64(place.entry % 64)
    if value { state.words[word] |= mask } else { state.words[word] &= ~mask }
  }
}

/// The positions of the bits that are set, ascending.
package struct Bits: Sequence, IteratorProtocol {
  private var rest: UInt64

  package init(_ bits: UInt64) { rest = bits }

  package mutating func next() -> Int? {
    if rest == 0 { return nil }
    let bit = rest.trailingZeroBitCount
    rest &= rest - 1
    return bit
  }
}
