import Foundation
import TestBench
import Testing
import TextFormats

@testable import Reporting

@Suite("The schema of reports")
struct ReportSchemaTests {
  @Test("every key of a report is in the schema, and every required key is in the report")
  func agreement() throws {
    for text in [
      SampleReport.eventful, SampleReport.observed, SampleReport.app, SampleReport.gated,
    ] {
      let report = try SampleReport.make(text)
      let schema = try Self.parse(ReportSchema.json.text)
      let problems = Validator(definitions: schema["$defs"] as? [String: Any] ?? [:])
        .problems(try Self.parse(ReportJSON(report).document.text), schema, "report")
      #expect(problems == [])
    }
  }

  @Test("the check can fail")
  func canFail() throws {
    let schema = try Self.parse(ReportSchema.json.text)
    let validator = Validator(definitions: schema["$defs"] as? [String: Any] ?? [:])
    var document = try Self.parse(ReportJSON(try SampleReport.make(SampleReport.eventful)).document.text)
    document["verdict"] = nil
    document["surprise"] = 1
    document["command"] = 7
    #expect(
      validator.problems(document, schema, "report") == [
        "report.verdict is missing", "report.command is no string", "report.surprise is not in the schema",
      ])
  }

  private static func parse(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }
}
