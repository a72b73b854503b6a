import Foundation
import ScenarioFiles
public import ScenarioModel
import TextFormats

/// One story about a phone, with what must come of it.
///
/// ```swift
/// for scenario in try Scenario.all(in: "scenarios") {
///   let report = try scenario.run { MyEngine($0) }
///   print(scenario, report.passed ? "holds" : report.failures)
/// }
/// ```
public typealias Scenario = ScenarioModel.Scenario

/// Why a scenario cannot be used: with file, line, column and what to do.
public struct ScenarioError: Error, Hashable, Sendable, CustomStringConvertible {
  /// One message after the other, as `triggerbench run` prints them.
  public var description: String

  init(_ diagnostics: [Diagnostic]) {
    description = diagnostics.rendered()
  }

  init(_ description: String) {
    self.description = description
  }
}

extension Scenario {
  /// All scenarios of a file or folder, sorted by path; files of other kinds are passed over.
  ///
  /// - Throws: ``ScenarioError`` when one cannot be used, or when there is none.
  public static func all(in path: String) throws -> [Scenario] {
    let files: [String]
    do throws(SuiteFiles.Problem) {
      files = try SuiteFiles.find(in: [path], filter: nil)
    } catch {
      throw ScenarioError("\(error)")
    }
    var scenarios: [Scenario] = []
    for file in files {
      if let scenario = try Self.loaded(ScenarioFile.load(file)) { scenarios.append(scenario) }
    }
    if scenarios.isEmpty { throw ScenarioError("\(path): there is no scenario ('kind: scenario')") }
    return scenarios
  }

  /// Reads one file.
  ///
  /// - Throws: ``ScenarioError``.
  public init(contentsOf path: String) throws {
    guard let scenario = try Self.loaded(ScenarioFile.load(path)) else {
      throw ScenarioError("\(path): this is no scenario ('kind: scenario')")
    }
    self = scenario
  }

  /// Reads a scenario from text, as a file would hold it.
  ///
  /// - Parameter file: What messages call it. Recordings and packs are looked for beside it.
  /// - Throws: ``ScenarioError``.
  public init(text: String, file: String = "scenario.yaml") throws {
    let folder = URL(fileURLWithPath: file).deletingLastPathComponent()
    let outcome = ScenarioFile.read(Array(text.utf8), file: file) {
      FileManager.default.fileExists(atPath: URL(fileURLWithPath: $0, relativeTo: folder).path)
    }
    guard let scenario = try Self.loaded(outcome) else {
      throw ScenarioError("\(file): this is no scenario ('kind: scenario')")
    }
    self = scenario
  }

  /// Nil for a file of another kind.
  private static func loaded(_ outcome: ScenarioFile.Outcome) throws -> Scenario? {
    switch outcome {
    case .scenario(let scenario, _): scenario
    case .otherKind: nil
    case .unusable(let diagnostics): throw ScenarioError(diagnostics)
    }
  }
}

extension Scenario: CustomStringConvertible {
  /// The file and the story in a line.
  public var description: String { "\(file): \(title)" }
}
