import ArgumentParser
import Experiments
import Reporting
import ScenarioModel
import TextFormats

/// Prints what an experiment found, writes its documents, and ends with its verdict.
struct ExperimentOutput: ParsableArguments {
  @Option(help: "Where the reports go.")
  var reports = "reports/experiment"

  @Flag(help: "Print the report as JSON.")
  var json = false

  @Flag(help: "Exit with 5 when a gate is inconclusive.")
  var requireGates = false

  private static let contents = ReportFolder.Contents(
    names: ExperimentDocuments.names, mark: ("experiment.json", "\"\(ExperimentJSON.format)\""))

  func validate() throws {
    if reports.allSatisfy(\.isWhitespace) { throw ValidationError("--reports is empty") }
  }

  func write(_ report: ExperimentReport) throws {
    Terminal.print(json ? ExperimentJSON(report).document.text : ExperimentText(report).text)
    do throws(ReportFolder.Problem) {
      try ReportFolder(reports, of: Self.contents).replace(
        with: ExperimentDocuments(report).all.map { document in
          ReportDocument(document.name) { document.text }
        })
    } catch {
      Terminal.diagnose(FileProblem.reports(error, in: reports))
      throw Exit.failure
    }
    if !json { Terminal.print("reports in \(reports)/") }
    try judge(report)
  }

  private func judge(_ report: ExperimentReport) throws {
    if let warning = report.warning { Terminal.diagnose("triggerbench: \(warning)") }
    let verdicts = report.result.gates.map(\.verdict)
    if verdicts.contains(.kill) { throw Exit.expectation }
    if report.warning != nil || requireGates && verdicts.contains(.inconclusive) { throw Exit.inconclusive }
  }
}
