import ScenarioModel
package import TextFormats

/// A comparison of two runs as text for a terminal, or as Markdown for a pull request.
package struct ComparisonText {
  let comparison: RunComparison
  /// The names of the two runs.
  let names: (first: String, second: String)

  package init(_ comparison: RunComparison, names: (String, String)) {
    self.comparison = comparison
    self.names = names
  }

  /// The differences of each scenario, the totals, and the verdict.
  package var text: String {
    var lines: [String] = []
    for scenario in comparison.scenarios where !scenario.isSame {
      lines.append(scenario.file)
      if scenario.settings[0] != scenario.settings[1] {
        lines.append("  \(names.first): \(scenario.settings[0]); \(names.second): \(scenario.settings[1])")
      }
      lines += TextColumns.lines(scenario.changes.map { [$0.kind.rawValue] + cells($0) }).map { "  " + $0 }
      lines += scenario.verdicts.map {
        "  \($0.claim): \($0.first ?? "missing") → \($0.second ?? "missing")"
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

  /// The comparison as tables in Markdown.
  package var markdown: String {
    var lines = ["### \(names.first) → \(names.second)", "", verdict, ""]
    lines += ["| | \(names.first) | \(names.second) | difference |", "|---|---:|---:|---:|"]
    lines += comparison.totals.map { "| " + row($0).map(escaped).joined(separator: " | ") + " |" }
    for scenario in comparison.scenarios where !scenario.isSame {
      lines += ["", "**\(escaped(scenario.file))**: \(escaped(scenario.title))", ""]
      if !scenario.changes.isEmpty {
        lines += ["| | reminder | when | outcome |", "|---|---|---|---|"]
        lines += scenario.changes.map { change in
          "| " + ([change.kind.rawValue] + cells(change)).map(escaped).joined(separator: " | ") + " |"
        }
      }
      for verdict in scenario.verdicts {
        lines.append(
          "- \(escaped(verdict.claim)): \(verdict.first ?? "missing") → \(verdict.second ?? "missing")")
      }
      for loss in scenario.losses {
        lines.append("- losses of \(escaped(loss.reminder)): \(loss.reason) \(loss.first) → \(loss.second)")
      }
    }
    lines += comparison.onlyInFirst.map { "- only in \(names.first): \(escaped($0))" }
    lines += comparison.onlyInSecond.map { "- only in \(names.second): \(escaped($0))" }
    return lines.joined(separator: "\n")
  }

  /// The verdict in one line, for example `different: 12 gained, 3 lost, 1 moved, 40 otherwise; 27 of 39
  /// scenarios are the same`.
  package var verdict: String {
    let (all, same) = (comparison.scenarios.count, comparison.scenarios.count(where: \.isSame))
    if comparison.isSame { return "same: nothing differs in \(all) scenario\(all == 1 ? "" : "s")" }
    let counts = DecisionChange.Kind.allCases.map { "\(comparison.count($0)) \($0.rawValue)" }
    return "different: \(counts.joined(separator: ", ")); \(same) of \(all) scenarios are the same"
  }

  // MARK: Rows

  /// Returns the reminder, the time and the outcome in each run.
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
      "at \(Self.clock(to)) before: \(move.before.words); at \(Self.clock(from)) now: \(move.after.words)",
    ]
  }

  /// Returns the outcome, for example `fires at 2026-03-02 11:00`. Omits the time if it equals the time of
  /// the row.
  private func phrase(_ fate: Fate, at time: String) -> String {
    guard let shown = fate.shownAt.map(Self.local), shown != time else { return fate.words }
    return "\(fate.words) at \(shown)"
  }

  private func row(_ change: MetricChange) -> [String] {
    // Shares are rounded to tenths of a per cent, other ratios to four decimals.
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
      // The difference of the rounded values matches the values shown.
      let change = rounded(second.numerator, b) - rounded(first.numerator, a)
      difference = (change < 0 ? "-" : "+") + text(abs(change)) + (isShare ? " pp" : "")
    }
    return [change.name, value(first), value(second), change.isSame ? "" : difference]
  }

  private static func signed(_ value: Int) -> String { value < 0 ? "\(value)" : "+\(value)" }

  /// Returns a time in short form, for example `2026-03-02 11:00` for `2026-03-02T11:00:00+01:00`.
  static func local(_ time: String) -> String {
    let parts = time.split(separator: "T", maxSplits: 1)
    guard parts.count == 2 else { return time }
    let clock = parts[1].prefix { $0 != "+" && $0 != "-" && $0 != "Z" }
    return "\(parts[0]) " + (clock.hasSuffix(":00") && clock.count == 8 ? clock.prefix(5) : clock)
  }

  /// Returns the time of day, for example `11:00` for `2026-03-02 11:00`.
  private static func clock(_ local: String) -> Substring {
    local[(local.firstIndex(of: " ").map { local.index(after: $0) } ?? local.startIndex)...]
  }

  private func escaped(_ text: String) -> String { Markup.markdown(text) }
}

/// A comparison of two runs as JSON, for other programs.
package struct ComparisonJSON {
  let comparison: RunComparison

  package init(_ comparison: RunComparison) {
    self.comparison = comparison
  }

  package var document: JSONValue {
    [
      "format": "triggerbench-comparison", "version": 1, "source": .string(comparison.source.rawValue),
      "verdict": comparison.isSame ? "same" : "different",
      "counts": .object(
        DecisionChange.Kind.allCases.map { .init($0.rawValue, .integer(comparison.count($0))) }),
      "metrics": .array(comparison.totals.map(metric)),
      "onlyInFirst": .strings(comparison.onlyInFirst), "onlyInSecond": .strings(comparison.onlyInSecond),
      "scenarios": .array(comparison.scenarios.filter { !$0.isSame }.map(scenario)),
    ]
  }

  private func scenario(_ scenario: ScenarioComparison) -> JSONValue {
    [
      "file": .string(scenario.file), "title": .string(scenario.title),
      "settings": .strings(scenario.settings),
      "decisions": .array(scenario.changes.map(decision)), "metrics": .array(scenario.metrics.map(metric)),
      "losses": .array(
        scenario.losses.map {
          [
            "reminder": .string($0.reminder), "reason": .string($0.reason), "first": .integer($0.first),
            "second": .integer($0.second),
          ]
        }),
      "verdicts": .array(
        scenario.verdicts.map {
          .present([
            "claim": .string($0.claim), "first": $0.first.map(JSONValue.string),
            "second": $0.second.map(JSONValue.string),
          ])
        }),
    ]
  }

  private func decision(_ change: DecisionChange) -> JSONValue {
    let occasion = change.occasion
    return .present([
      "change": .string(change.kind.rawValue), "reminder": .string(occasion.reminder),
      "device": occasion.device.isEmpty ? nil : .string(occasion.device), "for": .string(occasion.time),
      "first": fate(change.first), "second": fate(change.second),
      "before": change.move.map { fate($0.before) },
      "after": change.move.map { fate($0.after) },
    ])
  }

  private func fate(_ fate: Fate) -> JSONValue {
    .present([
      "what": .string(fate.words), "shownAt": fate.shownAt.map(JSONValue.string),
      "reason": fate.reason.map(JSONValue.string),
    ])
  }

  private func metric(_ change: MetricChange) -> JSONValue {
    func value(_ metric: RecordedMetric) -> JSONValue {
      .present([
        "numerator": .integer(metric.numerator), "denominator": metric.denominator.map(JSONValue.integer),
      ])
    }
    return ["name": .string(change.name), "first": value(change.first), "second": value(change.second)]
  }
}
