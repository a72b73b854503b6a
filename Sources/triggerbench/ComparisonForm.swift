import ArgumentParser

/// How a comparison is printed where it is not for a terminal.
struct ComparisonForm: ParsableArguments {
  @Flag(help: "Print JSON.")
  var json = false

  @Flag(help: "Print Markdown, for a pull request.")
  var markdown = false

  func validate() throws {
    if json, markdown { throw ValidationError("--json and --markdown exclude each other") }
  }

  /// The one that is asked for.
  func choose(
    text: @autoclosure () -> String, json asJSON: @autoclosure () -> String,
    markdown asMarkdown: @autoclosure () -> String
  ) -> String {
    json ? asJSON() : markdown ? asMarkdown() : text()
  }
}
