package import BitRows
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
  /// By word, how often entries have asked and were denied that is not in their memories yet; nil: never.
  var asked: BitCounts?
  /// What was told of those that wait, where looks are told and not who missed them.
  package var told = ToldRows()

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
    told = ToldRows()
    if shownNumbers.isEmpty || shownNumbers.count >= program.reminderCount { return }
    shownNumbers += repeatElement(0, count: program.reminderCount - shownNumbers.count)
  }

  /// As ``own()``, before something is changed that must be stored.
  package mutating func change() {
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

  /// Puts the matches of a bucket whose trigger has come in the buffer, which holds none.
  ///
  /// - Parameter inside: Bit *r*: inside region *r*.
  @inline(never)
  package mutating func look(
    at index: Int, _ event: ObservedEvent, from viewpoint: inout Viewpoint, inside: UInt32,
    into buffer: inout MatchBuffer
  ) {
    own()
    viewpoint.move(to: event.moment, inside: inside)
    let bucket = tables.buckets.base + index
    let current = state.buckets.base + index
    let day = viewpoint.current.date.dayNumber
    let isPlain = bucket.pointee.isPlain && current.pointee.isNext(day) && !viewpoint.current.isInFold
    let isWord = isPlain && bucket.pointee.wordCount == 1
    totals.lookedAt &+= 1
    if isPlain, !isWord, bucket.pointee.factOffset < 0, !buffer.isAskedForMore, asked == nil {
      return lookAtRows(bucket, current, &viewpoint.current, into: &buffer)
    }
    let counts: StepCounts
    let open: Int
    if isWord {
      let word: UInt64
      (counts, word) = makeWord(bucket, current, &viewpoint.current)
      open = word == 0 ? 0 : word.nonzeroBitCount
    } else {
      viewpoint.current.moment = event.moment
      catchUp(bucket, current, &viewpoint.current)
      counts = current.pointee.counts(isCharging: viewpoint.current.isCharging)
      open = Int(counts.inPlace &- Int64(current.pointee.failedTimeWindow))
    }
    if counts.live == 0 { return }
    if Self.countsMisses {
      totals.triggered &+= counts.live
      totals.failedCharging &+= counts.live &- counts.charged
      totals.failedWeekdays &+= counts.charged &- counts.onDay
      totals.failedRegion &+= counts.onDay &- counts.inPlace
      totals.failedTimeWindow &+= counts.inPlace &- Int64(open)
    }
    if buffer.isAskedForMore || bucket.pointee.factOffset >= 0 {
      viewpoint.current.moment = event.moment
      lookFurther(index, open: open, viewpoint.current, into: &buffer)
    } else if open > 0 {
      if isWord, asked == nil {
        fireWord(open, bucket, day: day, into: &buffer)
      } else {
        viewpoint.current.moment = event.moment
        fireOpen(index, viewpoint.current, into: &buffer)
      }
    }
  }

  /// As ``look(at:_:from:inside:into:)`` where all that is open fires, once or once a day, and nothing else is asked.
  @inline(__always)
  private mutating func lookAtRows(
    _ bucket: UnsafePointer<TriggerBucket>, _ current: UnsafeMutablePointer<BucketState>,
    _ view: inout LocalView, into buffer: inout MatchBuffer
  ) {
    guard let (eligible, isAnyOpen) = makeRows(bucket, current, &view) else { return }
    let before = totals.matched
    let live = current.pointee.live
    let (charging, weekdays) = (
      current.pointee.failedCharging[view.isCharging], current.pointee.failedWeekdays[view.isCharging]
    )
    if isAnyOpen { fireRows(Int(live), bucket, current, &view, into: &buffer) }
    if Self.countsMisses {
      totals.triggered &+= Int64(live)
      totals.failedCharging &+= Int64(charging)
      totals.failedWeekdays &+= Int64(weekdays)
      totals.failedRegion &+= Int64(live &- charging &- weekdays &- eligible)
      totals.failedTimeWindow &+= Int64(eligible) &- (totals.matched &- before)
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
    let isPlain = !bucket.pointee.hasSpecials && asked == nil && !buffer.keepsWords
    let day = view.date.dayNumber
    let rows = MatchedRows(bucket, state, tables)
    let openRow = state.words.base + bucket.pointee.state(.open)
    let eligible = state.words.base + bucket.pointee.state(.eligible)
    let entries = Int(bucket.pointee.firstEntry)
    let fails = state.factRows.base + Int(bucket.pointee.factOffset)
    let matches = buffer.reserve(isPlain ? open : 0)
    var end = matches
    for word in 0..<Int(bucket.pointee.wordCount) {
      let ready = openRow[word]
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
      if hits != 0, isPlain {
        openRow[word] &= ~hits
        eligible[word] &= ~hits
        end = firePlain(hits, word, rows, entries: entries, day: day, to: end)
      }
      if isPlain { continue }
      if buffer.keepsWords { hits = hold(hits, word, index, day: day, into: &buffer) }
      if hits != 0 { fire(hits, word, index, view, into: &buffer) }
    }
    if end != matches {
      commit(end - matches, current, isCharging: view.isCharging, &buffer)
    }
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
      if current.pointee.key == RowKey.spent { return }
      remakeEligible(bucket, current, &view, key)
    } else if current.pointee.slot != slot || view.isInFold {
      openAnew(bucket, current, &view)
    }
    current.pointee.slot = slot
  }

  // MARK: Single reminders

  /// Changes what is remembered of a reminder.
  @discardableResult
  package mutating func changeMemory<Result>(
    of reminder: ReminderID, _ body: (inout ReminderMemory) -> Result
  ) -> Result {
    change()
    return body(&state.memories[reminder.index])
  }

  /// A match on a date uses its declaration up in all of its buckets but one.
  package mutating func useUp(_ declaration: UInt32, on date: CivilDate, exceptIn here: UInt32? = nil) {
    let repeats = program.plans[Int(declaration)].repeats
    if repeats == .always { return }
    for place in program.places(of: declaration) where place.bucket != here {
      bring(Int(place.bucket), to: date)
      setBit(.live, place, false)
      if repeats == .once { setBit(.armed, place, false) }
      state.buckets[Int(place.bucket)].key = RowKey.none
    }
  }

  /// Brings a bucket to a date.
  package mutating func bring(_ bucket: Int, to date: CivilDate) {
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
