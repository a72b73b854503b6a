import Foundation
import SimulationKernel
package import TextFormats

/// A part as a file: JSON of whole numbers, the same bytes whenever and wherever it is made.
package enum PartDocument {
  /// What the document says that it is.
  package static let format = "triggerbench-part"
  private static let version = 1

  package static func text(_ part: ExperimentPart) -> String {
    let numbers = part.sums.numbers
    let named = part.sums.named.map { $0.everybody.map(\.row) }
    let document: JSONValue = [
      "format": .string(format), "version": .integer(version), "tool": .string(part.tool),
      "experiment": .string(word(part.experiment)),
      "people": .array([.integer(Int(part.people.lowerBound)), .integer(Int(part.people.upperBound))]),
      "numbers": row(numbers), "named": .array(named.map { .array($0.map(row)) }),
      "check": .string(word(check(part, numbers, named))),
    ]
    return document.line + "\n"
  }

  private static func row(_ numbers: [Int64]) -> JSONValue { .array(numbers.map { .integer(Int($0)) }) }

  private struct Document: Decodable {
    var format: String
    var version: Int
    var tool: String
    var experiment: String
    var people: [UInt64]
    var numbers: [Int64]
    var named: [[[Int64]]]
    var check: String
  }

  /// - Parameter plan: The experiment to which the part should belong.
  /// - Returns: The part; of another experiment without its numbers, which are others.
  package static func read(
    _ bytes: [UInt8], file: String, of plan: ExperimentPlan
  ) throws(Diagnostic) -> ExperimentPart {
    let document: Document
    do {
      document = try JSONDecoder().decode(Document.self, from: Data(bytes))
      guard document.format == format else { throw NoPart() }
    } catch {
      throw Diagnostic(
        "this is no part of an experiment, or not all of it", file: file,
        hint: "name what 'triggerbench simulate … --output FILE' wrote")
    }
    guard document.version == version else {
      throw Diagnostic(
        "this is version \(document.version) of the format, and only \(version) is known", file: file,
        hint: "make the part again")
    }
    guard let experiment = UInt64(document.experiment, radix: 16), document.people.count == 2,
      document.people[0] < document.people[1]
    else { throw damaged(file) }
    var part = ExperimentPart(
      experiment: experiment, tool: document.tool, people: document.people[0]..<document.people[1],
      sums: plan.nobody)
    guard document.check == word(check(part, document.numbers, document.named)) else { throw damaged(file) }
    if part.experiment != plan.identity { return part }
    guard part.sums.replace(with: document.numbers), document.named.count == part.sums.named.count,
      part.sums.people == Int64(part.people.count)
    else { throw damaged(file) }
    part.sums.named = try document.named.map { rows throws(Diagnostic) in
      var people = NamedPeople()
      for row in rows {
        guard let person = NamedPerson(row: row) else { throw damaged(file) }
        people.add(person)
      }
      return people
    }
    return part
  }

  private struct NoPart: Error {}

  private static func damaged(_ file: String) -> Diagnostic {
    Diagnostic(
      "the part is damaged: its numbers are not those that were written", file: file, hint: "make it again")
  }

  private static func word(_ number: UInt64) -> String { String(number, radix: 16) }

  /// Of everything in it, in its order.
  private static func check(_ part: ExperimentPart, _ numbers: [Int64], _ named: [[[Int64]]]) -> UInt64 {
    var sum = RandomKey.nameNumber(part.tool) ^ part.experiment
    func add(_ number: Int64) { sum = RandomKey.mix64(sum &+ UInt64(bitPattern: number)) }
    for number in [Int64(part.people.lowerBound), Int64(part.people.upperBound)] + numbers { add(number) }
    for rows in named {
      add(Int64(rows.count))
      for row in rows { row.forEach(add) }
    }
    return sum
  }
}
