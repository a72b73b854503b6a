import Foundation
import Journal
import RandomScenarios
import ScenarioModel
import ScenarioSamples
import Scenarios
import Simulation
import Statistics
import TestBench
import TestSupport
import Testing
import TextFormats

@testable import Reporting

@Suite struct RunComparisonTests {
  // MARK: Lines

  @Test func `each kind of decision line is a word of exactly one journal track`() {
    let lines = DecisionLine.named.values.flatMap(\.values)
    #expect(Set(lines) == Set(DecisionLine.allCases) && lines.count == DecisionLine.allCases.count)
    #expect(DecisionLine.named["effect"]?["noRequest"] == .noRequest)
    #expect(DecisionLine.named["observed"] == [:] && DecisionLine.named["sync"] == [:])
  }

  // MARK: Random runs

  /// Returns the journals of a random scenario under its own settings and under changed settings.
  private func journals(seed: UInt64, profile: String, settings: [String]) throws -> [Data] {
    try runs(seed: seed, profile: profile, settings: settings).map(\.journal)
  }

  private func runs(
    seed: UInt64, profile: String, settings: [String]
  ) throws -> [(journal: Data, result: ScenarioResult)] {
    try runs(of: RandomStory(seed: seed, profile: profile).text, profile: profile, settings: settings)
  }

  private func runs(
    of story: String, profile: String, settings: [String]
  ) throws -> [(journal: Data, result: ScenarioResult)] {
    let head = "kind: scenario\nversion: 1\ntitle: test\nstart: 2026-05-04T07:00\nzone: Europe/Berlin\n"
    let text = head + story
    return try [[], settings].map { arguments in
      let settings = try arguments.map { try #require(ScenarioSetting($0)) }
      let outcome = ScenarioFile.read(
        Array(text.utf8), file: "story.yaml", settings: settings, fileExists: { _ in false })
      let scenario = try outcome.get()
      let program = try Program(scenario)
      var data = Data()
      let header = JournalHeader(
        tool: "test", scenario: scenario.title, file: scenario.file, seed: scenario.seed, profile: profile,
        engine: "built-in")
      var sink = JournalFileSink(program.wireNames, header) { data.append(contentsOf: $0) }
      let (result, _) = ScenarioRun(program, stopwatch: { 0 }).run(into: &sink)
      sink.finish()
      return (data, result)
    }
  }

  /// Returns the number of exposures for each reminder and wall-clock time, counted independently of the
  /// comparison.
  private func exposures(in journal: Data) throws -> [String: Int] {
    var held: Set<String> = []
    var counts: [String: Int] = [:]
    for line in String(decoding: journal, as: UTF8.self).split(separator: "\n") {
      guard let fields = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
        fields["track"] as? String == "outcome", let reminder = fields["reminder"] as? String,
        let wall = fields["wall"] as? String
      else { continue }
      let request = "\(reminder) \(fields["occurrence"] ?? "")"
      switch fields["event"] as? String {
      case "delivered" where fields["surface"] as? String == "none": held.insert(request)
      case "delivered": counts["\(reminder) \(ComparisonText.local(wall))", default: 0] += 1
      case "presentedLate" where held.remove(request) != nil:
        counts["\(reminder) \(ComparisonText.local(wall))", default: 0] += 1
      default: break
      }
    }
    return counts
  }

  @Test(arguments: ["ideal", "ios", "android"])
  func `gained, lost and moved notifications account for all differences in exposures`(profile: String) throws
  {
    var changed = 0
    for seed in UInt64(1)...8 {
      let data = try journals(
        seed: seed, profile: profile, settings: ["policy.quietHours=10:00-20:00"])
      let runs = try data.map { try JournalRun.read($0, file: "journal") }
      #expect(try RunComparison(runs[0], runs[0]).isSame)
      let comparison = try RunComparison(runs[0], runs[1])
      var expected = try exposures(in: data[1])
      for (time, count) in try exposures(in: data[0]) { expected[time, default: 0] -= count }
      for change in comparison.scenarios.flatMap(\.changes) {
        let reminder = change.occasion.reminder
        if let at = change.first.shownAt {
          expected["\(reminder) \(ComparisonText.local(at))", default: 0] += 1
        }
        if let at = change.second.shownAt {
          expected["\(reminder) \(ComparisonText.local(at))", default: 0] -= 1
        }
        changed += 1
      }
      #expect(expected.filter { $0.value != 0 }.isEmpty, "\(profile), seed \(seed)")
      let back = try RunComparison(runs[1], runs[0])
      #expect(back.count(.gained) == comparison.count(.lost), "\(profile), seed \(seed)")
      #expect(back.count(.lost) == comparison.count(.gained), "\(profile), seed \(seed)")
    }
    #expect(changed > 10)
  }

  // MARK: Examples

  private static let header =
    #"{"form":"triggerbench.journal","version":1,"tool":"t","scenario":"s","file":"s.yaml","seed":0,"#
    + #""profile":"ideal","engine":"built-in"}"#

  private func journal(_ lines: String...) throws -> RecordedRun {
    let common =
      #""t":"2026-03-02T09:00:00Z","wall":"2026-03-02T10:00:00+01:00","reminder":"a","device":"phone","person":0"#
    let text =
      ([Self.header] + lines.map { "{" + $0 + "," + common + "}" } + [
        #"{"form":"triggerbench.journal.end","records":\#(lines.count)}"#
      ]).joined(separator: "\n")
    return try JournalRun.read(Data(text.utf8), file: "j")
  }

  private static let asked =
    #""track":"effect","event":"request","occurrence":0,"scheduledFor":"2026-03-02T10:00:00+01:00""#

  @Test func `a change states the outcomes of both runs`() throws {
    let first = try journal(
      Self.asked, #""track":"effect","event":"decided","occurrence":0,"outcome":"deny","reason":"dailyCap""#)
    let second = try journal(
      Self.asked, #""track":"effect","event":"decided","occurrence":0,"outcome":"admit""#,
      #""track":"outcome","event":"delivered","occurrence":0,"surface":"list","cause":"focus""#)
    let third = try journal(#""track":"effect","event":"noRequest","reason":"snoozed""#)
    func words(_ a: RecordedRun, _ b: RecordedRun) throws -> [String] {
      try RunComparison(a, b).scenarios[0].changes.map {
        "\($0.kind.rawValue): \($0.first.words); \($0.second.words)"
      }
    }
    #expect(try words(first, second) == ["gained: is denied by dailyCap; fires, in the list only"])
    #expect(try words(second, first) == ["lost: fires, in the list only; is denied by dailyCap"])
    #expect(try words(first, third) == ["otherwise: is denied by dailyCap; is not requested: snoozed"])
    #expect(try words(third, second) == ["gained: is not requested: snoozed; fires, in the list only"])
    #expect(try words(second, second) == [])
  }

  /// Returns a journal in which a reminder makes requests at certain times in March. Only requests with
  /// `fires` are exposed.
  private func journal(asking times: [(day: Int, hour: Int, fires: Bool)]) throws -> RecordedRun {
    let lines = times.enumerated().flatMap { number, time -> [String] in
      let (hour, day) = ("\(time.hour)", "0\(time.day)")
      let common =
        #""occurrence":\#(number),"t":"2026-03-\#(day)T\#(hour):00:00Z","wall":"2026-03-\#(day)T\#(hour):00:00Z","#
        + #""reminder":"a","device":"phone","person":0}"#
      return [
        #"{"track":"effect","event":"request",\#(common)"#,
        #"{"track":"effect","event":"decided","outcome":"\#(time.fires ? "admit" : "deny")","#
          + (time.fires ? "" : #""reason":"dailyCap","#) + common,
      ] + (time.fires ? [#"{"track":"outcome","event":"delivered","surface":"banner",\#(common)"#] : [])
    }
    let end = #"{"form":"triggerbench.journal.end","records":\#(lines.count)}"#
    return try JournalRun.read(Data(([Self.header] + lines + [end]).joined(separator: "\n").utf8), file: "j")
  }

  @Test
  func
    `an earlier fire is named as the cause of a missing request only if no request follows a fire of that age`()
    throws
  {
    func outcomes(_ first: [(Int, Int, Bool)], _ second: [(Int, Int, Bool)]) throws -> [String] {
      try RunComparison(journal(asking: first), journal(asking: second)).scenarios[0].changes.map(
        \.second.words)
    }
    let unrequested = "is not requested"
    // The reminder recurs daily. In both runs, it fired on the previous day.
    #expect(
      try outcomes([(2, 10, true), (3, 10, false), (3, 14, true)], [(2, 10, true)]) == [
        unrequested, unrequested,
      ])
    // The explanation is the fire on the same day.
    #expect(
      try outcomes(
        [(2, 10, true), (3, 10, false), (3, 14, true)], [(2, 10, true), (3, 10, true)]
      ).contains(unrequested) == false)
    #expect(
      try outcomes([(2, 10, true), (3, 10, false), (3, 14, false)], [(2, 10, true), (3, 10, true)])
        == ["fires", "is not requested after it fired at 2026-03-03 10:00"])
    // The reminder fires only once, so any earlier fire explains the missing request.
    #expect(
      try outcomes([(2, 10, false), (5, 10, false)], [(2, 10, true)])
        == ["fires", "is not requested after it fired at 2026-03-02 10:00"])
    // The reminder may fire several times a day, so an earlier fire does not explain the missing request.
    #expect(
      try outcomes([(2, 10, true), (2, 14, true), (3, 10, true)], [(2, 10, true), (3, 10, true)]) == [
        unrequested
      ])
  }

  private func metrics(of journal: Data) throws -> [RecordedMetric] {
    try JournalRun.read(journal, file: "journal").scenarios[0].metrics
  }

  private func metrics(of account: ReminderAccount) -> [RecordedMetric] {
    [
      RecordedMetric(name: "requests", numerator: account.requests),
      RecordedMetric(name: "exposed", numerator: account.exposed),
      RecordedMetric(name: "tapped", numerator: account.tapped),
      RecordedMetric(name: "dismissed", numerator: account.dismissed),
      RecordedMetric(name: "fireRate", numerator: account.admitted, denominator: account.requests),
    ]
  }

  /// The app plans more requests than the phone can hold, so some plans are replaced before a decision.
  @Test func `replaced plans never count as requests, whether decided or not`() throws {
    let story = """
      for: 8 days
      profile: ios
      knobs: {pendingCapacity: 2}
      reminders:
        a: {when: every day 09:00 ahead 2, notify: A}
        b: {when: every day 10:00 ahead 2, notify: B}
        c: {when: every day 11:00 ahead 2, notify: C}
      timeline:
        - every day 08:00 open
        - every day 08:05 leave
      expect: [fires >= 1]

      """
    let (journal, result) = try runs(of: story, profile: "ios", settings: [])[0]
    let words = String(decoding: journal, as: UTF8.self)
    #expect(words.contains(#""track":"effect","event":"dropped""#) && result.accounts.total.replaced > 0)
    #expect(try metrics(of: journal) == metrics(of: result.accounts.total))
  }

  @Test func `the metrics of a journal equal those of a report`() throws {
    var (requests, replaced, shown) = (0, 0, 0)
    for (seed, profile) in (UInt64(1)...10).flatMap({ seed in ["ideal", "ios", "android"].map { (seed, $0) } }
    ) {
      let runs = try runs(seed: seed, profile: profile, settings: ["policy.dailyCap=1"])
      for (journal, result) in runs {
        let account = result.accounts.total
        #expect(try metrics(of: journal) == metrics(of: account), "\(profile), seed \(seed)")
        requests += account.requests
        replaced += account.replaced
        shown += account.exposed
      }
    }
    #expect(requests > 100 && replaced > 10 && shown > 20, "\(requests), \(replaced), \(shown)")
  }

  @Test func `a truncated journal and a journal of another version are rejected`() throws {
    let journal = try journals(seed: 1, profile: "ios", settings: [])[0]
    let lines = journal.split(separator: UInt8(ascii: "\n"))
    for count in [1, 2, lines.count / 2, lines.count - 1] {
      let part = Data(lines[..<count].joined(separator: [UInt8(ascii: "\n")]))
      let problem = #expect(throws: Diagnostic.self) { try JournalRun.read(part, file: "j.ndjson") }
      #expect(problem?.message.contains("cut off") == true, "\(count) lines")
    }
    #expect(throws: Diagnostic.self) { try JournalRun.read(journal + journal.dropLast(9), file: "j.ndjson") }
    #expect(try JournalRun.read(journal + journal, file: "j.ndjson").scenarios.count == 2)
    let other = String(decoding: journal, as: UTF8.self).replacing("\"version\":1", with: "\"version\":2")
    let problem = #expect(throws: Diagnostic.self) {
      try JournalRun.read(Data(other.utf8), file: "j.ndjson")
    }
    #expect(problem?.message.contains("version") == true)
  }

  @Test func `Markdown tables have heads, and an empty table of changes is omitted`() throws {
    let denied = #""track":"effect","event":"decided","occurrence":0,"outcome":"deny","reason":"#
    let first = try journal(Self.asked, denied + #""dailyCap""#)
    let second = try journal(Self.asked, denied + #""quietHours""#)
    let text = ComparisonText(try RunComparison(first, second), names: ("old", "new")).markdown
    let tables = text.split(separator: "\n", omittingEmptySubsequences: false)
      .split { !$0.hasPrefix("|") }.map(Array.init)
    let titles = ["| | old | new | difference |", "| | reminder | when | outcome |"]
    #expect(tables.compactMap { $0.first.map(String.init) } == titles)
    for table in tables {
      #expect(table.count > 2 && table[1].allSatisfy { "|-:".contains($0) }, "\(table)")
      #expect(Set(table.map { row in row.count { $0 == "|" } }).count == 1, "\(table)")
    }
    let same = ComparisonText(try RunComparison(first, first), names: ("old", "new")).markdown
    #expect(!same.contains("| outcome |"))
  }

  @Test func `the message names the line that is not a line of a journal`() {
    let problem = #expect(throws: Diagnostic.self) {
      try JournalRun.read(Data("\(Self.header)\nnonsense\n".utf8), file: "j.ndjson")
    }
    #expect(problem?.file == "j.ndjson" && problem?.position?.line == 2)
  }

  @Test func `a journal cannot be compared with a report`() {
    let journal = RecordedRun(source: .journal, scenarios: [])
    let report = RecordedRun(source: .report, scenarios: [])
    #expect(throws: RunComparison.Problem.differentSources) { try RunComparison(journal, report) }
    #expect(throws: RunComparison.Problem.nothingInCommon) { try RunComparison(report, report) }
  }
}
