import TriggerModel

/// What was read of a stream: all of it, or where that is too much, what is known of it.
struct GatheredLines<Payload: Sendable> {
  private let rules: FixRules
  private let limit: Int
  private var summary: ImportSummary
  private var fixes: [RecordedFix] = []
  private var events: [EventStreamReader.Event<Payload>] = []
  /// There were no more lines than may be held.
  private(set) var holdsAll = true
  /// Of those that are not held.
  private(set) var isInOrder = true
  private var ordered: OrderedFixes
  /// Those that were taken since it was looked at last.
  private var taken = FixTrace()
  private var lastFix: Instant?
  private var fixRange: ClosedRange<Instant>?
  private var eventRange: ClosedRange<Instant>?

  /// - Parameters:
  ///   - limit: How many lines are held.
  ///   - count: How many there may be, about.
  init(file: String, _ rules: FixRules, limit: Int, expecting count: Int) {
    self.rules = rules
    self.limit = limit
    summary = ImportSummary(file: file)
    ordered = OrderedFixes(rules)
    fixes.reserveCapacity(min(count, limit))
  }

  mutating func take(_ fix: RecordedFix) {
    summary.read += 1
    if !holdsAll { return note(fix) }
    fixes.append(fix)
    if fixes.count + events.count > limit { letGo() }
  }

  mutating func take(_ event: EventStreamReader.Event<Payload>) {
    summary.read += 1
    if !holdsAll { return note(event.instant) }
    events.append(event)
    if fixes.count + events.count > limit { letGo() }
  }

  /// No more will come.
  mutating func finish() {
    if holdsAll { return }
    ordered.finish(into: &taken, &summary)
    noteTaken()
  }

  private mutating func letGo() {
    holdsAll = false
    for fix in fixes { note(fix) }
    for event in events { note(event.instant) }
    (fixes, events) = ([], [])
  }

  private mutating func note(_ recorded: RecordedFix) {
    guard isInOrder, rules.isAccurate(recorded, &summary) else { return }
    if let lastFix, recorded.fix.instant < lastFix { isInOrder = false }
    lastFix = recorded.fix.instant
    ordered.take(recorded, into: &taken, &summary)
    noteTaken()
  }

  private mutating func noteTaken() {
    guard let first = taken.fixes.first, let last = taken.fixes.last else { return }
    fixRange = (fixRange?.lowerBound ?? first.instant)...last.instant
    summary.taken += taken.fixes.count
    taken.fixes.removeAll(keepingCapacity: true)
    taken.segmentStarts.removeAll(keepingCapacity: true)
  }

  private mutating func note(_ event: Instant) {
    guard event >= eventRange?.upperBound ?? event else {
      isInOrder = false
      return
    }
    eventRange = (eventRange?.lowerBound ?? event)...event
    summary.taken += 1
  }

  /// - Precondition: All is held.
  consuming func stream() -> EventStreamReader.Stream<Payload> {
    var summary = summary
    let trace = rules.trace(fixes, &summary)
    for index in events.indices.dropFirst() where events[index].instant < events[index - 1].instant {
      summary.note(.stepBack, line: events[index].line)
    }
    events.sort { ($0.instant, $0.line) < ($1.instant, $1.line) }
    summary.taken += events.count
    return EventStreamReader.Stream(trace: trace, events: events, summary: summary)
  }

  /// - Precondition: It is in order, and not held.
  func longStream() -> EventStreamReader.LongStream {
    EventStreamReader.LongStream(summary: summary, fixes: fixRange, events: eventRange)
  }
}
