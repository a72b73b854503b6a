import TriggerModel

/// The fixes of a stream that is in order of time, read piece by piece.
///
/// A value: a copy goes on from the same place.
package struct FixStream: Sendable {
  private var lines: LinePieces
  private let rules: FixRules
  private var ordered: OrderedFixes
  private var isOver = false

  /// - Parameter lines: What ``EventStreamReader`` has looked through under the same rules.
  package init(_ lines: LinePieces, rules: FixRules) {
    self.lines = lines
    self.rules = rules
    ordered = OrderedFixes(rules)
  }

  /// Reads on until there are fixes; they go on the segment of those before unless one starts.
  ///
  /// - Returns: Nil at the end.
  package mutating func next() throws(RecordingError) -> FixTrace? {
    var trace = FixTrace()
    // What was left out, and why, has been counted.
    var summary = ImportSummary(file: "")
    while trace.fixes.isEmpty, !isOver {
      let isThere = try lines.readPiece { (line, scanner) throws(ScanProblem) in
        guard let fix = try FixLine(&scanner)?.fix else { return scanner.skipLine() }
        let recorded = RecordedFix(fix: fix, segment: 0, line: Int32(clamping: line))
        if rules.isAccurate(recorded, &summary) { ordered.take(recorded, into: &trace, &summary) }
      }
      if isThere { continue }
      isOver = true
      ordered.finish(into: &trace, &summary)
    }
    return trace.fixes.isEmpty ? nil : trace
  }

  /// All its fixes, which must be few enough to be held.
  package consuming func held() throws(RecordingError) -> FixTrace {
    var all = FixTrace()
    while let trace = try next() {
      all.segmentStarts += trace.segmentStarts.map { $0 + all.fixes.count }
      all.fixes += trace.fixes
      if all.fixes.count > EventStreamReader.mostUnordered {
        throw RecordingError(
          .value, file: lines.bytes.file,
          "it overlaps another recording, and has more than \(EventStreamReader.mostUnordered) fixes",
          remedy: "move one of them with 'at', or put it on a device of its own with 'on'")
      }
    }
    return all
  }
}
