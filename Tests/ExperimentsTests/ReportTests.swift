import Experiments
import Reporting
import Testing
import TextFormats

/// Tests the reports of a small experiment.
@Suite struct ReportTests {
  private static let report: ExperimentReport? = {
    let text = """
      kind: experiment
      version: 1
      title: Two <intervals>
      population: popcap-1
      days: 4
      grid:
        policy.minimumInterval: [2 h, 4 h]
        policy.dailyCap: [2, 3]
      people: 200
      gates:
        - {metric: tapThrough, of: base, target: '>= 25 %', kill: '< 5 %'}
        - {metric: optOuts, change: 'minimumInterval 2 h, dailyCap 3', target: '<= 1 pp'}
      sensitivity: {people: 200, draws: 2}
      """
    guard case .plan(let plan, _) = ExperimentFile.read(Array(text.utf8), file: "a.yaml") else { return nil }
    let result = ExperimentRunner(plan, PeopleWorkers(jobs: 2)).run()
    return ExperimentReport(result, command: "triggerbench experiment a.yaml", tool: "test")
  }()

  @Test func `every chart has a title, a description and a table`() throws {
    let report = try #require(Self.report)
    let html = ExperimentHTML(report).text
    let drawings = html.components("<svg")
    #expect(drawings == 4)
    #expect(html.components("<title id=") == drawings)
    #expect(html.components("<desc id=") == drawings)
    for section in report.sections where section.chart != nil { #expect(section.table != nil) }
    let unwanted = ["<script", "http:", "https:", "<img", "onload", "<intervals>", "NaN", "nan\"", "inf\""]
    #expect(unwanted.filter { html.contains($0) } == [])
    let isEscaped = html.contains("Two &lt;intervals&gt;")
    #expect(isEscaped)
  }

  @Test func `a gate names published benchmarks`() throws {
    let report = try #require(Self.report)
    let markdown = ExperimentMarkdown(report).text
    let gates = ExperimentJSON(report).document["gates"]?.line.replacing(" ", with: "") ?? ""
    #expect(
      gates.contains(#""target":">=25.00%","kill":"<5.00%""#)
        && gates.contains(#""target":"<=+1.00pp""#), "\(gates)")
    #expect(markdown.contains("is above every published benchmark: 14.4 % contextual, 4.19 % generic"))
    #expect(
      markdown.contains("Probability under the model: with all assumptions drawn from their ranges"))
  }

  @Test func `every rendering contains all sentences of the report`() throws {
    let report = try #require(Self.report)
    let said = report.answers + report.sections.flatMap { [$0.title] + $0.sentences + $0.notes }
    #expect(report.sections.contains { !$0.sentences.isEmpty && !$0.notes.isEmpty })
    let cells = report.sections.flatMap { ($0.table?.rows ?? []).flatMap(\.self) }
    let (html, markdown) = (ExperimentHTML(report).text, ExperimentMarkdown(report).text)
    #expect((said + cells).filter { !html.contains(Markup.escape($0)) } == [])
    #expect((said + cells).filter { !markdown.contains(Markup.markdown($0)) } == [])
    let text = ExperimentText(report).text
    #expect(said.filter { !text.contains($0) } == [])
  }

  /// The terminal text omits long columns and only lists their names.
  @Test func `the terminal text contains every short column`() throws {
    let report = try #require(Self.report)
    let text = ExperimentText(report).text
    let columns = report.sections.flatMap { $0.table?.columns ?? [] }
    #expect(columns.contains { $0.isLong } && columns.contains { !$0.isLong })
    let named = text.split(separator: "\n").filter { $0.hasPrefix("The reports also have ") }.joined()
    for column in columns { #expect(named.contains("'\(column.title)'") == column.isLong, "\(column)") }
    for section in report.sections {
      guard let table = section.table else { continue }
      let shown = table.columns.indices.filter { !table.columns[$0].isLong }
      let cells = table.rows.flatMap { row in shown.map { row[$0] } }
      #expect(cells.filter { !text.contains($0) } == [], "\(section.title)")
    }
  }

  @Test func `every table row has one cell per column`() throws {
    let report = try #require(Self.report)
    for section in report.sections {
      guard let table = section.table else { continue }
      for row in table.rows { #expect(row.count == table.columns.count, "\(section.title)") }
    }
  }

  @Test func `the sensitivity analysis starts at the experiment's own difference`() throws {
    let result = try #require(Self.report).result
    let found = try #require(result.sensitivity)
    #expect(found.standard == result.change(0, arm: 1))
    #expect(found.effects.map(\.swing) == found.effects.map(\.swing).sorted(by: >))
    #expect(found.chances.allSatisfy { $0.draws == 2 })
  }

  @Test func `a beaten policy is not better in any figure than the policy that beats it`() throws {
    let report = try #require(Self.report)
    let front = try #require(ParetoFront(report.result))
    for point in front.points {
      guard let beatenBy = point.beatenBy else { continue }
      let other = try #require(front.points.first { $0.arm == beatenBy })
      #expect(
        other.opens >= point.opens && other.tapThrough >= point.tapThrough && other.optOuts <= point.optOuts)
    }
    let isHeld = front.points.contains { $0.isOnFront }
    #expect(isHeld)
    for point in front.points {
      let equal = front.points.filter {
        report.result.sums.ratios[$0.arm] == report.result.sums.ratios[point.arm]
      }
      #expect(point.sameAs == (equal[0].arm == point.arm ? nil : equal[0].arm))
    }
  }

  @Test func `a replay of one person lists changes in chronological order`() throws {
    let plan = try #require(Self.report).result.plan
    let text = ReplayText(plan, person: 3).text
    #expect(text.hasPrefix("person 3 of popcap-1, seed 1, 4 days\n"))
    for arm in plan.arms { #expect(text.contains(arm.name)) }
    // The notifications are sorted by due time and lie within the days.
    let changed = text.split(separator: "changed fate").dropFirst()
    #expect(!changed.isEmpty)
    for table in changed {
      let times = table.matches(of: #/day (\d+) (\d\d):(\d\d)/#).map {
        ((Int($0.1) ?? 0) * 24 + (Int($0.2) ?? 0)) * 60 + (Int($0.3) ?? 0)
      }
      #expect(!times.isEmpty && times == times.sorted(), "\(table)")
      #expect(times.allSatisfy { $0 < 6 * 1_440 })
    }
  }

  @Test func `the replay of a person without denials lists no reasons`() throws {
    let text = """
      kind: experiment
      version: 1
      title: A day
      population: popcap-1
      days: 1
      variants:
        free:
          policy:
            {dailyCap: none, typeDailyCap: none, criticalDailyCap: none, minimumInterval: 0 s, quietHours: none,
            lifetimeCap: {type0: 999, type1: 999, type2: 999, type3: 999}}
      """
    guard case .plan(let plan, _) = ExperimentFile.read(Array(text.utf8), file: "a.yaml") else {
      Issue.record("the plan cannot be read")
      return
    }
    var seen: Set<Bool> = []
    for person in 0..<40 as Range<UInt64> {
      let rows = ReplayText(plan, person: person).text.split(separator: "\n").dropFirst(2)
      for (arm, row) in zip(plan.arms, rows) {
        var (prototype, outcome) = (arm.prototype, PersonOutcome(types: plan.types.count))
        prototype.run(person, into: &outcome)
        let isDenied = outcome.denied.contains { $0 > 0 }
        #expect(row.hasSuffix(" none") != isDenied, "\(row)")
        seen.insert(isDenied)
      }
    }
    #expect(seen.count == 2)
  }
}

extension String {
  /// Returns the number of occurrences of a word.
  fileprivate func components(_ word: String) -> Int { ranges(of: word).count }
}
