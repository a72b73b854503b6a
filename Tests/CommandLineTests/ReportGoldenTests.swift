import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct ReportGoldenTests {
  /// What the files of a small run look like, whole; one expectation of two that are odd fails.
  @Test(arguments: ["report.json", "summary.md", "junit.xml", "index.html", "scenario-failing.html"])
  func `the reports are these`(document: String) async throws {
    let folder = try Folder()
    try folder.write(Samples.small, to: "small.yaml")
    try folder.write(Samples.failing, to: "failing.yaml")
    let outcome = try await folder.run("run", "small.yaml", "failing.yaml")
    #expect(outcome.code == 2)
    try Golden.expect(withoutVersions(try folder.read("reports/latest/\(document)")), matches: document)
  }

  /// The versions of what the machine has installed are not the tests' business.
  private func withoutVersions(_ text: String) -> String {
    text.replacing(/("timeZoneData": "|time-zone data )[^",]+/) { "\($0.output.1)VERSION" }
      .replacing(/("geos": "|GEOS )[0-9][^" .]*(\.[0-9][^" .]*)*/) { "\($0.output.1)VERSION" }
  }
}
