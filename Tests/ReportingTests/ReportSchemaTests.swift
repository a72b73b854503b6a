import Foundation
import Scenarios
import TestBench
import Testing

@testable import Reporting

@Suite("The schema of reports")
struct ReportSchemaTests {
  @Test("every key of a report is in the schema, and every required key is in the report")
  func agreement() throws {
    for text in [SampleReport.eventful, SampleReport.observed] {
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

/// Just as much of JSON Schema as the report's needs; stricter in that unknown keys are problems.
private struct Validator {
  let definitions: [String: Any]

  func problems(_ value: Any, _ schema: [String: Any], _ path: String) -> [String] {
    if let name = schema["$ref"] as? String, let target = name.split(separator: "/").last {
      guard let definition = definitions[String(target)] as? [String: Any] else {
        return ["\(path): no definition \(name)"]
      }
      return problems(value, definition, path)
    }
    if let allowed = schema["enum"] as? [String] {
      return allowed.contains(value as? String ?? "") ? [] : ["\(path) is none of \(allowed)"]
    }
    if let constant = schema["const"] {
      return "\(constant)" == "\(value)" ? [] : ["\(path) is not \(constant)"]
    }
    switch schema["type"] as? String {
    case "object": return object(value, schema, path)
    case "array":
      guard let items = value as? [Any], let item = schema["items"] as? [String: Any] else {
        return ["\(path) is no array"]
      }
      return items.enumerated().flatMap { problems($1, item, "\(path)[\($0)]") }
    case "string": return value is String ? [] : ["\(path) is no string"]
    case "boolean": return value is Bool ? [] : ["\(path) is no truth value"]
    case "integer":
      guard let number = value as? Int else { return ["\(path) is no whole number"] }
      return number >= schema["minimum"] as? Int ?? .min ? [] : ["\(path) is too small"]
    default: return ["\(path): a type that the check does not know"]
    }
  }

  private func object(_ value: Any, _ schema: [String: Any], _ path: String) -> [String] {
    guard let object = value as? [String: Any] else { return ["\(path) is no object"] }
    let properties = schema["properties"] as? [String: [String: Any]] ?? [:]
    let missing = (schema["required"] as? [String] ?? []).filter { object[$0] == nil }
    return missing.map { "\(path).\($0) is missing" }
      + object.keys.sorted().flatMap { key in
        guard let property = properties[key] ?? schema["additionalProperties"] as? [String: Any] else {
          return ["\(path).\(key) is not in the schema"]
        }
        return problems(object[key] ?? "", property, "\(path).\(key)")
      }
  }
}
