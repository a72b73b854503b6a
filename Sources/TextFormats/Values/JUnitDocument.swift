/// Test results in the XML format that CI servers read. The document contains no durations: a real duration
/// is not a result, and servers would add up simulated durations as if they were real.
///
/// The document conforms to the schema with which Jenkins validates it (`junit-10.xsd` of its xUnit plugin).
/// That schema allows a file name for a suite but not for a case, so the text of a case states its position.
package struct JUnitDocument {
  package struct Suite {
    package var name: String
    package var file: String?
    package var cases: [Case]

    /// - Parameter file: The file that contains the cases, or `nil` if there is none.
    package init(_ name: String, file: String? = nil, _ cases: [Case]) {
      self.name = name
      self.file = file
      self.cases = cases
    }
  }

  package struct Case {
    package var name: String
    /// The group of the case. Servers list cases by group.
    package var group: String
    package var outcome: Outcome

    package init(_ name: String, of group: String, _ outcome: Outcome = .passed) {
      self.name = name
      self.group = group
      self.outcome = outcome
    }
  }

  package enum Outcome: Hashable {
    case passed
    case failed(String, detail: String)
    case skipped(String)
    /// The case could not be run.
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
      let skipped = suite.cases.count(where: \.outcome.isSkipped)
      lines.append(
        "  <testsuite" + Self.head(suite.name, suite.cases)
          + Self.attribute("skipped", skipped == 0 ? nil : skipped) + Self.attribute("file", suite.file) + ">"
      )
      for testCase in suite.cases { lines += Self.lines(testCase) }
      lines.append("  </testsuite>")
    }
    return (lines + ["</testsuites>"]).joined(separator: "\n") + "\n"
  }

  private static func head(_ name: String, _ cases: [Case]) -> String {
    attribute("name", name) + attribute("tests", cases.count)
      + attribute("failures", cases.count(where: \.outcome.isFailure))
      + attribute("errors", cases.count(where: \.outcome.isError))
  }

  private static func lines(_ testCase: Case) -> [String] {
    let head =
      "    <testcase" + attribute("name", testCase.name) + attribute("classname", testCase.group)
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
