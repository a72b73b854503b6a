import ScenarioModel
import TextFormats

/// A comparison in words: for a terminal, or as Markdown for a pull request.
package struct ComparisonText {
  let comparison: RunComparison
  /// How the two runs are called.
  let names: (first: String, second: String)

  package init(_ comparison: RunComparison, names: (String, String)) {
    self.comparison = comparison
    self.names = names
  }

  /// What differs, scenario by scenario, and the verdict last.
  package var text: String {
    var lines: [String] = []
    for scenario in comparison.scenarios where !scenario.isSame {
      lines.append(scenario.file)
      if scenario.settings[0] != scenario.settings[1] {
        lines.append("  \(names.first): \(scenario.settings[0]); \(names.second): \(scenario.settings[1])")
      }
      lines += TextColumns.lines(scenario.changes.map { [$0.kind.rawValue] + cells($0) }).map { "  " + $0 }
      lines += scenario.verdicts.map {
        "  \($0.claim): \($0.first ?? "not there") → \($0.second ?? "not there")"
      }
      let losses = scenario.losses.map {
        "\($0.reminder): \($0.reason) \($0.first) → \($0.second)"
      }
      lines += losses.map { "  losses of " + $0 }
      lines.append("")
    }
    lines += comparison.onlyInFirst.map { "only in \(names.first): \($0)" }
    lines += comparison.onlyInSecond.map { "only in \(names.second): \($0)" }
    lines += TextColumns.lines([["", names.first, names.second, "difference"]] + comparison.totals.map(row))
    lines += ["", verdict]
    return Printable.text(lines.joined(separator: "\n"), keeping: ["\n"])
  }

  /// The same as tables.
  package var markdown: String {
    var lines = ["### \(names.first) → \(names.second)", "", verdict, ""]
    lines += ["| | \(names.first) | \(names.second) | difference |", "|---|---:|---:|---:|"]
    lines += comparison.totals.map { "| " + row($0).map(escaped).joined(separator: " | ") + " |" }
    for scenario in comparison.scenarios where !scenario.isSame {
      lines += ["", "**\(escaped(scenario.file))**: \(escaped(scenario.title))", ""]
      if !scenario.changes.isEmpty {
        lines += ["| | reminder | when | what became of it |", "|---|---|---|---|"]
        lines += scenario.changes.map { change in
          "| " + ([change.kind.rawValue] + cells(change)).map(escaped).joined(separator: " | ") + " |"
        }
      }
      for verdict in scenario.verdicts {
        lines.append(
          "- \(escaped(verdict.claim)): \(verdict.first ?? "not there") → \(verdict.second ?? "not there")")
      }
      for loss in scenario.losses {
        lines.append("- losses of \(escaped(loss.reminder)): \(loss.reason) \(loss.first) → \(loss.second)")
      }
    }
    lines += comparison.onlyInFirst.map { "- only in \(names.first): \(escaped($0))" }
    lines += comparison.onlyInSecond.map { "- only in \(names.second): \(escaped($0))" }
    return lines.joined(separator: "\n")
  }

  /// `different: 12 gained, 3 lost, 1 moved, 40 otherwise; 27 of 39 scenarios are the same`
  package var verdict: String {
    let (all, same) = (comparison.scenarios.count, comparison.scenarios.count(where: \.isSame))
    if comparison.isSame { return "same: nothing differs in \(all) scenario\(all == 1 ? "" : "s")" }
    let counts = DecisionChange.Kind.allCases.map { "\(comparison.count($0)) \($0.rawValue)" }
    return "different: \(counts.joined(separator: ", ")); \(same) of \(all) scenarios are the same"
  }

  // MARK: Rows

  /// The reminder, its time, and what became of it in both.
  private func cells(_ change: DecisionChange) -> [String] {
    var who = change.occasion.reminder
    if !["", "phone"].contains(change.occasion.device) { who += " on \(change.occasion.device)" }
    let time = Self.local(change.occasion.time)
    guard let move = change.move else {
      return [who, time, phrase(change.first, at: time) + " → " + phrase(change.second, at: time)]
    }
    let (from, to) = (Self.local(change.first.shownAt ?? ""), Self.local(change.second.shownAt ?? ""))
    return [
      who, "\(from) → \(to)",
      "at \(Self.clock(to)) it was: \(move.before.words); at \(Self.clock(from)) it is: \(move.after.words)",
    ]
  }

  /// `fires at 2026-03-02 11:00`; the time only where it is not the one that the row gives.
  private func phrase(_ fate: Fate, at time: String) -> String {
    guard let shown = fate.shownAt.map(Self.local), shown != time else { return fate.words }
    return "\(fate.words) at \(shown)"
  }

  private func row(_ change: MetricChange) -> [String] {
    // A share in thousandths, shown in percent; another ratio in ten-thousandths.
    let isShare = Metric(rawValue: change.name)?.isShare ?? false
    func rounded(_ numerator: Int, _ denominator: Int) -> Int {
      (numerator * (isShare ? 1_000 : 10_000) + denominator / 2) / denominator
    }
    func text(_ rounded: Int) -> String {
      let unit = isShare ? 10 : 10_000
      return "\(rounded / unit)." + String(unit + rounded % unit).dropFirst()
    }
    func value(_ metric: RecordedMetric) -> String {
      guard let denominator = metric.denominator else { return "\(metric.numerator)" }
      if denominator == 0 { return "none" }
      let ratio = text(rounded(metric.numerator, denominator)) + (isShare ? " %" : "")
      return "\(ratio) (\(metric.numerator) of \(denominator))"
    }
    let (first, second) = (change.first, change.second)
    let difference: String
    switch (first.denominator, second.denominator) {
    case (nil, _), (_, nil): difference = Self.signed(second.numerator - first.numerator)
    case (0, _), (_, 0): difference = ""
    case (let a?, let b?):
      // Rounded apart, as they are shown.
      let change = rounded(second.numerator, b) - rounded(first.numerator, a)
      difference = (change < 0 ? "-" : "+") + text(abs(change)) + (isShare ? " pp" : "")
    }
    return [change.name, value(first), value(second), change.isSame ? "" : difference]
  }

  private static func signed(_ value: Int) -> String { value < 0 ? "\(value)" : "+\(value)" }

  /// `2026-03-02T11:00:00+01:00` as `2026-03-02 11:00`.
  static func local(_ time: String) -> String {
    let parts = time.split(separator: "T", maxSplits: 1)
    guard parts.count == 2 else { return time }
    let clock = parts[1].prefix { $0 != "+" && $0 != "-" && $0 != "Z" }
    return "\(parts[0]) " + (clock.hasSuffix(":00") && clock.count == 8 ? clock.prefix(5) : clock)
  }

  /// `2026-03-02 11:00` as `11:00`.
  private static func clock(_ local: String) -> Substring {
    local[(local.firstIndex(of: " ").map { local.index(after: $0) } ?? local.startIndex)...]
  }

  private func escaped(_ text: String) -> String { Markup.markdown(text) }
}
