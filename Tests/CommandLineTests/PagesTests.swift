import Foundation
import TestSupport
import Testing

/// Tests the tool's pages in headless Chromium. `.ci/pages` opens them at 1280 and 360 pixels, in light and
/// dark mode.
@Suite(.serialized, .timeLimit(.minutes(10))) struct PagesTests {
  private static let opener = Repository.root.appendingPathComponent(".ci/pages")

  private static let canOpen =
    ["node", "chromium"].allSatisfy(Tool.isInstalled)
    && FileManager.default.fileExists(
      atPath: Repository.root.appendingPathComponent(".build/axe-core/axe.min.js").path)

  private static func open(_ pages: [String], in folder: Folder) async throws -> Tool.Outcome {
    try await Tool.run(pages, of: opener, in: folder.root)
  }

  /// An experiment with all charts, long names, decided and inconclusive gates, and texts that contain HTML
  /// characters.
  private static let grid = """
    kind: experiment
    version: 1
    title: A grid <of> policies & "quotes"
    question: Which of these policies are worth a thought at all, for people who are reminded as often as these?
    population: popcap-1
    days: 3
    grid: {policy.minimumInterval: [0 h, 1 h, 3 h, 6 h], policy.dailyCap: [1, 3, 12]}
    people: 200
    gates:
      - {metric: tapThrough, of: base, target: '>= 25 %', kill: '< 5 %'}
      - {metric: firesPerDay, change: 'minimumInterval 0 h, dailyCap 12', target: '> 0', kill: '< 0'}
    sensitivity: {of: 'minimumInterval 0 h, dailyCap 12', people: 200, draws: 1}

    """

  private static let people = """
    kind: experiment
    version: 1
    title: People of a file
    population: people.yaml
    days: 4
    variants:
      a-pause-of-one-hour: {policy: {minimumInterval: 1 h}}
      neither pause nor cap: {policy: {minimumInterval: 0 h, dailyCap: none}}
    metrics: [tapThrough, incrementalOpens, optOuts, tapThrough of trainingDay, firesPerDay of accountRegistration]
    precision: {firesPerDay of accountRegistration: 0.0001}
    people: 200
    sensitivity: none

    """

  @Test(.enabled(if: canOpen, "needs node, chromium and axe-core: .ci/setup-tests"))
  func `the pages of a report have no problems`() async throws {
    let folder = try Folder()
    try folder.write(Self.grid, to: "grid.yaml")
    try folder.write(Self.people, to: "experiment.yaml")
    try folder.write(
      try Data(
        contentsOf: Repository.root.appendingPathComponent("scenarios/populations/fitme-iphones.yaml")),
      to: "people.yaml")
    let failing = Samples.small.replacing("milk is denied by quietHours", with: "milk is denied by dailyCap")
    try folder.write(failing, to: "small.yaml")
    #expect(try await folder.run("experiment", "grid.yaml", "--reports", "grid").code == 2)
    #expect(try await folder.run("experiment", "experiment.yaml", "--reports", "people").code == 5)
    try folder.write(Samples.small, to: "passing.yaml")
    #expect(try await folder.run("run", "small.yaml", "passing.yaml", "--reports", "run").code == 2)
    let outcome = try await Self.open(
      [
        "grid/experiment.html", "people/experiment.html", "run/index.html", "run/scenario-small.html",
        "run/scenario-passing.html", "run/words.html",
      ], in: folder)
    #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
    #expect(outcome.output.split(separator: "\n").count { $0.hasSuffix(": nothing wrong") } == 24)
  }

  /// The test above must detect a page with problems.
  @Test(.enabled(if: canOpen, "needs node, chromium and axe-core: .ci/setup-tests"))
  func `problems on a page are detected`() async throws {
    let folder = try Folder()
    try folder.write(
      """
      <!doctype html><html lang="en"><head><meta charset="utf-8"><title>Wrong</title></head>
      <body style="background: white"><main><h1>Wrong</h1>
      <p style="color: #ccc">Too pale to be read.</p>
      <p style="width: 500px">Too wide for a phone.</p>
      <img src="picture.png" alt="A picture that is not there">
      <svg viewBox="0 0 100 20" role="img" aria-label="A drawing" width="200"><title>A drawing</title>
      <text x="2" y="14">Two words</text><text x="20" y="14">in one place</text><text x="80" y="14">without end</text>
      </svg>
      <script>console.log("a message")</script>
      </main></body></html>
      """, to: "wrong.html")
    let outcome = try await Self.open(["wrong.html"], in: folder)
    #expect(outcome.code == 1)
    for words in [
      "wrong.html, 360 pixels, dark:", "  axe-core, serious, color-contrast: ",
      "<p> 'Too wide for a phone.' reaches",
      "request: file://", "runs into <text> 'Two words'", "'without end' is cut off",
      "a drawing has no <desc>",
      "console: a message",
    ] {
      #expect(outcome.output.contains(words), "\(words): \(outcome.output)\(outcome.errors)")
    }
    let missing = try await Self.open(["nowhere.html"], in: folder)
    #expect(missing.code == 1 && missing.errors.hasPrefix("pages: nowhere.html: "), "\(missing)")
  }
}
