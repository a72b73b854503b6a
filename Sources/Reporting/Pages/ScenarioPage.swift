import PersonModel
import Recordings
import ScenarioModel
import Simulation
import Statistics
import TestBench
import TextFormats
import TriggerModel

extension ReportPages {
  /// One scenario: what was expected, what fired when, and the counts.
  func scenario(_ number: Int) -> HTMLPage {
    let result = report.suite.scenarios[number]
    let scenario = result.program.scenario
    var page = HTMLPage("\(scenario.title)", kind: Self.kind, style: Self.style)
    let heading: HTMLText = "\(scenario.title): \(Self.verdict(result.passed))"
    page.body = [
      "<nav><a href=\"index.html\">All scenarios</a></nav>", "<h1>\(heading.markup)</h1>",
      "<p>\(circumstances(result).markup)</p>",
    ]
    if !scenario.story.isEmpty {
      let story: HTMLText = "\(Self.beginning(of: scenario.story))"
      page.body.append("<p>\(story.markup)</p>")
    }
    page.body += result.accounts.contradictions.prefix(20).map {
      let words: HTMLText = "The accounts do not close: \($0)"
      return "<p class=\"failed\">\(words.markup)</p>"
    }
    page.body += expectations(result) + chronology(result)
    page.body.append("<h2>Counts</h2>")
    page.body += Self.funnel(result.accounts.total, result.isModelled) + Self.denials(result.accounts.total)
    if !result.accounts.ignored.isEmpty {
      let ignored: HTMLText = "Happened without effect: \(WordLinks.link(result.accounts.ignored.inWords))."
      page.body.append("<p>\(ignored.markup)</p>")
    }
    page.body += reminders(result) + Self.sections([result]) + imports(result)
    page.body.append(footer)
    return page
  }

  /// A page is to be read; a story of any length is in the file.
  private static func beginning(of description: String) -> String {
    description.count > 2_000 ? description.prefix(1_999) + "…" : description
  }

  private func circumstances(_ result: ScenarioResult) -> HTMLText {
    let scenario = result.program.scenario
    var text: HTMLText = "\(.code("\(scenario.file)")), profile \(scenario.profile.value)"
    let settings = scenario.knobs.map { "\($0.name) \($0.value)" }
    if !settings.isEmpty { text = text + " with \(settings.joined(separator: ", "))" }
    if let setup = scenario.person { text = text + ", person \(setup.number) of \(TapModel.name)" }
    text = text + ", seed \(scenario.seed), \(RunWords(result.program).days) days"
    if !scenario.packs.isEmpty {
      text = text + ", with "
      for (index, pack) in scenario.packs.enumerated() {
        text = text + (index > 0 ? ", " : "") + .code("\(pack)")
      }
    }
    return text
  }

  /// Those that failed first.
  private func expectations(_ result: ScenarioResult) -> [String] {
    if result.expectations.isEmpty { return [] }
    var table = HTMLTable(
      "expectations", [.text("verdict"), .text("expected"), .text("got")], isStacked: true, bytes: 80_000)
    var lines: Set<Int32> = []
    for expectation in result.expectations.filter({ !$0.passed }) + result.expectations.filter(\.passed) {
      let line = expectation.position.line
      var got: HTMLText = "\(expectation.got)"
      if let nearest = expectation.nearest { got = got + .lineBreak + "nearest: \(nearest)" }
      for reason in expectation.reasons.prefix(20) { got = got + .lineBreak + WordLinks.link(reason) }
      table.add(
        [Self.verdict(expectation.passed), "\(expectation.text) (line \(line))", got],
        anchor: lines.insert(line).inserted ? "line-\(line)" : nil)
    }
    return ["<h2>What was expected</h2>"] + Self.lines(table)
  }

  private func chronology(_ result: ScenarioResult) -> [String] {
    let chronology = result.chronology
    var lines = ["<h2>What fired when</h2>"]
    if chronology.entries.isEmpty {
      lines.append("<p>Nothing was due, and nothing fired.</p>")
    } else {
      let words = ChronologyWords(RunWords(result.program), result.texts)
      var table = HTMLTable(
        "what fired when", [.time("time"), .text("reminder"), .text("what became of it"), .text("why not")],
        isStacked: true, bytes: 80_000)
      for entry in chronology.entries {
        let row = words.row(entry)
        table.add(["\(row.time)", "\(row.reminder)", "\(row.fate)", WordLinks.link(row.reason)])
      }
      lines += table.markup
      let more = table.leftOut + chronology.untold
      if more > 0 {
        lines.append(
          "<p class=\"note\">\(more) more came later: <code>triggerbench run --journal</code> writes all of them.</p>"
        )
      }
    }
    if !chronology.tellsMisses {
      lines.append(
        "<p class=\"note\">Denied requests, and triggers for which nothing was asked, are counted below and not told"
          + " here: there are too many of them.</p>")
    }
    return lines
  }

  private func reminders(_ result: ScenarioResult) -> [String] {
    let words = RunWords(result.program)
    var table = HTMLTable(
      "reminders",
      [
        .text("reminder"), .number("due"), .text("due and not made, because"), .number("made without cause"),
        .number("matches"), .number("requests"), .number("admitted"), .number("exposed"), .number("tapped"),
        .number("tap-through"),
      ], bytes: 40_000)
    for (index, account) in result.accounts.reminders.enumerated() {
      table.add([
        "\(words.name(ReminderID(index)))", "\(account.dueRequests)",
        WordLinks.link(account.notObserved.inWords),
        "\(account.unfoundedWords)", "\(account.matches)", "\(account.requests)", "\(account.admitted)",
        "\(account.exposed)", "\(account.tapped)",
        HTMLText(Figure(.tapThrough, account, days: 1).description),
      ])
    }
    return ["<h2>Reminders</h2>"] + sentences(result) + Self.lines(table)
  }

  /// What each is, as a sentence.
  private func sentences(_ result: ScenarioResult) -> [String] {
    var table = HTMLTable(
      "what the reminders are", [.text("reminder"), .text("what it is")], isStacked: true, bytes: 24_000)
    let text = SentencesText(result.program.scenario)
    for row in text.rows { table.add(["\(text.title(row))", "\(text.sentence(row))"]) }
    return Self.lines(table, rest: "'triggerbench sentences' prints them all")
  }

  private func imports(_ result: ScenarioResult) -> [String] {
    if result.program.imports.isEmpty { return [] }
    var lines = ["<h2>Recordings</h2>"]
    for report in result.program.imports.prefix(10) {
      let derivations = report.derivations.map { derivation in
        let counts = derivation.counts.map { "\($0.count) by \($0.rule)" }.joined(separator: ", ")
        return "\(derivation.event): \(counts); used: \(derivation.chosen)"
      }
      let items = (report.summary.lines + derivations).prefix(20)
      lines += ["<ul>"] + items.map { "<li>\(HTMLText($0).markup)</li>" } + ["</ul>"]
    }
    return lines
  }
}
