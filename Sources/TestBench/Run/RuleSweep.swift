import DeviceSimulation
import ScenarioModel
import Simulation
package import Statistics
import TextFormats

/// Runs every scenario of a suite with every value of one platform rule.
///
/// Sources disagree about some platform rules. A result is reliable if it is the same for all values of such
/// a rule.
package struct RuleSweep: Sendable {
  package let suite: Suite
  /// The key of a rule, or the identifier of a platform fact with exactly one rule that can be swept.
  package let rule: String

  package init(_ suite: Suite, rule: String) {
    self.suite = suite
    self.rule = rule
  }

  /// The results of one scenario with every value.
  package struct Scenario: Sendable {
    package var file: String
    package var title: String
    package var profile: String
    package var key: String
    /// The variants. The first one uses the scenario's own value.
    package var variants: [Variant]

    package var holds: Int { variants.count { $0.passed } }
  }

  package struct Variant: Sendable {
    package var value: String
    package var passed: Bool
    package var failed: [ExpectationResult]
    /// The gates that killed the scenario unexpectedly.
    package var killed: [GateResult]
  }

  package typealias Outcome = FileResult<Scenario>

  /// Returns the results in the order of the suite's paths. Reports a file as invalid if its profile has no
  /// rule with this name that can be swept.
  package func run(
    stopwatch: @escaping @Sendable () -> UInt64, progress: @escaping @Sendable (Int) -> Void
  ) async -> [Outcome] {
    await suite.map(progress: progress) { path, program, _ in sweep(path, program, stopwatch) }
  }

  private func sweep(
    _ path: String, _ program: Program, _ stopwatch: @escaping @Sendable () -> UInt64
  ) -> Outcome {
    let key: String
    let values: [String]
    do throws(Diagnostic) {
      (key, values) = try self.values(for: program)
    } catch {
      return .invalid([error])
    }
    let scenario = program.scenario
    var swept = Scenario(
      file: scenario.file, title: scenario.title, profile: scenario.profile.value, key: key, variants: [])
    for value in values {
      var options = suite.options
      options.knobs.append((key, value))
      switch ProgramLoader(options: options).load(path) {
      case .otherKind: return .otherKind
      case .invalid(let diagnostics): return .invalid(diagnostics)
      case .program(let program, _):
        let result = ScenarioRun(program, stopwatch: stopwatch).run().result
        if let overrun = result.overrun { return .invalid([overrun]) }
        swept.variants.append(
          Variant(
            value: value, passed: result.passed, failed: result.expectations.filter { !$0.passed },
            killed: result.gates.filter(\.fails)))
      }
    }
    return .made(swept)
  }

  /// Returns the rule's key and its values, starting with the scenario's own value.
  private func values(for program: Program) throws(Diagnostic) -> (String, [String]) {
    let profile = try Program.profile(of: program.scenario)
    do throws(RuleError) {
      let variants = try profile.sweep(rule)
      // Find the only rule whose value differs between the variants.
      let index = profile.rules.indices.first { index in
        Set(variants.map(\.rules[index].value)).count > 1
      }
      guard let index else { throw .cannotSweep(rule, keys: []) }
      let own = profile.rules[index].value
      let others = variants.map(\.rules[index].value).filter { $0 != own }
      return (profile.rules[index].key, ([own] + others).map(\.description))
    } catch {
      throw program.scenario.sources.diagnostic(error.description, at: program.scenario.profile.position)
    }
  }
}
