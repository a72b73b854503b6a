public import TestBench
import Testing

extension ScenarioReport {
  /// Records an issue of Swift Testing for every statement that did not come true, at its line of the
  /// scenario.
  public func recordFailures() {
    for failure in failures {
      let name = failure.file.split(separator: "/").last.map(String.init) ?? failure.file
      Issue.record(
        Comment(rawValue: failure.message),
        sourceLocation: SourceLocation(
          fileID: "scenarios/\(name)", filePath: failure.file, line: failure.line, column: failure.column))
    }
  }
}
