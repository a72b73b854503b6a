import CivilTime
import Foundation
import Journal
import Recordings
import ScenarioModel
import Scenarios
package import Simulation
import TextFormats
import TriggerModel

/// A scenario as lines of JSON. The first line contains its declarations and expectations. The other lines
/// are events in the wire format.
///
/// `expand` prints this form, and `run -` reads it.
package enum ExpandedScenario {
  /// The version in the first line. A reader refuses other versions.
  private static let version: Int64 = 1
  /// The first bytes of an expanded scenario.
  private static let beginning = "{\"form\": \"triggerbench.scenario\""

  /// Writes the scenario in chunks of whole lines.
  ///
  /// - Throws: An error if a value of the scenario has no form in a document, or if a recording has changed
  ///   since the scenario was compiled. Every value that was read from a file has such a form.
  package static func write(_ program: Program, to output: ([UInt8]) -> Void) throws {
    // If a recording ends after the time line, it determines the end of the run.
    var scenario = program.scenario
    scenario.end = program.end
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let header = JSONValue.object([
      .init("form", "triggerbench.scenario"), .init("version", .integer(Int(version))),
      .init(
        "scenario", try ScenarioDocument.write(scenario, scenario.expectations.isEmpty ? [] : .expectations)),
      .init("zones", .array(scenario.zones.zones.map { .string($0.identifier) })),
      .init("links", .array((scenario.links?.opened ?? []).map { .string($0) })),
      .init("primings", .array(scenario.app.primings.map { .string($0) })),
      .init("imports", .string(String(decoding: try encoder.encode(program.imports), as: UTF8.self))),
    ])
    output(Array((header.line + "\n").utf8))
    try Expansion(program).write(to: output)
  }

  /// Returns whether the bytes are an expanded scenario.
  static func isExpanded(_ bytes: some Sequence<UInt8>) -> Bool { bytes.starts(with: beginning.utf8) }

  /// Parses and compiles an expanded scenario. The story of one person of a population has no expectations.
  static func read(_ bytes: RecordedBytes, options: Suite.Options) -> ProgramLoader.Loaded {
    let file = bytes.file
    var rest = LineStream(bytes)
    let header: [UInt8]
    do throws(RecordingError) {
      guard let line = try rest.takeLine(upTo: SourceText.byteLimit) else {
        return .invalid([SourceText.tooLarge(file: file, bytes: UInt64(bytes.count))])
      }
      header = line
    } catch {
      return .invalid([Diagnostic(error.description, file: file)])
    }
    let outcome = ScenarioDocument.read(
      header, under: "scenario", file: file, [], fileExists: { _ in false })
    switch outcome {
    case .otherKind(let kind): return .otherKind(kind)
    case .unusable(let diagnostics): return .invalid(diagnostics)
    case .scenario(var scenario, let warnings):
      do throws(Diagnostic) {
        let lines = try complete(&scenario, header, rest: rest, file)
        let ignored = options.apply(to: &scenario)
        return .program(
          try Program(scenario, in: .nothing, within: options.budget, lines: lines),
          warnings: warnings + ignored)
      } catch {
        return .invalid([error])
      }
    }
  }

  static func read(_ bytes: [UInt8], file: String, options: Suite.Options) -> ProgramLoader.Loaded {
    read(RecordedBytes(Data(bytes), file: file), options: options)
  }

  /// Restores the header fields that are not part of the document.
  private static func complete(
    _ scenario: inout Scenario, _ header: [UInt8], rest: LineStream, _ file: String
  ) throws(Diagnostic) -> ExpandedLines {
    var lists: [String: [String]] = [:]
    var imports = ""
    let problem = header.withUnsafeBufferPointer { bytes -> ScanProblem? in
      var scanner = NDJSONScanner(bytes)
      do throws(ScanProblem) {
        try scanner.beginObject()
        while let key = try scanner.nextKey() {
          let name = key.string
          if ["zones", "links", "primings"].contains(name) {
            try scanner.beginArray()
            while try scanner.nextElement() { lists[name, default: []].append(try scanner.string().string) }
          } else if name == "imports" {
            imports = try scanner.string().string
          } else if name == "version" {
            let version = try scanner.integer()
            guard version == Self.version else {
              throw scanner.invalid(
                "the form of version \(version) is not known here",
                remedy: "expand the scenario again with this release, which writes version \(Self.version)")
            }
          } else if name == "form" || name == "scenario" {
            try scanner.skipValue()
          } else {
            throw scanner.unknownKey(
              key, known: ["form", "version", "scenario", "zones", "links", "primings", "imports"])
          }
        }
        return nil
      } catch {
        return error
      }
    }
    if let problem {
      let position = SourcePosition(line: 1, column: problem.offset + 1)
      throw Diagnostic(problem.message, file: file, at: position, hint: problem.remedy)
    }
    do {
      for zone in lists["zones"] ?? [] { _ = try scenario.zones.intern(zone) }
      scenario.links?.opened = lists["links"] ?? []
      scenario.app.primings = lists["primings"] ?? scenario.app.primings
      let reports = try JSONDecoder().decode([ImportReport].self, from: Data(imports.utf8))
      return ExpandedLines(lines: rest, imports: reports)
    } catch {
      throw Diagnostic("the first line cannot be used: \(error)", file: file)
    }
  }
}
