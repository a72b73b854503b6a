import ScenarioModel
import Simulation
import Statistics
import TestBench
import TextFormats

/// The report for a terminal: what failed and why, then the scenarios, the gates and what the app was told.
///
/// It fits a screen: above ``longest`` scenarios, those that passed are told folder by folder; so are they where
/// something failed, above ``longestBeside``. What is longer than the terminal is wide is cut.
package struct ReportText {
  private let report: Report
  private let width: Int

  /// So many scenarios have a line each.
  private static let longest = 32
  /// The same, where the eye is to find what failed.
  private static let longestBeside = 10
  /// So many lines tell what failed, that the first of them is seen; and so many scenarios more have a line of their
  /// own.
  private static let mostFailureLines = 20
  private static let mostFailedRows = 12

  /// - Parameter width: Of the terminal, in columns.
  package init(_ report: Report, width: Int = 80) {
    self.report = report
    self.width = max(width, 40)
  }

  /// All but the verdict.
  package func text(colored: Bool) -> String {
    let results = report.suite.scenarios
    let failed = results.filter { !$0.passed }
    var lines: [String] = []
    var untold = 0
    for block in failed.flatMap(failures) {
      if lines.isEmpty || untold == 0 && lines.count + block.count <= Self.mostFailureLines {
        lines += block
      } else {
        untold += 1
      }
    }
    if untold > 0 { lines.append("\(untold) more failed: the reports tell how") }
    if !failed.isEmpty { lines.append("") }
    let isLong = results.count > (failed.isEmpty ? Self.longest : Self.longestBeside)
    let rows = isLong ? Array(failed.prefix(Self.mostFailedRows)) : results
    let fileWidth = rows.map { Printable.text($0.program.scenario.file).count }.max() ?? 0
    lines += rows.map { row($0, fileWidth, colored: colored) }
    if isLong, rows.count < failed.count {
      lines.append("\(paint("FAIL", false, colored)) \(failed.count - rows.count) scenarios more")
    }
    if isLong { lines += folders(results.filter(\.passed), colored: colored) }
    let gates = GateSection(results)
    if results.count == 1, !gates.results.isEmpty {
      lines += ["", "gates"] + gates.lines.map { "  " + $0 }
    } else if !gates.results.isEmpty {
      lines += ["", cut("gates (intervals, and what others have reached: in the reports)")]
      lines += gates.shortLines(of: results, width: width - 2).map { cut("  " + $0) }
    }
    let told = ObservationSection.summary(report)
    if !told.isEmpty { lines += [""] + told }
    return lines.joined(separator: "\n")
  }

  /// The last line: how it came out.
  package func verdict(colored: Bool) -> String {
    let passed = report.suite.scenarios.count - report.failedScenarios
    var verdict = "\(passed) of \(report.suite.scenarios.count) scenarios passed"
    let expectations =
      ", \(report.expectationCount - report.failedExpectations) of \(report.expectationCount) expectations"
    // What gates and files say is said in any case.
    if verdict.count + expectations.count <= width { verdict += expectations }
    verdict += report.killedTogether
    if report.suite.hasInvalidFiles { verdict += "; problems in files: \(report.suite.diagnostics.count)" }
    if report.suite.otherFiles > 0 { verdict += "; files of other kinds: \(report.suite.otherFiles)" }
    return paint(verdict, report.verdict == .passed, colored)
  }

  private func paint(_ text: String, _ passed: Bool, _ colored: Bool) -> String {
    colored ? "\u{1B}[\(passed ? 32 : 31)m\(text)\u{1B}[0m" : text
  }

  /// One scenario: as much of it as fits, its name and its expectations in any case.
  private func row(_ result: ScenarioResult, _ fileWidth: Int, colored: Bool) -> String {
    let scenario = result.program.scenario
    let total = result.accounts.total
    let expected = "\(result.expectations.count { $0.passed })/\(result.expectations.count)"
    let mark = result.passed ? "ok  " : "FAIL"
    let room = width - mark.count - 1 - 2 - 5
    let name = Printable.text(scenario.file)
    let width = min(fileWidth, room)
    let file = name.count > width ? "…" + name.suffix(width - 1) : name
    var line = " " + file + String(repeating: " ", count: width - file.count) + "  " + pad(expected, 5)
    for part in [
      "  \(count(total.requests, "request")) \(count(total.exposed, "fire"))",
      "  \(Printable.text(scenario.title))",
    ] where mark.count + line.count + min(part.count, 12) <= self.width {
      line += part
    }
    return paint(mark, result.passed, colored) + cut(line, to: self.width - mark.count)
  }

  /// A line for each folder.
  private func folders(_ results: [ScenarioResult], colored: Bool) -> [String] {
    var folders: [(name: String, scenarios: Int, expectations: Int)] = []
    for result in results {
      let file = Printable.text(result.program.scenario.file)
      let name = file.lastIndex(of: "/").map { String(file[...$0]) } ?? "./"
      if folders.last?.name != name {
        if let place = folders.firstIndex(where: { $0.name == name }) {
          folders.append(folders.remove(at: place))
        } else {
          folders.append((name, 0, 0))
        }
      }
      folders[folders.count - 1].scenarios += 1
      folders[folders.count - 1].expectations += result.expectations.count
    }
    return folders.sorted { $0.name < $1.name }.map { folder in
      let scenarios = "\(folder.scenarios) scenario" + (folder.scenarios == 1 ? "" : "s")
      let all = "all \(folder.expectations) expectations"
      return paint("ok  ", true, colored) + cut(" \(folder.name)  \(scenarios), \(all)", to: width - 4)
    }
  }

  private func cut(_ text: String, to width: Int? = nil) -> String {
    let width = width ?? self.width
    return text.count > width ? text.prefix(width - 1) + "…" : text
  }

  /// What failed of a scenario, one after the other.
  private func failures(_ result: ScenarioResult) -> [[String]] {
    let file = Printable.text(result.program.scenario.file)
    var blocks = result.expectations.filter { !$0.passed }.map { expectation in
      var lines = [
        "\(file):\(expectation.position.line):\(expectation.position.column): expectation failed",
        "  expected  \(Printable.text(expectation.text))",
        "  got       \(Printable.text(expectation.got))",
      ]
      if let nearest = expectation.nearest { lines.append("  nearest   \(Printable.text(nearest))") }
      for (index, reason) in expectation.reasons.enumerated() {
        lines.append((index == 0 ? "  because   " : "            ") + Printable.text(reason))
      }
      return lines
    }
    for result in result.gates where result.fails {
      blocks.append(
        [
          Printable.text("\(result.place): gate \(result.gate.name) kills"),
          "  target    \(result.gate.target.text)",
        ] + [result.gate.kill.map { "  kill      \($0.text)" }].compactMap(\.self)
          + ["  got       \(Printable.text(result.summary))"])
    }
    return blocks + result.accounts.contradictions.map { ["\(file): the accounts do not close: \($0)"] }
  }

  /// "    1 request ", as wide as any number of them.
  private func count(_ number: Int, _ noun: String) -> String {
    pad("\(number)", 5) + " " + noun + (number == 1 ? " " : "s")
  }

  private func pad(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }
}
