import TextFormats

/// The documents of an experiment, by the names of their files.
package struct ExperimentDocuments {
  package static let names: Set<String> = ["experiment.json", "experiment.html", "experiment.md"]

  package let all: [(name: String, text: String)]

  package init(_ report: ExperimentReport) {
    all = [
      ("experiment.json", ExperimentJSON(report).document.text + "\n"),
      ("experiment.html", ExperimentHTML(report).text),
      ("experiment.md", ExperimentMarkdown(report).text),
    ]
  }
}
