package import Simulation
import ScenarioFiles
import ScenarioModel
package import TextFormats
import Foundation

/// Reads a file and compiles it, if it is a scenario.
package struct ProgramLoader {
  package enum Loaded {
    case program(Program, warnings: [Diagnostic])
    case invalid([Diagnostic])
    /// It says that it is something else.
    case otherKind(String)
  }

  private let options: Suite.Options

  package init(options: Suite.Options = Suite.Options()) {
    self.options = options
  }

  package func load(_ path: String) -> Loaded {
    if path == SuiteFiles.standardInput {
      let bytes = options.standardInput ?? []
      if ExpandedScenario.isExpanded(bytes) { return expanded(bytes, path) }
      return compile(
        ScenarioFile.read(bytes, file: path, settings: options.settings, fileExists: { _ in false }), path)
    }
    if path.hasSuffix(".ndjson"), let bytes = try? RegularFile.read(path, named: path) {
      return expanded(bytes, path)
    }
    return compile(ScenarioFile.load(path, settings: options.settings), path)
  }

  /// Reads a pack by itself and compiles what it declares, as a scenario in which nothing happens.
  package func load(pack path: String) -> Loaded {
    compile(PackFile.load(path), path)
  }

  private func expanded(_ bytes: [UInt8], _ path: String) -> Loaded {
    if let setting = options.settings.first {
      let problem = "\(setting.name): an expanded scenario takes no settings"
      return .invalid([Diagnostic(problem, file: path, hint: "expand it with the value in its file")])
    }
    return ExpandedScenario.read(bytes, file: path, options: options)
  }

  private func compile(_ outcome: ScenarioFile.Outcome, _ path: String) -> Loaded {
    switch outcome {
    case .otherKind(let kind): return .otherKind(kind)
    case .unusable(let diagnostics): return .invalid(diagnostics)
    case .scenario(var scenario, let warnings):
      options.apply(to: &scenario)
      do throws(Diagnostic) {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        let program = try Program(scenario, folder: folder)
        return .program(program, warnings: warnings + program.warnings)
      } catch {
        return .invalid([error])
      }
    }
  }
}
