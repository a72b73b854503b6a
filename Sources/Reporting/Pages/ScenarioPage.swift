import PersonModel
import Recordings
import ScenarioModel
import Simulation
import Statistics
import TestBench
import TextFormats
import TriggerModel

extension ReportPages {
  /// Returns the page of a scenario, with its expectations, chronology and counts.
  func scenario(_ number: Int) -> HTMLPage {
    let result = report.suite.scenarios[number]
    let scenario = result.program.scenario
    var page = HTMLPage("\(scenario.title)", kind: Self.kind, style: Self.style)
    page.body = [
      "<nav><a href=\"index.html\">All scenarios</a></nav>",
      Self.element("h1", "\(scenario.title): \(Self.verdict(result.passed))"),
      Self.element("p", circumstances(result)),
    ]
    if !scenario.story.isEmpty { page.body.append(Self.element("p", "\(scenario.story)")) }
    page.body += result.accounts.contradictions.prefix(20).map {
      Self.element("p", "The accounts do not close: \($0)", "failed")
    }
    page.body += expectations(result) + chronology(result)
    page.body.append("<h2>Counts</h2>")
    page.body += Self.funnel(result.accounts.total, result.isModelled) + Self.denials(result.accounts.total)
    if !result.accounts.ignored.isEmpty {
      let ignored = WordLinks.link(result.accounts.ignored.inWords)
      page.body.append(Self.element("p", "Events without effect: \(ignored)."))
    }
    page.body += reminders(result) + Self.sections([result]) + imports(result)
    page.body.append(footer)
    return page
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

  /// Returns the lines of the expectations, failed ones first.
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
    return ["<h2>Expectations</h2>"] + Self.lines(table)
  }

  private func chronology(_ result: ScenarioResult) -> [String] {
    let chronology = result.chronology
    var lines = ["<h2>Chronology</h2>"]
    if chronology.entries.isEmpty {
      lines.append("<p>No notification was due, and none fired.</p>")
    } else {
      let words = ChronologyWords(RunWords(result.program), result.texts)
      var table = HTMLTable(
        "chronology", [.time("time"), .text("reminder"), .text("outcome"), .text("reason")],
        isStacked: true, bytes: 80_000)
      for entry in chronology.entries {
        let row = words.row(entry)
        table.add(["\(row.time)", "\(row.reminder)", "\(row.fate)", WordLinks.link(row.reason)])
      }
      lines += table.markup
      let more = table.leftOut + chronology.omitted
      if more > 0 {
        lines.append(
          "<p class=\"note\">\(more) more follow: <code>triggerbench run --journal</code> writes all of them.</p>"
        )
      }
    }
    if !chronology.listsMisses {
      lines.append(
        "<p class=\"note\">Denied requests, and triggers without a request, are too many to list here; they are counted"
          + " below.</p>")
    }
    return lines
  }

  private func reminders(_ result: ScenarioResult) -> [String] {
    let words = RunWords(result.program)
    var table = HTMLTable(
      "reminders",
      [
        .text("reminder"), .number("due"), .text("not requested because"), .number("unfounded requests"),
        .number("matches"), .number("requests"), .number("admitted"), .number("exposed"), .number("tapped"),
        .number("tap-through"),
      ], bytes: 40_000)
    for (index, account) in result.accounts.reminders.enumerated() {
      table.add([
        "\(words.name(ReminderID(index)))", "\(account.dueRequests)",
        WordLinks.link(account.unmadeBecause.inWords),
        "\(account.unfoundedWords)", "\(account.matches)", "\(account.requests)", "\(account.admitted)",
        "\(account.exposed)", "\(account.tapped)",
        HTMLText(Figure(.tapThrough, account, days: 1).description),
      ])
    }
    return ["<h2>Reminders</h2>"] + sentences(result) + Self.lines(table)
  }

  /// Returns the lines of the table that describes each reminder in a sentence.
  private func sentences(_ result: ScenarioResult) -> [String] {
    var table = HTMLTable(
      "reminders as sentences", [.text("reminder"), .text("sentence")], isStacked: true, bytes: 24_000)
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
      lines += ["<ul>"] + items.map { Self.element("li", HTMLText($0)) } + ["</ul>"]
    }
    return lines
  }
}
