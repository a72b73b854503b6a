import Foundation
public import ScenarioModel
import Scenarios
import TextFormats

/// A story about a phone, with its expected outcome.
///
/// ```swift
/// for scenario in try Scenario.all(in: "scenarios") {
///   let report = try scenario.run { MyEngine($0) }
///   print(scenario, report.passed ? "holds" : report.failures)
/// }
/// ```
public typealias Scenario = ScenarioModel.Scenario

/// The reason why a scenario is unusable, with its file, line and column and a remedy.
public struct ScenarioError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The messages, in the order of the file and in the format of `triggerbench run`.
  public var description: String

  init(_ diagnostics: [Diagnostic]) {
    description = diagnostics.rendered()
  }

  init(_ description: String) {
    self.description = description
  }
}

extension Scenario {
  /// Returns all scenarios in a file or folder, sorted by path. Skips files of other kinds, such as packs.
  ///
  /// - Parameter folders: Additional folders to which the files may refer. They may always refer to files
  ///   below the nearest parent folder that contains `.git`, or below `path` if there is none.
  /// - Throws: ``ScenarioError`` if a file cannot be used, or if there is no scenario.
  public static func all(in path: String, allowing folders: [String] = []) throws -> [Scenario] {
    let files: [String]
    do throws(SuiteFiles.Problem) {
      files = try SuiteFiles.find(in: [path], filter: nil)
    } catch {
      throw ScenarioError("\(error)")
    }
    var scenarios: [Scenario] = []
    for file in files {
      let reach = ReachableFiles(of: file, searched: [path], allowing: folders)
      if let scenario = try Self.loaded(ScenarioFile.load(file, in: reach)) { scenarios.append(scenario) }
    }
    if scenarios.isEmpty { throw ScenarioError("\(path): there is no scenario ('kind: scenario')") }
    return scenarios
  }

  /// Reads one scenario file.
  ///
  /// - Parameter folders: Additional folders to which the file may refer. It may always refer to files below
  ///   the nearest parent folder that contains `.git`, or in its own folder if there is none.
  /// - Throws: ``ScenarioError``.
  public init(contentsOf path: String, allowing folders: [String] = []) throws {
    let reach = ReachableFiles(of: path, allowing: folders)
    guard let scenario = try Self.loaded(ScenarioFile.load(path, in: reach)) else {
      throw ScenarioError("\(path): this is not a scenario ('kind: scenario')")
    }
    self = scenario
  }

  /// Reads a scenario from text.
  ///
  /// - Parameter file: The path used in messages. Recordings and packs are searched for in its folder.
  /// - Throws: ``ScenarioError``.
  public init(text: String, file: String = "scenario.yaml") throws {
    let reach = ReachableFiles(of: file)
    let outcome = ScenarioFile.read(
      Array(text.utf8), file: file, fileExists: { reach.place(of: $0) != .missing }, in: reach)
    guard let scenario = try Self.loaded(outcome) else {
      throw ScenarioError("\(file): this is not a scenario ('kind: scenario')")
    }
    self = scenario
  }

  /// Returns the scenario, or `nil` for a file of another kind.
  private static func loaded(_ outcome: ScenarioFile.Outcome) throws -> Scenario? {
    switch outcome {
    case .scenario(let scenario, _): scenario
    case .otherKind: nil
    case .unusable(let diagnostics): throw ScenarioError(diagnostics)
    }
  }
}

extension Scenario: CustomStringConvertible {
  /// The file and the title.
  public var description: String { "\(file): \(title)" }
}
