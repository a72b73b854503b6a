import BitRows
package import CivilTime
package import TriggerModel

/// The hot path: which reminders match an event.
///
/// A bucket's *eligible* row says for each entry that it is live and that every condition with a row
/// holds, the time window apart. It is made anew only when the weekday, the charging state or a region
/// changed since the bucket was last looked at. The *open* row is what is left of it when time windows are
/// asked too, and is made anew when one may have begun or ended. What is open matches; the counts of misses by
/// kind come along with the rows.
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
  package var shownNumbers: [UInt32] = []
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

  /// Puts the matches of the reminders that listen to an event in the buffer, whose details are cleared.
  ///
  /// Triggers that nobody listens to are spent from the beginning, so that one question decides for both.
  ///
  /// - Parameter inside: Bit *r*: inside region *r*.
  package mutating func look(
    for event: ObservedEvent, from viewpoint: inout Viewpoint, inside: UInt32, into buffer: inout MatchBuffer
  ) {
    buffer.clearMatches()
    let range = tables.bucketsOfKind.base[Int(event.kind.rawValue)]
    if event.subject >= range.count { return }
    let bucket = Int(range.first &+ event.subject)
    let key = state.buckets.base[bucket].key
    if key | 8 == BucketState.unheard {
      totals.lookedAt &+= key == BucketState.spent ? 1 : 0
    } else {
      look(at: bucket, event, from: &viewpoint, inside: inside, into: &buffer)
    }
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
  mutating func change() {
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
  @inline(never)
  private mutating func look(
    at index: Int, _ event: ObservedEvent, from viewpoint: inout Viewpoint, inside: UInt32,
    into buffer: inout MatchBuffer
  ) {
    own()
    viewpoint.move(to: event.moment, inside: inside)
    let bucket = tables.buckets.base + index
    let current = state.buckets.base + index
    let day = viewpoint.current.date.dayNumber
    let counts: StepCounts
    if bucket.pointee.isPlainWord, current.pointee.isNext(day), !viewpoint.current.isInFold {
      counts = makeWord(bucket, current, &viewpoint.current)
    } else {
      catchUp(bucket, current, &viewpoint.current)
      counts = current.pointee.counts
    }
    totals.lookedAt &+= 1
    if counts.live == 0 { return }
    if Self.countsMisses {
      totals.triggered &+= counts.live
      totals.failedCharging &+= counts.live &- counts.charged
      totals.failedWeekdays &+= counts.charged &- counts.onDay
      totals.failedRegion &+= counts.onDay &- counts.inPlace
      totals.failedTimeWindow &+= counts.inPlace &- counts.open
    }
    if buffer.isAskedForMore || bucket.pointee.factOffset >= 0 {
      lookFurther(index, open: Int(counts.open), viewpoint.current, into: &buffer)
    } else if counts.open > 0 {
      if bucket.pointee.hasSpecials || !asked.isEmpty {
        fireOpen(index, viewpoint.current, into: &buffer)
      } else {
        fireAll(Int(counts.open), bucket, current, day: day, into: &buffer)
      }
    }
  }

  /// The rest of a look that is for more than matches, or at a bucket of which some entries have fact conditions.
  @inline(never)
  private mutating func lookFurther(
    _ index: Int, open: Int, _ view: LocalView, into buffer: inout MatchBuffer
  ) {
    let bucket = tables.buckets.base + index
    if buffer.isAskedForMore { tellMisses(bucket, view, into: &buffer) }
    if bucket.pointee.factOffset >= 0 {
      lookAtFacts(index, open: open, view, into: &buffer)
    } else if buffer.keepsWords {
      holdRows(index, view, into: &buffer)
    } else {
      fireOpen(index, view, into: &buffer)
    }
  }

  /// Appends the matches of a bucket of which some entries have fact conditions.
  private mutating func lookAtFacts(
    _ index: Int, open: Int, _ view: LocalView, into buffer: inout MatchBuffer
  ) {
    if !factSync.isUpToDate(at: view.moment) { catchUpFacts(view) }
    let bucket = tables.buckets.base + index
    let current = state.buckets.base + index
    if open == 0 { return }
    let isPlain = !bucket.pointee.hasSpecials && asked.isEmpty && !buffer.keepsWords
    let day = view.date.dayNumber
    let rows = MatchedRows(bucket, state, tables)
    let entries = Int(bucket.pointee.firstEntry)
    let fails = state.factRows.base + Int(bucket.pointee.factOffset)
    let matches = buffer.reserve(isPlain ? open : 0)
    var end = matches
    for word in 0..<rows.count {
      let ready = rows.open[word]
      if ready == 0 { continue }
      let reasons = fails + word &* FactOutcome.rows
      let others =
        ready
        & (reasons[FactOutcome.staleData.row] | reasons[FactOutcome.lowConfidence.row]
          | reasons[FactOutcome.notEntitled.row])
      let failing = others | ready & reasons[FactOutcome.conditionFailed.row]
      if failing != 0 {
        totals.failedOther &+= Int64(failing.nonzeroBitCount)
        if others != 0 { count(ready, reasons) }
        if buffer.wantsMisses {
          appendResidualMisses(failing, base: entries + word * 64, view, into: &buffer)
        }
      }
      var hits = ready & ~failing
      if hits != 0, isPlain { end = firePlain(hits, word, rows, entries: entries, day: day, to: end) }
      if isPlain { continue }
      if buffer.keepsWords { hits = hold(hits, word, index, day: day, into: &buffer) }
      if hits != 0 { fire(hits, word, index, view, into: &buffer) }
    }
    if end != matches { commit(end - matches, current, &buffer) }
  }

  /// Counts misses by the reasons of facts that are not the usual one.
  @inline(never)
  private mutating func count(_ ready: UInt64, _ reasons: UnsafePointer<UInt64>) {
    totals.staleData &+= Int64((ready & reasons[FactOutcome.staleData.row]).nonzeroBitCount)
    totals.lowConfidence &+= Int64((ready & reasons[FactOutcome.lowConfidence.row]).nonzeroBitCount)
    totals.notEntitled &+= Int64((ready & reasons[FactOutcome.notEntitled.row]).nonzeroBitCount)
  }

  /// Brings a bucket's rows up to the view, which is not changed: it may be read where it is so.
  @inline(__always)
  package mutating func catchUp(
    _ bucket: UnsafePointer<TriggerBucket>, _ current: UnsafeMutablePointer<BucketState>,
    _ view: inout LocalView
  ) {
    if current.pointee.day != view.date.dayNumber { rearm(bucket, current, view.date) }
    let key = view.key(regions: bucket.pointee.regions)
    let slot = view.slot(of: bucket)
    if current.pointee.key != key {
      if current.pointee.key == BucketState.spent { return }
      remakeEligible(bucket, current, &view, key)
    } else if current.pointee.slot != slot || view.isInFold {
      openAnew(bucket, current, &view)
    }
    current.pointee.slot = slot
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
  package mutating func useUp(_ declaration: UInt32, on date: CivilDate, exceptIn here: UInt32? = nil) {
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

  private mutating func bring(_ bucket: Int, to date: CivilDate) {
    if state.buckets[bucket].day != date.dayNumber {
      rearm(tables.buckets.base + bucket, state.buckets.base + bucket, date)
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
