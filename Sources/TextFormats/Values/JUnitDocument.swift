/// Test results in the XML that build servers read. They have no times: how long a machine took is no result, and
/// servers would add up what passes on a virtual clock.
package struct JUnitDocument {
  package struct Suite {
    package var name: String
    package var cases: [Case]

    package init(_ name: String, _ cases: [Case]) {
      self.name = name
      self.cases = cases
    }
  }

  package struct Case {
    package var name: String
    /// What it belongs to; servers group by it.
    package var group: String
    package var file: String?
    package var line: Int?
    package var outcome: Outcome

    package init(
      _ name: String, of group: String, file: String? = nil, line: Int? = nil,
      _ outcome: Outcome = .passed
    ) {
      self.name = name
      self.group = group
      self.file = file
      self.line = line
      self.outcome = outcome
    }
  }

  package enum Outcome: Hashable {
    case passed
    case failed(String, detail: String)
    case skipped(String)
    /// It could not be tried.
    case broken(String, detail: String)

    fileprivate var isFailure: Bool { if case .failed = self { true } else { false } }
    fileprivate var isError: Bool { if case .broken = self { true } else { false } }
    fileprivate var isSkipped: Bool { if case .skipped = self { true } else { false } }
  }

  package var name: String
  package var suites: [Suite]

  package init(_ name: String, _ suites: [Suite]) {
    self.name = name
    self.suites = suites
  }

  package var text: String {
    var lines = [
      #"<?xml version="1.0" encoding="UTF-8"?>"#,
      "<testsuites\(Self.head(name, suites.flatMap(\.cases)))>",
    ]
    for suite in suites {
      lines.append("  <testsuite\(Self.head(suite.name, suite.cases))>")
      for testCase in suite.cases { lines += Self.lines(testCase) }
      lines.append("  </testsuite>")
    }
    return (lines + ["</testsuites>"]).joined(separator: "\n") + "\n"
  }

  /// Says nothing of skipped cases where there are none.
  private static func head(_ name: String, _ cases: [Case]) -> String {
    let skipped = cases.count(where: \.outcome.isSkipped)
    return attribute("name", name) + attribute("tests", cases.count)
      + attribute("failures", cases.count(where: \.outcome.isFailure))
      + attribute("errors", cases.count(where: \.outcome.isError))
      + attribute("skipped", skipped == 0 ? nil : skipped)
  }

  private static func lines(_ testCase: Case) -> [String] {
    let head =
      "    <testcase" + attribute("name", testCase.name) + attribute("classname", testCase.group)
      + attribute("file", testCase.file) + attribute("line", testCase.line)
    let element: String
    switch testCase.outcome {
    case .passed: return [head + "/>"]
    case .skipped(let message): element = "<skipped\(attribute("message", message))/>"
    case .failed(let message, let detail): element = self.element("failure", message, detail)
    case .broken(let message, let detail): element = self.element("error", message, detail)
    }
    return [head + ">", "      " + element, "    </testcase>"]
  }

  private static func element(_ name: String, _ message: String, _ detail: String) -> String {
    "<\(name)\(attribute("message", message))>\(Markup.escape(detail))</\(name)>"
  }

  private static func attribute(_ name: String, _ value: (some CustomStringConvertible)?) -> String {
    value.map { " \(name)=\"\(Markup.escape($0.description))\"" } ?? ""
  }
}
