import DeviceSimulation
import Foundation
import Simulation
import TestBench
import Testing
import TextFormats
import TriggerModel

@testable import Journal

/// Compares the JSON Schema with the reader.
@Suite struct SchemaTests {
  private let names = SampleNames.names

  private func objects(_ records: [JournalRecord], _ names: WireNames) throws -> [[String: Any]] {
    var writer = JournalWriter(names)
    for record in records { writer.write(record) }
    return try writer.bytes.split(separator: UInt8(ascii: "\n")).map {
      try #require(try JSONSerialization.jsonObject(with: Data($0)) as? [String: Any])
    }
  }

  @Test func `every written line is valid`() throws {
    let check = try LineCheck(JournalSchema.journal)
    var generator = RandomRecords(names, seed: 5)
    for object in try objects((0..<20).flatMap { _ in generator.round() }, names) {
      #expect(check.problem(object) == nil, "\(object)")
    }
    var writer = JournalWriter(names)
    writer.write(
      JournalHeader(tool: "0", scenario: "s", file: "f", seed: 1, profile: "ios", engine: "built-in"))
    let header = try JSONSerialization.jsonObject(with: Data(writer.bytes)) as? [String: Any]
    #expect(check.problem(try #require(header)) == nil)
    writer.removeBytes()
    writer.write(JournalEnd(records: 3))
    let end = try JSONSerialization.jsonObject(with: Data(writer.bytes)) as? [String: Any]
    #expect(check.problem(try #require(end)) == nil)
  }

  @Test(arguments: ["every-event.yaml", "fitme-on-an-iphone.yaml"])
  func `every line of a shipped scenario is valid`(_ file: String) throws {
    let program = try RoundTripTests.program(file)
    let check = try LineCheck(JournalSchema.journal)
    for object in try objects(RoundTripTests.journal(of: program), program.wireNames) {
      #expect(check.problem(object) == nil, "\(object)")
    }
  }

  @Test func `extra keys, missing required keys, and other words or types are invalid`() throws {
    let check = try LineCheck(JournalSchema.journal)
    var generator = RandomRecords(names, seed: 6)
    for object in try objects(generator.round(), names) {
      var changed = object
      changed["extra"] = 1
      #expect(check.problem(changed) != nil, "\(changed)")
      for key in object.keys.sorted() {
        changed = object
        changed[key] = ["nested": true]
        #expect(check.problem(changed) != nil, "\(key) of \(object)")
      }
      for key in ["track", "event", "t", "wall", "zone", "boot", "uptime", "person", "device"] {
        changed = object
        changed[key] = nil
        #expect(check.problem(changed) != nil, "\(key) of \(object)")
      }
      changed = object
      changed["event"] = "unlok"
      #expect(check.problem(changed) != nil)
    }
  }

  @Test func `time lines and engines may omit parts of the stamp`() throws {
    let timeLine = try LineCheck(JournalSchema.timeLine)
    let effects = try LineCheck(JournalSchema.effects)
    #expect(timeLine.problem(["t": "2026-03-02T07:00:00Z", "event": "unlock", "line": 3]) == nil)
    #expect(timeLine.problem(["t": 1, "lat": 52.5, "lon": 13.4]) == nil)
    #expect(timeLine.problem(["event": "unlock"]) != nil)
    #expect(timeLine.problem(["track": "observed", "t": 1, "event": "unlock"]) != nil)
    #expect(effects.problem(["event": "monitor", "region": "shop"]) == nil)
    #expect(effects.problem(["event": "monitor", "region": "shop", "line": 3]) != nil)
    #expect(effects.problem(["event": "monitor"]) != nil)
  }

  @Test func `a row has one schema per variant, and words with the same fields share a schema`() throws {
    let moment = SchemaCoder.stamp
    func keys(_ body: JournalRecord.Body) -> [[String]] {
      SchemaCoder.variants(of: body).map { $0.map(\.key) }
    }
    #expect(
      keys(.happened(.preference(.all(isOn: true)))) == [["type", "value"], ["all"], ["dailyCap"]])
    #expect(keys(.happened(.linkFault(.lost))) == [["fault"], ["fault", "milliseconds"]])
    let missed = SchemaCoder.variants(of: .outcome(.missed(.unlock, subject: 0, .noSign)))
    #expect(
      missed.map { $0.map(\.key) } == [
        ["kind", "cause"], ["kind", "app", "cause"], ["kind", "region", "cause"], ["kind", "fact", "cause"],
        ["kind", "reminder", "cause"],
      ])
    let words = missed.compactMap { fields -> Int? in
      guard case .array(let words)? = fields[0].schema["enum"] else { return nil }
      return words.count
    }
    #expect(words.reduce(0, +) == ObservedEvent.Kind.allCases.count)
    #expect(keys(.observed(ObservedEvent(.woken, at: moment))) == [["reminder"], ["heldRequests"]])
  }
}

/// A validator for the subset of JSON Schema that the wire form uses.
struct LineCheck {
  private let branches: [[String: Any]]
  private let definitions: [String: Any]

  init(_ schema: JSONValue) throws {
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(schema.text.utf8)) as? [String: Any])
    branches = try #require(object["anyOf"] as? [[String: Any]])
    definitions = try #require(object["$defs"] as? [String: Any])
    #expect(!branches.isEmpty)
  }

  /// Returns the problem of a line, or `nil` if the line is valid.
  func problem(_ line: [String: Any]) -> String? {
    branches.contains { matches(line, $0) } ? nil : "no branch of the schema accepts it"
  }

  private func matches(_ value: Any, _ schema: [String: Any]) -> Bool {
    if let name = schema["$ref"] as? String {
      guard let target = definitions[String(name.dropFirst("#/$defs/".count))] as? [String: Any] else {
        Issue.record("no definition \(name)")
        return false
      }
      return matches(value, target)
    }
    if let choices = schema["anyOf"] as? [[String: Any]] { return choices.contains { matches(value, $0) } }
    if let constant = schema["const"] as? NSObject { return constant.isEqual(value) }
    if let words = schema["enum"] as? [String] { return words.contains(value as? String ?? "") }
    let types = schema["type"] as? [String] ?? (schema["type"] as? String).map { [$0] } ?? []
    if types.isEmpty { Issue.record("no type in \(schema)") }
    return types.contains { matches(value, type: $0, schema) }
  }

  private func matches(_ value: Any, type: String, _ schema: [String: Any]) -> Bool {
    switch type {
    case "null": return value is NSNull
    case "boolean": return (value as? NSNumber).map(Self.isTruth) ?? false
    case "integer", "number":
      guard let number = value as? NSNumber, !Self.isTruth(number) else { return false }
      if type == "integer", number.doubleValue.rounded() != number.doubleValue { return false }
      let low = (schema["minimum"] as? NSNumber)?.doubleValue ?? -.infinity
      return number.doubleValue >= low
        && number.doubleValue <= (schema["maximum"] as? NSNumber)?.doubleValue ?? .infinity
    case "string":
      guard let text = value as? String else { return false }
      guard let pattern = schema["pattern"] as? String else { return true }
      return text.range(of: pattern, options: .regularExpression) != nil
    case "array":
      guard let items = value as? [Any], let item = schema["items"] as? [String: Any] else { return false }
      return items.allSatisfy { matches($0, item) }
    case "object":
      guard let object = value as? [String: Any], schema["additionalProperties"] as? Bool == false,
        let properties = schema["properties"] as? [String: [String: Any]],
        let required = schema["required"] as? [String]
      else { return false }
      return required.allSatisfy { object[$0] != nil }
        && object.allSatisfy { key, value in properties[key].map { matches(value, $0) } ?? false }
    default:
      Issue.record("type \(type)")
      return false
    }
  }

  private static func isTruth(_ number: NSNumber) -> Bool { String(cString: number.objCType) == "c" }
}
