import ScenarioModel
import Simulation
import TestBench
import TextFormats

/// The report as pages: an index, a page for each scenario, and the words that stand on them. No page is longer than
/// ``mostBytes``.
package struct ReportPages {
  /// So long is no page, in bytes; each of its tables has its share, and says how many rows found no room.
  package static let mostBytes = 300_000

  /// By which the tool knows its own pages.
  static let kind = "triggerbench-report"

  let report: Report
  /// By scenario: the name of its page's file.
  let names: [String]

  package init(_ report: Report) {
    self.report = report
    names = Self.names(of: report.suite.scenarios.map(\.program.scenario.file))
  }

  /// By name, made one at a time.
  package var documents: [ReportDocument] {
    [
      ReportDocument("index.html") { index.text }, ReportDocument(WordLinks.page) { Self.words.text },
    ] + names.indices.map { number in ReportDocument(names[number]) { scenario(number).text } }
  }

  /// Whether a file may be one of these pages, by its name.
  package static func isPage(_ name: String) -> Bool {
    name == WordLinks.page || name.hasPrefix(prefix) && name.hasSuffix(".html")
  }

  private static let prefix = "scenario-"

  /// After the files, in letters that every system can keep; those that are the same then are numbered.
  static func names(of files: [String]) -> [String] {
    var taken: [String: Int] = [:]
    return files.map { file in
      let stem = file.hasSuffix(".yaml") ? file.dropLast(5) : file[...]
      let words = stem.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
      let own = words.count > 1 && words[0] == "scenarios" ? words.dropFirst() : words[...]
      let slug = String(own.joined(separator: "-").suffix(80))
      // "a-2" may be the name of a file too.
      var name = slug.isEmpty ? "1" : slug
      while let number = taken[name] {
        taken[name] = number + 1
        name = (slug.isEmpty ? "" : slug + "-") + "\(number + 1)"
      }
      taken[name] = 1
      return prefix + name + ".html"
    }
  }

  var footer: String {
    let engine: HTMLText = report.versions.engine.map { ", engine under test \(.code(HTMLText($0)))" } ?? ""
    let text: HTMLText =
      "triggerbench \(report.versions.tool), time-zone data \(report.versions.timeZoneData), GEOS \(report.versions.geos)\(engine). Counts are instrumented: made in this run. \(report.responses)"
    return "<footer>\(text.markup)</footer>"
  }

  static func verdict(_ passed: Bool) -> HTMLText {
    passed ? .span("passed", "passed") : .span("failed", "failed")
  }

  static let style = """
    .passed { color: var(--good) } .failed, .invalid { color: var(--bad); font-weight: 600 }
    .failure { border-left: .3rem solid var(--bad); padding: .1rem 0 .1rem 1rem; margin: 1rem 0 }
    dt { font-weight: 600; margin-top: .5rem } dd { margin: 0 0 0 1rem } nav { margin: .5rem 0 }

    """
}
