import Statistics
import TestBench
import TextFormats
import TriggerModel

/// What pages of one scenario and of a whole suite have in common.
extension ReportPages {
  /// A table; below it, how many rows found no room.
  static func lines(_ table: HTMLTable, rest: HTMLText = "report.json has them all") -> [String] {
    if table.leftOut == 0 { return table.markup }
    let note: HTMLText = "\(table.leftOut) more rows found no room here: \(rest)."
    return table.markup + ["<p class=\"note\">\(note.markup)</p>"]
  }

  static func funnel(_ account: ReminderAccount, _ isModelled: Bool) -> [String] {
    var table = HTMLTable(
      "the way from due to a tap",
      ["step", "count", "lost before it", "evidence"].map {
        HTMLTable.Column(title: WordLinks.alone($0), isNumber: $0 == "count")
      })
    for step in Funnel(account, isModelled: isModelled).steps {
      table.add([
        WordLinks.alone(step.name), "\(step.count)", WordLinks.link(step.changes),
        WordLinks.alone(step.evidence.rawValue),
      ])
    }
    return lines(table)
  }

  static func denials(_ account: ReminderAccount) -> [String] {
    var table = HTMLTable(
      "why requests were denied",
      ["denied because of", "as first reason", "among all blockers"].enumerated().map { place, head in
        HTMLTable.Column(title: WordLinks.alone(head), isNumber: place > 0)
      })
    var isEmpty = true
    for reason in Reason.allCases where account.blockedBy[reason] > 0 {
      isEmpty = false
      table.add([WordLinks.link(reason.name), "\(account.denied[reason])", "\(account.blockedBy[reason])"])
    }
    return isEmpty ? [] : lines(table)
  }

  static func sections(_ results: [ScenarioResult], ofSuite: Bool = false) -> [String] {
    ReportSections.tables(results, ofSuite: ofSuite).flatMap { section in
      let columns = section.table.columns
      var table = HTMLTable(
        section.title,
        columns.map { HTMLTable.Column(title: WordLinks.alone($0.title), isNumber: $0.isNumber) },
        bytes: 10_000)
      for row in section.table.rows { table.add(row.map(WordLinks.link)) }
      let title: HTMLText = "\(section.title)"
      return ["<h2>\(title.markup)</h2>"] + lines(table) + notes(section.table.notes)
    }
  }

  /// Sentences below a table; so many that a page stays short.
  private static func notes(_ notes: [String]) -> [String] {
    if notes.count < 2 { return notes.map { "<p class=\"note\">\(HTMLText($0).markup)</p>" } }
    let shown = notes.prefix(20).map { "<li>\(HTMLText($0).markup)</li>" }
    let rest = notes.count > 20 ? ["<li>and \(notes.count - 20) more, which report.json has</li>"] : []
    return ["<ul class=\"note\">"] + shown + rest + ["</ul>"]
  }
}
