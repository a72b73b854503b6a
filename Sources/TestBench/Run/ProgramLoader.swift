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
      if ExpandedScenario.isExpanded(bytes) {
        return ExpandedScenario.read(bytes, file: path, options: options)
      }
      return compile(ScenarioFile.read(bytes, file: path, fileExists: { _ in false }), path)
    }
    if path.hasSuffix(".ndjson"), let bytes = try? RegularFile.read(path, named: path) {
      return ExpandedScenario.read(bytes, file: path, options: options)
    }
    return compile(ScenarioFile.load(path), path)
  }

  /// Reads a pack by itself and compiles what it declares, as a scenario in which nothing happens.
  package func load(pack path: String) -> Loaded {
    compile(PackFile.load(path), path)
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
