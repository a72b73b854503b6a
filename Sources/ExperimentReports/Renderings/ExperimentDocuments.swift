import TextFormats

/// The documents of an experiment, by the names of their files.
package struct ExperimentDocuments {
  package let all: [(name: String, text: String)]

  package init(_ report: ExperimentReport) {
    all = [
      ("experiment.json", ExperimentJSON(report).document.text + "\n"),
      ("experiment.html", ExperimentHTML(report).text),
      ("experiment.md", ExperimentMarkdown(report).text),
    ]
  }
}
