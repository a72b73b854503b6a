import TriggerModel

/// Rules 5 to 7 of ``FixRules``, applied to fixes that come in order of time, one after the other: it keeps three of
/// them, however many there are.
struct OrderedFixes: Sendable {
  private let rules: FixRules
  /// The one that came last, the first of its time.
  private var previous: RecordedFix?
  /// The last that was taken.
  private var last: RecordedFix?
  /// It cannot be reached from the last; what it is, the next shows.
  private var doubtful: RecordedFix?

  init(_ rules: FixRules) {
    self.rules = rules
  }

  /// Adds what is known now to a trace.
  mutating func take(_ recorded: RecordedFix, into trace: inout FixTrace, _ summary: inout ImportSummary) {
    if let previous, previous.fix.instant == recorded.fix.instant {
      let isSamePlace = previous.fix.coordinate == recorded.fix.coordinate
      summary.note(isSamePlace ? .repeated : .sameTime, line: Int(recorded.line))
      return
    }
    previous = recorded
    settleDoubt(next: recorded, into: &trace, &summary)
    var startsSegment = last?.segment != recorded.segment
    if let last, !startsSegment, recorded.fix.isAfterGap(since: last.fix, longerThan: rules.longestGap) {
      summary.note(.gap, line: Int(recorded.line))
      startsSegment = true
    }
    if let last, !startsSegment, !rules.isReachable(recorded.fix, from: last.fix) {
      doubtful = recorded
    } else {
      add(recorded, startsSegment: startsSegment, to: &trace)
    }
  }

  /// No more will come.
  mutating func finish(into trace: inout FixTrace, _ summary: inout ImportSummary) {
    settleDoubt(next: nil, into: &trace, &summary)
  }

  private mutating func settleDoubt(
    next: RecordedFix?, into trace: inout FixTrace, _ summary: inout ImportSummary
  ) {
    guard let recorded = doubtful, let last else { return }
    doubtful = nil
    if let next, next.segment == recorded.segment, !rules.isReachable(next.fix, from: last.fix),
      rules.isReachable(next.fix, from: recorded.fix)
    {
      summary.note(.jump, line: Int(recorded.line))
      add(recorded, startsSegment: true, to: &trace)
    } else {
      summary.note(.farOff, line: Int(recorded.line))
    }
  }

  private mutating func add(_ recorded: RecordedFix, startsSegment: Bool, to trace: inout FixTrace) {
    if startsSegment { trace.segmentStarts.append(trace.fixes.count) }
    trace.fixes.append(recorded.fix)
    last = recorded
  }
}
