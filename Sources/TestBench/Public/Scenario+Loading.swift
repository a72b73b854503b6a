import Foundation
public import ScenarioModel
import Scenarios
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
  /// - Parameter folders: What their files may name beside what lies below the nearest folder that holds `.git`,
  ///   without one below the path that is searched.
  /// - Throws: ``ScenarioError`` when one cannot be used, or when there is none.
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

  /// Reads one file.
  ///
  /// - Parameter folders: What it may name beside what lies below the nearest folder that holds `.git`, without one
  ///   in its own folder.
  /// - Throws: ``ScenarioError``.
  public init(contentsOf path: String, allowing folders: [String] = []) throws {
    let reach = ReachableFiles(of: path, allowing: folders)
    guard let scenario = try Self.loaded(ScenarioFile.load(path, in: reach)) else {
      throw ScenarioError("\(path): this is no scenario ('kind: scenario')")
    }
    self = scenario
  }

  /// Reads a scenario from text, as a file would hold it.
  ///
  /// - Parameter file: What messages call it. Recordings and packs are looked for beside it.
  /// - Throws: ``ScenarioError``.
  public init(text: String, file: String = "scenario.yaml") throws {
    let reach = ReachableFiles(of: file)
    let outcome = ScenarioFile.read(
      Array(text.utf8), file: file, fileExists: { reach.place(of: $0) != .missing }, in: reach)
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
