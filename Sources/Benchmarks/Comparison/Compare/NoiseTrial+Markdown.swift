extension NoiseTrial.Tally {
  /// One line of the record: what was compared, and what was said how often.
  package func line(replayed: Double) -> String {
    let what = replayed > 0 ? "B plays \(brief(replayed)) % of its events twice" : "A against itself"
    let verdicts = Verdict.allCases.map { String(count($0)) }.joined(separator: " | ")
    let blocks = brief(Double(blocks) / Double(max(1, trials)))
    return "| \(what) | \(trials) | \(verdicts) | \(blocks) | \(brief(seconds / Double(max(1, trials)))) |"
  }

  /// The titles of such lines.
  package static let heading = """
    | compared | trials | \(Verdict.allCases.map(\.rawValue).joined(separator: " | ")) | blocks | seconds |
    |---|---:|\(Verdict.allCases.map { _ in "---:|" }.joined())---:|---:|
    """
}
