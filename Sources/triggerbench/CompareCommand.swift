import ArgumentParser
import Reporting
import TextFormats

struct CompareCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Hold two runs against each other: whose notifications changed fate, and why.",
    discussion: """
      A run is a journal, or the reports of one. Journals say of every decision why it came out otherwise; reports \
      say what fired and when, how the counts of each loss changed, and which expectation or gate did.

      Examples:
        triggerbench run --journal before.ndjson
        triggerbench run --journal after.ndjson --set policy.minimumInterval=3h
        triggerbench compare before.ndjson after.ndjson
        triggerbench compare reports/main reports/latest --markdown

      gained: fires in the second run only; lost: in the first only; moved: in both, at another time, or for \
      another occasion of the same date; otherwise: in neither, and for another reason.

      Exit codes: 0 nothing differs, 2 something does, 1 a run cannot be read.
      """)

  @Argument(help: ArgumentHelp("A journal, a folder of reports or a report.json.", valueName: "first"))
  var first: String

  @Argument(help: ArgumentHelp("Another of the same kind.", valueName: "second"))
  var second: String

  @OptionGroup var form: ComparisonForm

  func run() throws {
    let comparison: RunComparison
    do {
      comparison = try RunComparison(RunReader.read(first), RunReader.read(second))
    } catch let problem as Diagnostic {
      Terminal.diagnose([problem])
      throw Exit.failure
    } catch {
      throw Exit.saying("\(first) and \(second): \(error)")
    }
    let text = ComparisonText(comparison, names: (first, second))
    Terminal.print(
      form.choose(
        text: text.text, json: ComparisonJSON(comparison).document.text, markdown: text.markdown))
    if !comparison.isSame { throw Exit.expectation }
  }
}
