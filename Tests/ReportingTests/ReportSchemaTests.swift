import Foundation
import TestBench
import Testing
import TextFormats

@testable import Reporting

@Suite struct ReportSchemaTests {
  @Test func `the keys of a report match the schema`() throws {
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

  @Test func `the validator rejects an invalid report`() throws {
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

/// A validator for the subset of JSON Schema that reports and events use. An unknown keyword is a problem.
struct Validator {
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
    if let choices = schema["anyOf"] as? [[String: Any]] {
      let found = choices.map { problems(value, $0, path) }
      return found.contains([]) ? [] : ["\(path) is none of \(choices.count) things"]
    }
    switch schema["type"] as? String {
    case "object": return object(value, schema, path)
    case "array":
      guard let items = value as? [Any], let item = schema["items"] as? [String: Any] else {
        return ["\(path) is no array"]
      }
      return items.enumerated().flatMap { problems($1, item, "\(path)[\($0)]") }
    case "string":
      guard let text = value as? String else { return ["\(path) is no string"] }
      guard let pattern = schema["pattern"] as? String else { return [] }
      let isMatch = text.range(of: pattern, options: .regularExpression) != nil
      return isMatch ? [] : ["\(path) does not match \(pattern)"]
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
