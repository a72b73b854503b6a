import ScenarioModel
import Simulation
import Statistics
import TestBench
package import TextFormats
import TriggerModel

/// The report as HTML pages: an index, one page for each scenario, and a page that explains the words.
///
/// No page exceeds ``mostBytes``.
package struct ReportPages {
  /// The maximum length of a page in bytes. Each table may use a share of it and states how many rows it
  /// omits.
  package static let mostBytes = 300_000

  /// The generator that each page names. The tool overwrites only pages that name it.
  static let kind = "triggerbench-report"

  let report: Report
  /// The file names of the scenarios' pages.
  let names: [String]

  package init(_ report: Report) {
    self.report = report
    names = Self.names(of: report.suite.scenarios.map(\.program.scenario.file))
  }

  /// The documents of all pages. A page is rendered only when it is written.
  package var documents: [ReportDocument] {
    [
      ReportDocument("index.html") { index.text }, ReportDocument(WordLinks.page) { Self.words.text },
    ] + names.indices.map { number in ReportDocument(names[number]) { scenario(number).text } }
  }

  /// Returns whether a page other than the index may have the given file name.
  package static func isPage(_ name: String) -> Bool {
    name == WordLinks.page || name.hasPrefix(prefix) && name.hasSuffix(".html")
  }

  private static let prefix = "scenario-"

  /// Returns page names derived from the files of the scenarios, in characters that every file system
  /// supports. Equal names get a number.
  static func names(of files: [String]) -> [String] {
    var taken: [String: Int] = [:]
    return files.map { file in
      let stem = file.hasSuffix(".yaml") ? file.dropLast(5) : file[...]
      let words = stem.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
      let own = words.count > 1 && words[0] == "scenarios" ? words.dropFirst() : words[...]
      let slug = String(own.joined(separator: "-").suffix(80))
      // A file may be called "a-2", so a numbered name may be taken too.
      var name = slug.isEmpty ? "1" : slug
      while let number = taken[name] {
        taken[name] = number + 1
        name = (slug.isEmpty ? "" : slug + "-") + "\(number + 1)"
      }
      taken[name] = 1
      return prefix + name + ".html"
    }
  }

  // MARK: Elements of several pages

  /// Returns an HTML element that contains the given text and has an optional class.
  static func element(_ tag: String, _ text: HTMLText, _ style: String? = nil) -> String {
    "<\(tag)\(style.map { " class=\"\($0)\"" } ?? "")>\(text.markup)</\(tag)>"
  }

  var footer: String {
    let engine: HTMLText = report.versions.engine.map { ", engine under test \(.code(HTMLText($0)))" } ?? ""
    return Self.element(
      "footer",
      "triggerbench \(report.versions.tool), time-zone data \(report.versions.timeZoneData), GEOS \(report.versions.geos)\(engine). Counts are instrumented: made in this run. \(report.responses)"
    )
  }

  static func verdict(_ passed: Bool) -> HTMLText {
    passed ? .span("passed", "passed") : .span("failed", "failed")
  }

  static let style = """
    .passed { color: var(--good) } .failed, .invalid { color: var(--bad); font-weight: 600 }
    .failure { border-left: .3rem solid var(--bad); padding: .1rem 0 .1rem 1rem; margin: 1rem 0 }
    dt { font-weight: 600; margin-top: .5rem } dd { margin: 0 0 0 1rem } nav { margin: .5rem 0 }

    """

  /// Returns the lines of a table, followed by a note if it omits rows.
  static func lines(_ table: HTMLTable, rest: HTMLText = "report.json has them all") -> [String] {
    if table.leftOut == 0 { return table.markup }
    return table.markup + [element("p", "\(table.leftOut) more rows do not fit here: \(rest).", "note")]
  }

  /// Returns the lines of a table. Column heads and cells link to the explanations of their words.
  private static func lines(
    _ table: ReportTable, named name: String, bytes: Int = 40_000,
    cell: (_ text: String, _ column: Int) -> HTMLText = { text, _ in WordLinks.link(text) }
  ) -> [String] {
    var lines = HTMLTable(
      name,
      table.columns.map {
        $0.isNumber ? HTMLTable.Column.number(WordLinks.exact($0.title)) : .text(WordLinks.exact($0.title))
      },
      bytes: bytes)
    for row in table.rows { lines.add(row.enumerated().map { cell($1, $0) }) }
    return self.lines(lines)
  }

  static func funnel(_ account: ReminderAccount, _ isModelled: Bool) -> [String] {
    let table = Funnel(account, isModelled: isModelled).table
    return lines(table, named: "from due to routed") { text, column in
      table.columns[column].title == "losses" ? WordLinks.link(text) : WordLinks.exact(text)
    }
  }

  static func denials(_ account: ReminderAccount) -> [String] {
    let table = ReportTable.denials(account)
    return table.rows.isEmpty ? [] : lines(table, named: "why requests were denied")
  }

  static func sections(_ results: [ScenarioResult], ofSuite: Bool = false) -> [String] {
    ReportSections.tables(results, ofSuite: ofSuite).flatMap { section in
      [element("h2", "\(section.title)")] + lines(section.table, named: section.title, bytes: 10_000)
        + notes(section.table.notes)
    }
  }

  /// Returns the notes below a table. To keep the page short, returns at most 20.
  private static func notes(_ notes: [String]) -> [String] {
    if notes.count < 2 { return notes.map { element("p", HTMLText($0), "note") } }
    let shown = notes.prefix(20).map { element("li", HTMLText($0)) }
    let rest = notes.count > 20 ? ["<li>and \(notes.count - 20) more, which report.json has</li>"] : []
    return ["<ul class=\"note\">"] + shown + rest + ["</ul>"]
  }

  // MARK: Words

  /// The page that explains the words, with the text of `triggerbench reasons`.
  static var words: HTMLPage {
    var page = HTMLPage("TriggerBench: the words of reports", kind: kind, style: style)
    page.body = [
      "<nav><a href=\"index.html\">All scenarios</a></nav>", "<h1>The words of reports</h1>",
      "<p>The words are in the order of the stages from an event to a routed link. In a terminal:"
        + " <code>triggerbench reasons notWoken</code>.</p>",
    ]
    var anchors: Set<String> = []
    for stage in ReportWord.Stage.allCases {
      let own = ReportWord.all.filter { $0.stage == stage }
      if own.isEmpty { continue }
      page.body.append(element("h2", "\(stage.rawValue): \(stage.summary)") + "<dl>")
      for word in own {
        let anchor = WordLinks.anchor(word.name)
        // A word with two kinds has two explanations. Only the first one has the anchor.
        let id = anchors.insert(anchor).inserted ? " id=\"\(anchor)\"" : ""
        let name: HTMLText = "\(word.name) (\(word.kind.title))"
        page.body.append("<dt\(id)>\(name.markup)</dt>" + element("dd", "\(word.sentence) \(word.remedy)"))
      }
      page.body.append("</dl>")
    }
    return page
  }
}

extension ReportTable {
  /// Returns a table of the reasons for denials, with their counts as the primary reason and among all
  /// blockers.
  static func denials(_ account: ReminderAccount) -> ReportTable {
    ReportTable(
      columns: [.text("denied because of"), .number("as first reason"), .number("among all blockers")],
      rows: Reason.allCases.filter { account.blockedBy[$0] > 0 }.map {
        [$0.name, "\(account.denied[$0])", "\(account.blockedBy[$0])"]
      })
  }
}

/// Links the words of a report to their explanations.
enum WordLinks {
  /// The file name of the page with the explanations.
  static let page = "words.html"

  /// The words by their first letter. Longer words come first, because one word may be a prefix of another.
  ///
  /// Figures are excluded, because their names are common words. Only column heads link to figures.
  private static let names: [Character: [String]] = Dictionary(
    grouping: Set(ReportWord.all.filter { $0.stage != .report }.map(\.name))
  ) {
    $0.first ?? " "
  }.mapValues { $0.sorted { ($1.count, $0) < ($0.count, $1) } }

  /// Returns the text as a link if all of it is a single word with an explanation.
  static func exact(_ name: String) -> HTMLText {
    ReportWord.named(name).isEmpty ? "\(name)" : .link("\(name)", to: "\(page)#\(anchor(name))")
  }

  /// Returns the anchor of a word on the page with the explanations.
  static func anchor(_ name: String) -> String {
    name.replacing(" ", with: "-").replacing(",", with: "").replacing("%", with: "percent")
  }

  /// Returns the text with each word linked to its explanation.
  static func link(_ text: String) -> HTMLText {
    var linked: HTMLText = ""
    var plain = ""
    var rest = text[...]
    var isWithinWord = false
    while let letter = rest.first {
      if !isWithinWord, let name = names[letter]?.first(where: { isWord($0, at: rest) }) {
        linked = linked + HTMLText(plain) + .link("\(name)", to: "\(page)#\(anchor(name))")
        plain = ""
        rest = rest.dropFirst(name.count)
        isWithinWord = true
      } else {
        plain.append(letter)
        isWithinWord = letter.isLetter || letter.isNumber
        rest = rest.dropFirst()
      }
    }
    return linked + HTMLText(plain)
  }

  private static func isWord(_ name: String, at rest: Substring) -> Bool {
    guard rest.hasPrefix(name) else { return false }
    let next = rest.dropFirst(name.count).first
    return next.map { !($0.isLetter || $0.isNumber) } ?? true
  }
}

/// One file of a report, which is rendered only when it is written.
///
/// JSON is written in pieces, so that the report of a large suite needs little memory.
package struct ReportDocument {
  package let name: String
  private let make: (_ take: ([UInt8]) throws -> Void) throws -> Void

  package init(_ name: String, _ text: @escaping () -> String) {
    self.name = name
    make = { take in try take(Array(text().utf8)) }
  }

  package init(_ name: String, json: @escaping () -> JSONValue) {
    self.name = name
    make = { take in try json().write(take) }
  }

  /// Passes the bytes of the file to a closure, one piece at a time.
  package func write(_ take: ([UInt8]) throws -> Void) throws { try make(take) }

  package var text: String {
    var bytes: [UInt8] = []
    // Rendering rethrows errors of the closure, and this closure throws none.
    try? make { bytes += $0 }
    return String(decoding: bytes, as: UTF8.self)
  }
}
