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
  /// The totals, without what ``few`` counts.
  package var counted = MatchTotals()
  /// What looks leave of the entries of triggers that few wait for.
  private var few = FewStepCounts()
  /// By word, how often entries have asked and were denied that is not in their memories yet; nil: never.
  var asked: BitCounts?
  /// What was told of those that wait, where looks are told and not who missed them.
  package var told = ToldRows()
  private let passing = HandedOnByAddress()

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

  package var totals: MatchTotals {
    get {
      var totals = counted
      totals.add(few.counts)
      return totals
    }
    set { (counted, few) = (newValue, FewStepCounts()) }
  }

  @inline(never)
  private mutating func settleTotals() { totals = totals }

  /// Puts the matches of a bucket whose trigger has come in the buffer, which holds none. Its rows are one word each.
  ///
  /// - Parameters:
  ///   - event: Read where it lies.
  ///   - inside: Bit *r*: inside region *r*.
  @inline(never)
  package mutating func lookAtWord(
    _ index: Int, _ event: UnsafePointer<ObservedEvent>, from viewpoint: inout Viewpoint, inside: UInt32,
    into buffer: inout MatchBuffer
  ) {
    guard isUsual(.word, index, event, &viewpoint, &buffer) else {
      return lookClosely(index, event, from: &viewpoint, inside: inside, into: &buffer)
    }
    let bucket = tables.buckets.base + index
    let view = viewpoint.plainView(at: event.pointee.moment.wall, inside: inside)
    counted.lookedAt &+= 1
    let steps = makeWord(bucket, state.buckets.base + index, view)
    count(steps, of: bucket)
    if steps.open != 0 { fireWord(steps.open, bucket, day: view.date.dayNumber, into: &buffer) }
  }

  /// As ``lookAtWord(_:_:from:inside:into:)`` where the rows are of several words.
  @inline(never)
  package mutating func lookAtRows(
    _ index: Int, _ event: UnsafePointer<ObservedEvent>, from viewpoint: inout Viewpoint, inside: UInt32,
    into buffer: inout MatchBuffer
  ) {
    guard isUsual(.rows, index, event, &viewpoint, &buffer) else {
      return lookClosely(index, event, from: &viewpoint, inside: inside, into: &buffer)
    }
    let (bucket, current) = (tables.buckets.base + index, state.buckets.base + index)
    let view = viewpoint.plainView(at: event.pointee.moment.wall, inside: inside)
    counted.lookedAt &+= 1
    prepareRows(bucket, current, view)
    if current.pointee.live == 0 { return }
    let eligible = current.pointee.eligible
    if Self.countsMisses { counted.add(current.pointee, eligible: eligible) }
    if eligible == 0 || !makeOpen(bucket, current, view.quarter) { return }
    fireRows(Int(eligible), bucket, current, day: view.date.dayNumber, into: &buffer)
  }

  /// Whether a bucket is looked at so and nothing else is asked, on the day of the last look; no copy shares the state.
  @inline(__always)
  private mutating func isUsual(
    _ look: TriggerBucket.Look, _ index: Int, _ event: UnsafePointer<ObservedEvent>,
    _ viewpoint: inout Viewpoint, _ buffer: inout MatchBuffer
  ) -> Bool {
    isKnownUniquelyReferenced(&state) && viewpoint.today.contains(event.pointee.moment.wall)
      && (tables.buckets.base + index).pointee.look == look
      && (state.buckets.base + index).pointee.isNext(viewpoint.today.date.dayNumber)
      && !buffer.isAskedForMore && asked == nil
  }

  /// As ``lookAtWord(_:_:from:inside:into:)``, whatever is asked and whatever the entries are.
  @inline(never)
  private mutating func lookClosely(
    _ index: Int, _ event: UnsafePointer<ObservedEvent>, from viewpoint: inout Viewpoint, inside: UInt32,
    into buffer: inout MatchBuffer
  ) {
    own()
    var view = viewpoint.view(at: event.pointee.moment, inside: inside)
    let bucket = tables.buckets.base + index
    if isUsual(.word, index, event, &viewpoint, &buffer) {
      return lookAtWord(index, event, from: &viewpoint, inside: inside, into: &buffer)
    }
    if isUsual(.rows, index, event, &viewpoint, &buffer) {
      return lookAtRows(index, event, from: &viewpoint, inside: inside, into: &buffer)
    }
    counted.lookedAt &+= 1
    let current = state.buckets.base + index
    let open: Int
    if bucket.pointee.isPlain, bucket.pointee.wordCount == 1, current.pointee.isNext(view.date.dayNumber),
      !view.isInFold
    {
      let steps = makeWord(bucket, current, view.plain)
      if steps.live == 0 { return }
      count(steps, of: bucket)
      open = steps.open.nonzeroBitCount
    } else {
      catchUp(bucket, current, &view)
      if current.pointee.live == 0 { return }
      let eligible = current.pointee.eligible
      if Self.countsMisses { counted.add(current.pointee, eligible: eligible) }
      open = Int(eligible &- current.pointee.failedTimeWindow)
    }
    if Self.countsMisses { counted.failedTimeWindow &-= Int64(open) }
    if buffer.isAskedForMore || bucket.pointee.factOffset >= 0 {
      lookFurther(index, open: open, view, into: &buffer)
    } else if open > 0 {
      fireOpen(index, view, into: &buffer)
    }
  }

  /// Counts the misses of a look by kind, as if nothing that is left by the steps had its window open.
  @inline(__always)
  private mutating func count(_ steps: WordSteps, of bucket: UnsafePointer<TriggerBucket>) {
    if !Self.countsMisses { return }
    if bucket.pointee.entryCount <= FewStepCounts.most {
      few.add(steps)
      if few.isFull { settleTotals() }
    } else {
      counted.add(steps.counts)
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
        counted.failedOther &+= Int64(failing.nonzeroBitCount)
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
      commit(end - matches, current, &buffer)
    }
  }

  /// Counts misses by the reasons of facts that are not the usual one.
  @inline(never)
  private mutating func count(_ ready: UInt64, _ reasons: UnsafePointer<UInt64>) {
    counted.staleData &+= Int64((ready & reasons[FactOutcome.staleData.row]).nonzeroBitCount)
    counted.lowConfidence &+= Int64((ready & reasons[FactOutcome.lowConfidence.row]).nonzeroBitCount)
    counted.notEntitled &+= Int64((ready & reasons[FactOutcome.notEntitled.row]).nonzeroBitCount)
  }

  /// Brings a bucket's rows up to the view, which is not changed: it may be read where it is so.
  @inline(__always)
  package mutating func catchUp(
    _ bucket: UnsafePointer<TriggerBucket>, _ current: UnsafeMutablePointer<BucketState>,
    _ view: inout LocalView
  ) {
    if current.pointee.day != view.date.dayNumber { rearm(bucket, current, view.date) }
    let key = view.plain.key(regions: bucket.pointee.regions)
    let slot = view.slot(of: bucket)
    if current.pointee.key != key {
      if current.pointee.key == RowKey.spent { return }
      remakeEligible(bucket, current, view.plain, key)
      openAnew(bucket, current, &view)
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
