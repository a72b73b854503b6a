import Foundation
import SimulationKernel
package import TextFormats

/// The sums over a range of an experiment's people. Parts from different machines can be added in any order.
package struct ExperimentPart: Hashable, Sendable {
  /// The ``ExperimentPlan/identity`` of the experiment.
  package var experiment: UInt64
  /// The resolved configuration of the experiment.
  package var configuration = Configuration()
  /// The version of the tool that made the part.
  package var tool: String
  package var people: Range<UInt64>
  package var sums: ExperimentSums

  package init(
    experiment: UInt64, configuration: Configuration = Configuration(), tool: String, people: Range<UInt64>,
    sums: ExperimentSums
  ) {
    self.experiment = experiment
    self.configuration = configuration
    self.tool = tool
    self.people = people
    self.sums = sums
  }
}

/// The reason for which parts cannot be merged.
package enum PartMergeError: Error, Hashable, Sendable {
  /// The named file is a part of another experiment. The differences are the settings with different values.
  case otherExperiment(String, [Configuration.Difference])
  case otherTool(String, own: String, its: String)
  case overlap(String, String, Range<UInt64>)
  /// Two parts have different numbers for the same people.
  case different(String, String)
  case missing(Range<UInt64>)
  case surplus(String, Range<UInt64>)

  /// The message, and a hint that names the remedy.
  package var words: (message: String, hint: String) {
    func range(_ people: Range<UInt64>) -> String { "\(people.lowerBound):\(people.upperBound)" }
    return switch self {
    case .otherExperiment(let file, let differences):
      (
        "\(file) belongs to another experiment" + Self.words(differences),
        "use the file, the seed and every --set of the 'simulate' command"
      )
    case .otherTool(let file, let own, let its):
      ("\(file) was made by triggerbench \(its), and this is \(own)", "make all parts with one version")
    case .overlap(let first, let second, let people):
      ("\(first) and \(second) both contain the people \(range(people))", "leave out one of them")
    case .different(let first, let second):
      ("\(first) and \(second) contain different numbers for the same people", "make both again")
    case .missing(let people):
      (
        "no part contains the people \(range(people))",
        "make one with 'triggerbench simulate … --people \(range(people))'"
      )
    case .surplus(let file, let people):
      (
        "\(file) contains the people \(range(people)), which --expect excludes",
        "leave it out, or change --expect"
      )
    }
  }
}

extension PartMergeError {
  /// The maximum number of differing settings in a message.
  private static let limit = 5

  private static func words(_ differences: [Configuration.Difference]) -> String {
    if differences.isEmpty { return "" }
    let listed = differences.prefix(limit).map { difference in
      "\(difference.name) is \(difference.second ?? "missing") instead of \(difference.first ?? "missing")"
    }
    let rest = differences.count - listed.count
    return ": " + listed.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
  }
}

extension ExperimentPart {
  /// Merges parts. A part that is passed twice is counted once.
  ///
  /// - Parameters:
  ///   - parts: The parts with their file names.
  ///   - expected: The people that the parts must contain, or `nil` if they must contain everyone from person 0 to
  ///     the last person of any part.
  ///   - plan: The experiment of the parts.
  ///   - tool: The required version of the tool in all parts.
  package static func merge(
    _ parts: [(file: String, part: ExperimentPart)], expecting expected: Range<UInt64>?,
    of plan: ExperimentPlan,
    tool: String
  ) throws(PartMergeError) -> ExperimentSums {
    for (file, part) in parts {
      guard part.tool == tool else { throw .otherTool(file, own: tool, its: part.tool) }
      guard part.experiment == plan.identity else {
        throw .otherExperiment(file, plan.configuration.differences(from: part.configuration))
      }
    }
    let sorted = parts.enumerated().sorted {
      ($0.element.part.people.lowerBound, $0.element.part.people.upperBound, $0.offset)
        < ($1.element.part.people.lowerBound, $1.element.part.people.upperBound, $1.offset)
    }.map(\.element)
    var total = plan.nobody
    var end = expected?.lowerBound ?? 0
    var last: (file: String, part: ExperimentPart)?
    for (file, part) in sorted {
      if let expected,
        !expected.contains(part.people.lowerBound) || part.people.upperBound > expected.upperBound
      {
        throw .surplus(file, part.people)
      }
      if let last, last.part.people == part.people {
        guard last.part == part else { throw .different(last.file, file) }
        continue
      }
      if let last, part.people.lowerBound < end {
        throw .overlap(last.file, file, part.people.lowerBound..<min(end, part.people.upperBound))
      }
      if part.people.lowerBound > end { throw .missing(end..<part.people.lowerBound) }
      total += part.sums
      end = part.people.upperBound
      last = (file, part)
    }
    if let expected, end < expected.upperBound { throw .missing(end..<expected.upperBound) }
    return total
  }
}

/// The file format of a part: JSON with integers, byte-identical on every machine.
package enum PartDocument {
  /// The value of the key `format`.
  package static let format = "triggerbench-part"
  private static let version = 3

  package static func text(_ part: ExperimentPart) -> String {
    let numbers = part.sums.numbers
    let named = part.sums.named.map { $0.everybody.map(\.row) }
    let document: JSONValue = [
      "format": .string(format), "version": .integer(version), "tool": .string(part.tool),
      "experiment": .string(word(part.experiment)),
      "configuration": part.configuration.document,
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
    var configuration: [Configuration.Line]
    var people: [UInt64]
    var numbers: [Int64]
    var named: [[[Int64]]]
    var check: String
  }

  /// Parses a part.
  ///
  /// - Parameter plan: The expected experiment.
  /// - Returns: The part. A part of another experiment is returned without its numbers.
  package static func read(
    _ bytes: [UInt8], file: String, of plan: ExperimentPlan
  ) throws(Diagnostic) -> ExperimentPart {
    let document: Document
    do {
      document = try JSONDecoder().decode(Document.self, from: Data(bytes))
      guard document.format == format else { throw OtherFormat() }
    } catch {
      throw Diagnostic(
        "this is not a complete part of an experiment", file: file,
        hint: "name a file that 'triggerbench simulate … --output FILE' wrote")
    }
    guard document.version == version else {
      throw Diagnostic(
        "version \(document.version) of the format is unknown; this tool reads version \(version)",
        file: file,
        hint: "make the part again")
    }
    guard let experiment = UInt64(document.experiment, radix: 16), document.people.count == 2,
      document.people[0] < document.people[1]
    else { throw damaged(file) }
    var part = ExperimentPart(
      experiment: experiment,
      configuration: Configuration(document.configuration),
      tool: document.tool, people: document.people[0]..<document.people[1],
      sums: plan.nobody)
    guard document.check == word(check(part, document.numbers, document.named)) else { throw damaged(file) }
    if part.experiment != plan.identity { return part }
    guard part.sums.replace(with: document.numbers), document.named.count == part.sums.named.count,
      part.sums.people == Int64(part.people.count)
    else { throw damaged(file) }
    part.sums.named = try document.named.map { rows throws(Diagnostic) in
      var people = NotablePeople()
      for row in rows {
        guard let person = NotablePerson(row: row) else { throw damaged(file) }
        people.add(person)
      }
      return people
    }
    return part
  }

  private struct OtherFormat: Error {}

  private static func damaged(_ file: String) -> Diagnostic {
    Diagnostic(
      "the part is damaged: its checksum does not match", file: file, hint: "make it again")
  }

  private static func word(_ number: UInt64) -> String { String(number, radix: 16) }

  /// Returns a checksum of the whole part.
  private static func check(_ part: ExperimentPart, _ numbers: [Int64], _ named: [[[Int64]]]) -> UInt64 {
    var sum = RandomKey.nameNumber(part.tool) ^ part.experiment
    func add(_ number: Int64) { sum = RandomKey.mix64(sum &+ UInt64(bitPattern: number)) }
    for line in part.configuration.lines {
      for text in [line.name, line.value] { sum = RandomKey.mix64(sum ^ RandomKey.nameNumber(text)) }
    }
    for number in [Int64(part.people.lowerBound), Int64(part.people.upperBound)] + numbers { add(number) }
    for rows in named {
      add(Int64(rows.count))
      for row in rows { row.forEach(add) }
    }
    return sum
  }
}
