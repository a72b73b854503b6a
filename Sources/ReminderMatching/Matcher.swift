package import CivilTime
package import TriggerModel

/// The hot path: determines which reminders match an event.
///
/// The *eligible* row of a bucket has the live entries that satisfy all conditions with a row, except the
/// time window. It is recomputed only if the weekday, the charging state or a region has changed since the
/// last evaluation. The *open* row has the eligible entries whose time window is open. It is recomputed if a
/// window may have opened or closed. Open entries match. While the rows are computed, misses are counted by
/// kind of condition.
///
/// A matcher is a value. Copies share the state until one of them changes it.
package struct Matcher: Sendable {
  package private(set) var program: ReminderProgram
  /// The tables of the program. They are also stored here to avoid an indirection through the program.
  package private(set) var tables: MatchTables
  package private(set) var state: MatcherState
  /// The facts. Change them with ``set(_:_:at:age:_:)``.
  package var facts: FactStore
  /// The progress of updating the rows of failing fact conditions.
  package var factSync = FactSync()
  /// For each reminder, the days of matches that are too old for its memory, in ascending order. They occur
  /// if the latest match was prescheduled for a later day, or if the clock was set back.
  package var turns: [ReminderID: [Int32]] { didSet { hasChanged = true } }
  /// For each reminder, the number of the request that was shown last, plus one, or 0 if none was shown. The
  /// array is empty until the first request is shown.
  package var shownNumbers: [UInt32] = []
  /// Whether the stored state has changed since this was last set to `false`. Changes of rows do not count,
  /// because rows can be recomputed.
  package var hasChanged = false
  /// The zone of the phone.
  package var zone: Zone
  /// The totals, without the counts in ``few``.
  package var counted = MatchTotals()
  /// The counts of buckets with few entries.
  private var few = PackedStepCounts()
  /// The number of denied requests that have not yet been added to the reminders' memories, or `nil` if there
  /// are none.
  var bulkRequestCounts: BitCounts?
  /// The waiting entries that were last reported. They are used if evaluations are reported instead of
  /// misses.
  package var reportedRows = ReportedRows()
  private let passing = PassedIndirectly()

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

  /// Returns whether any reminder listens to an event.
  @inline(__always)
  package func listens(to event: ObservedEvent) -> Bool {
    tables.bucket(of: event.kind, event.subject) != nil
  }

  /// Copies the state if a copy of the matcher shares it. Call this before any change of the state.
  @inline(__always)
  package mutating func own() {
    if !isKnownUniquelyReferenced(&state) { state = MatcherState(copying: state) }
  }

  /// Copies the program if it is shared.
  package mutating func ownProgram() {
    flushRequestCounts()
    if !isKnownUniquelyReferenced(&program) { program = ReminderProgram(copying: program) }
  }

  /// Replaces the program and its state.
  package mutating func use(_ program: ReminderProgram, _ state: MatcherState) {
    self.program = program
    self.state = state
    tables = program.tables
    reportedRows = ReportedRows()
    if shownNumbers.isEmpty || shownNumbers.count >= program.reminderCount { return }
    shownNumbers += repeatElement(0, count: program.reminderCount - shownNumbers.count)
  }

  /// Prepares a change of the stored state.
  package mutating func change() {
    own()
    hasChanged = true
  }

  /// Whether misses are counted by reason. This is `false` only in the build with which `.ci/trials/why-not`
  /// measures the cost of counting.
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
    set { (counted, few) = (newValue, PackedStepCounts()) }
  }

  @inline(never)
  private mutating func mergeTotals() { totals = totals }

  /// Adds the matches of a bucket with rows of one word to the buffer, which must be empty.
  ///
  /// - Parameters:
  ///   - event: The event, which is read in place.
  ///   - inside: The regions that the phone is in: bit *r* for region *r*.
  @inline(never)
  package mutating func evaluateWord(
    _ index: Int, _ event: UnsafePointer<ObservedEvent>, from viewpoint: inout Viewpoint, inside: UInt32,
    into buffer: inout MatchBuffer
  ) {
    guard canTakeFastPath(.word, index, event, &viewpoint, &buffer) else {
      return evaluateGeneral(index, event, from: &viewpoint, inside: inside, into: &buffer)
    }
    let bucket = tables.buckets.base + index
    let view = viewpoint.plainView(at: event.pointee.moment.wall, inside: inside)
    counted.lookedAt &+= 1
    let steps = makeWord(bucket, state.buckets.base + index, view)
    count(steps, of: bucket)
    if steps.open != 0 { fireWord(steps.open, bucket, day: view.date.dayNumber, into: &buffer) }
  }

  /// Adds the matches of a bucket with rows of several words. It has the same parameters as
  /// ``evaluateWord(_:_:from:inside:into:)``.
  @inline(never)
  package mutating func evaluateRows(
    _ index: Int, _ event: UnsafePointer<ObservedEvent>, from viewpoint: inout Viewpoint, inside: UInt32,
    into buffer: inout MatchBuffer
  ) {
    guard canTakeFastPath(.rows, index, event, &viewpoint, &buffer) else {
      return evaluateGeneral(index, event, from: &viewpoint, inside: inside, into: &buffer)
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

  /// Returns whether a bucket can take a fast path: the state is not shared, the date has not changed since
  /// the last view, and only matches are collected.
  @inline(__always)
  private mutating func canTakeFastPath(
    _ evaluation: TriggerBucket.Evaluation, _ index: Int, _ event: UnsafePointer<ObservedEvent>,
    _ viewpoint: inout Viewpoint, _ buffer: inout MatchBuffer
  ) -> Bool {
    isKnownUniquelyReferenced(&state) && viewpoint.today.contains(event.pointee.moment.wall)
      && (tables.buckets.base + index).pointee.evaluation == evaluation
      && (state.buckets.base + index).pointee.isNext(viewpoint.today.date.dayNumber)
      && !buffer.collectsDetails && bulkRequestCounts == nil
  }

  /// Evaluates any bucket and collects everything that the buffer requests.
  @inline(never)
  private mutating func evaluateGeneral(
    _ index: Int, _ event: UnsafePointer<ObservedEvent>, from viewpoint: inout Viewpoint, inside: UInt32,
    into buffer: inout MatchBuffer
  ) {
    own()
    var view = viewpoint.view(at: event.pointee.moment, inside: inside)
    let bucket = tables.buckets.base + index
    if canTakeFastPath(.word, index, event, &viewpoint, &buffer) {
      return evaluateWord(index, event, from: &viewpoint, inside: inside, into: &buffer)
    }
    if canTakeFastPath(.rows, index, event, &viewpoint, &buffer) {
      return evaluateRows(index, event, from: &viewpoint, inside: inside, into: &buffer)
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
    if buffer.collectsDetails || bucket.pointee.factOffset >= 0 {
      finishEvaluation(index, open: open, view, into: &buffer)
    } else if open > 0 {
      fireOpen(index, view, into: &buffer)
    }
  }

  /// Counts the misses of an evaluation by kind of condition. Entries for which no other condition fails are
  /// counted as missed because of their window.
  @inline(__always)
  private mutating func count(_ steps: WordSteps, of bucket: UnsafePointer<TriggerBucket>) {
    if !Self.countsMisses { return }
    if bucket.pointee.entryCount <= PackedStepCounts.most {
      few.add(steps)
      if few.isFull { mergeTotals() }
    } else {
      counted.add(steps.counts)
    }
  }

  /// Finishes the evaluation of a bucket with fact conditions, or one that collects more than matches.
  @inline(never)
  private mutating func finishEvaluation(
    _ index: Int, open: Int, _ view: LocalView, into buffer: inout MatchBuffer
  ) {
    let bucket = tables.buckets.base + index
    if buffer.collectsDetails { reportMisses(bucket, view, into: &buffer) }
    if bucket.pointee.factOffset >= 0 {
      evaluateFacts(index, open: open, view, into: &buffer)
    } else if buffer.collectsBatches {
      holdRows(index, view, into: &buffer)
    } else {
      fireOpen(index, view, into: &buffer)
    }
  }

  /// Adds the matches of a bucket with fact conditions.
  private mutating func evaluateFacts(
    _ index: Int, open: Int, _ view: LocalView, into buffer: inout MatchBuffer
  ) {
    if !factSync.isUpToDate(at: view.moment) { catchUpFacts(view) }
    let bucket = tables.buckets.base + index
    let current = state.buckets.base + index
    if open == 0 { return }
    let isPlain = !bucket.pointee.hasSpecials && bulkRequestCounts == nil && !buffer.collectsBatches
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
      if buffer.collectsBatches { hits = hold(hits, word, index, day: day, into: &buffer) }
      if hits != 0 { fire(hits, word, index, view, into: &buffer) }
    }
    if end != matches {
      commit(end - matches, current, &buffer)
    }
  }

  /// Counts the misses because of fact conditions that have one of the less common reasons.
  @inline(never)
  private mutating func count(_ ready: UInt64, _ reasons: UnsafePointer<UInt64>) {
    counted.staleData &+= Int64((ready & reasons[FactOutcome.staleData.row]).nonzeroBitCount)
    counted.lowConfidence &+= Int64((ready & reasons[FactOutcome.lowConfidence.row]).nonzeroBitCount)
    counted.notEntitled &+= Int64((ready & reasons[FactOutcome.notEntitled.row]).nonzeroBitCount)
  }

  /// Updates the rows of a bucket for the view. The view is `inout` only to avoid a copy.
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
      remakeOpen(bucket, current, &view)
    } else if current.pointee.slot != slot || view.isInFold {
      remakeOpen(bucket, current, &view)
    }
    current.pointee.slot = slot
  }

  // MARK: Single reminders

  /// Changes the memory of a reminder.
  @discardableResult
  package mutating func changeMemory<Result>(
    of reminder: ReminderID, _ body: (inout ReminderMemory) -> Result
  ) -> Result {
    change()
    return body(&state.memories[reminder.index])
  }

  /// Marks a declaration as used up for the period of a date, in all of its buckets except one.
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

  /// Advances a bucket to a date.
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

/// Evaluates entries one by one.
extension Matcher {
  /// Returns whether a declaration has a schedule that can match.
  package func mayMatch(scheduleOf declaration: UInt32) -> Bool {
    program.schedulePlace(of: declaration).map { bit(.armed, $0) } ?? false
  }

  /// Evaluates the entry of a declaration's schedule, or does nothing if it has no schedule.
  ///
  /// - Parameters:
  ///   - day: The day of the occurrence, for which a match counts. If the app is woken late, this day is in
  ///     the past.
  ///   - view: The view now.
  ///   - then: The view now with the time of the occurrence, for which conditions are evaluated.
  package mutating func look(
    atScheduleOf declaration: UInt32, of day: CivilDate, _ view: LocalView, then: LocalView,
    into buffer: inout MatchBuffer
  ) {
    guard let place = program.schedulePlace(of: declaration) else { return }
    look(at: place, of: declaration, day, view, then: then, into: &buffer)
  }

  /// Evaluates the entry of a declaration that listens to an event. Does nothing if there is none.
  package mutating func look(
    at event: ObservedEvent, _ declaration: UInt32, _ view: LocalView, into buffer: inout MatchBuffer
  ) {
    let bucket = tables.bucket(of: event.kind, event.subject)
    guard let place = program.places(of: declaration).first(where: { Int($0.bucket) == bucket }) else {
      return
    }
    look(at: place, of: declaration, view.date, view, then: view, into: &buffer)
  }

  private mutating func look(
    at place: EntryPlace, of declaration: UInt32, _ day: CivilDate, _ view: LocalView, then: LocalView,
    into buffer: inout MatchBuffer
  ) {
    own()
    let bucket = Int(place.bucket)
    var current = view
    catchUp(tables.buckets.base + bucket, state.buckets.base + bucket, &current)
    guard bit(.armed, place), !hasMatched(declaration, inPeriodOf: day) else { return }
    totals.lookedAt += 1
    totals.triggered += 1
    let plan = program.plans[Int(declaration)]
    if let failure = then.failures(of: plan.conditions, facts: facts, zone: zone) {
      totals.failedOther += 1
      if buffer.wantsMisses {
        buffer.misses.append(Miss(reminder: plan.reminder, reason: failure.reason, failed: failure.kinds))
      }
      return
    }
    append(declaration, day: day.dayNumber, today: view.date.dayNumber, into: &buffer)
    if hasMatched(declaration, inPeriodOf: view.date) { useUp(declaration, on: view.date) }
  }
}

extension ReminderProgram {
  /// Returns the place of the entry for a declaration's schedule, or `nil` if it has no schedule.
  fileprivate func schedulePlace(of declaration: UInt32) -> EntryPlace? {
    let wakeBucket = tables.bucketsOfKind[Int(ObservedEvent.Kind.woken.rawValue)].first
    return places(of: declaration).first { $0.bucket == wakeBucket }
  }
}
