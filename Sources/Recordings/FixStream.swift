import TriggerModel

/// Reads the fixes of a chronological stream in pieces. A copy continues at the same position.
package struct FixStream: Sendable {
  private var lines: LineStream
  private let rules: FixRules
  private var ordered: OrderedFixFilter
  private var isOver = false

  /// - Parameter lines: The lines, which ``EventStreamReader`` has scanned with the same rules.
  package init(_ lines: LineStream, rules: FixRules) {
    self.lines = lines
    self.rules = rules
    ordered = OrderedFixFilter(rules)
  }

  /// Reads pieces until one contains fixes. The first fix continues the previous segment, unless the returned
  /// trace starts a segment there.
  ///
  /// - Returns: The fixes, or `nil` at the end of the stream.
  package mutating func next() throws(RecordingError) -> FixTrace? {
    var trace = FixTrace()
    // The scan has already counted the omissions, so this summary is ignored.
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

  /// Returns all remaining fixes, which must fit into memory.
  package consuming func held() throws(RecordingError) -> FixTrace {
    var all = FixTrace()
    while let trace = try next() {
      all.segmentStarts += trace.segmentStarts.map { $0 + all.fixes.count }
      all.fixes += trace.fixes
      if all.fixes.count > EventStreamReader.mostUnordered {
        throw RecordingError(
          .value, file: lines.bytes.file,
          "it overlaps another recording and has more than \(EventStreamReader.mostUnordered) fixes",
          remedy: "move one recording with 'at', or assign it to another device with 'on'")
      }
    }
    return all
  }
}
