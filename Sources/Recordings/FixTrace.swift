package import TriggerModel

/// A recorded way: fixes in time order, cut into segments.
///
/// Between the last fix of a segment and the first of the next nothing is known of the way, so no
/// region crossing may be computed there.
package struct FixTrace: Hashable, Sendable {
  /// Strictly ascending in time.
  package var fixes: [Fix] = []
  /// Positions in `fixes` at which a segment starts, ascending; the first is 0 unless `fixes` is empty.
  package var segmentStarts: [Int] = []

  package init() {}
}

/// What a reader does with the fixes of a recording.
///
/// The rules, in this order; each is counted in the ``ImportSummary``:
/// 1. A fix without valid coordinates or without a usable time is left out (by the reader, which
///    knows the format).
/// 2. With ``maximumAccuracy``, a fix that is known to be worse is left out; one whose accuracy is not
///    known stays.
/// 3. Fixes are sorted by time, those of one time in the order of the file. Each fix earlier than the
///    one before it in the file counts as a *step back*.
/// 4. A phone is in one place: where tracks (cut at gaps) overlap in time, the one that began first counts
///    until it ends, of those that began together the first in the file. Fixes of the others at such times
///    are *overlapping* and left out.
/// 5. Of several fixes of one time the first in the file stays: *repeated* says that the others were
///    at the same place, *same time* that they were not.
/// 6. With ``maximumSpeed`` and one second of grace (many instruments write whole seconds), a fix that
///    cannot be reached from the one before, while the one after it can be, is *far off* and left out. If
///    the one after it cannot be reached from there either but from the fix in question, the phone did go
///    there, and a new segment starts (a *jump*).
/// 7. A segment starts where the file starts one, where sorting put two segments side by side, at a jump,
///    and after a *gap* longer than ``longestGap``.
package struct FixRules: Hashable, Sendable {
  /// Metres; fixes that are known to be less accurate are left out. nil lets all pass.
  package var maximumAccuracy: Double?
  /// Metres per second; nil does not look for far-off fixes. The default of 400 m/s is beyond what an
  /// airliner in a jet stream does over ground (about 360 m/s).
  package var maximumSpeed: Double?
  /// Nothing is known of the way between two fixes that are farther apart in time: no boundary is crossed.
  package var longestGap: TimeSpan

  package init(
    maximumAccuracy: Double? = nil, maximumSpeed: Double? = 400,
    longestGap: TimeSpan = Fix.usualLongestGap
  ) {
    self.maximumAccuracy = maximumAccuracy
    self.maximumSpeed = maximumSpeed
    self.longestGap = longestGap
  }
}

/// A fix as a reader found it.
struct RecordedFix: BitwiseCopyable {
  var fix: Fix
  /// Which track or route of the file; those of one do not overlap, however its segments meet.
  var track: Int32 = 0
  /// Which segment of the file, counted from 0.
  var segment: Int32
  /// Counted from 1.
  var line: Int32
}

extension FixRules {
  /// Applies rules 2 to 7 to the fixes of a file, given in the order of the file.
  ///
  /// - Complexity: O(n) when they are in time order, else O(n log n).
  func trace(_ recorded: consuming [RecordedFix], _ summary: inout ImportSummary) -> FixTrace {
    if maximumAccuracy != nil { recorded.removeAll { !isAccurate($0, &summary) } }
    if !isStrictlyAscending(recorded) {
      sort(&recorded, &summary)
      dropOverlapping(&recorded, &summary)
    }
    var trace = FixTrace()
    trace.fixes.reserveCapacity(recorded.count)
    var ordered = OrderedFixes(self)
    for fix in recorded { ordered.take(fix, into: &trace, &summary) }
    ordered.finish(into: &trace, &summary)
    summary.taken = trace.fixes.count
    return trace
  }

  /// Rule 2.
  func isAccurate(_ recorded: RecordedFix, _ summary: inout ImportSummary) -> Bool {
    guard let maximumAccuracy else { return true }
    if recorded.fix.accuracy < 0 { summary.note(.accuracyUnknown, line: Int(recorded.line)) }
    guard recorded.fix.accuracy > maximumAccuracy else { return true }
    summary.note(.inaccurate, line: Int(recorded.line))
    return false
  }

  private func isStrictlyAscending(_ fixes: [RecordedFix]) -> Bool {
    fixes.indices.dropFirst().allSatisfy { fixes[$0 - 1].fix.instant < fixes[$0].fix.instant }
  }

  private func sort(_ fixes: inout [RecordedFix], _ summary: inout ImportSummary) {
    for index in fixes.indices.dropFirst() where fixes[index].fix.instant < fixes[index - 1].fix.instant {
      summary.note(.stepBack, line: Int(fixes[index].line))
    }
    // By position among equals: the standard library does not promise a stable sort.
    let order = fixes.indices.sorted {
      (fixes[$0].fix.instant, $0) < (fixes[$1].fix.instant, $1)
    }
    fixes = order.map { fixes[$0] }
  }

  func isReachable(_ fix: Fix, from last: Fix) -> Bool {
    guard let maximumSpeed else { return true }
    let seconds = Double((fix.instant - last.instant).milliseconds) / 1_000
    return Sphere.isWithin(maximumSpeed * (seconds + 1), last.coordinate, fix.coordinate)
  }
}
