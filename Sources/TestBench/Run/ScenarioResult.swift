import ScenarioModel
package import Simulation
package import Statistics
package import TextFormats

/// Everything that a report says about one scenario.
package struct ScenarioResult: Sendable {
  package var program: Program
  package var accounts: RunAccounts
  /// Which title each notification showed.
  package var texts: ShownTexts
  /// What fired when, and what became of the rest.
  package var chronology: Chronology
  package var expectations: [ExpectationResult]
  /// In the order of the scenario.
  package var gates: [GateResult]
  /// What is odd about the file, though it can be used.
  package var warnings: [Diagnostic]
  /// Nil: the scenario has no analytics.
  package var analytics: AnalyticsLog?
  /// The lists of the app that expectations ask for, in their order.
  package var views: [ShownView] = []
  /// The run asked for more than its budget, or a recording changed under it, and it was broken off: nothing else here
  /// counts.
  package var overrun: Diagnostic?

  /// Whether a model answers notifications, and not the scenario alone.
  package var isModelled: Bool { program.scenario.person != nil }

  /// How many.
  package var failedExpectations: Int { expectations.count { !$0.passed } }

  package var passed: Bool {
    accounts.contradictions.isEmpty && expectations.allSatisfy(\.passed) && !gates.contains(where: \.fails)
  }
}

/// What became of one file of a suite.
package enum FileOutcome: Sendable {
  case ran(ScenarioResult)
  /// It cannot be used.
  case invalid([Diagnostic])
  /// A file that is no scenario and does not claim to be one.
  case otherKind

  /// A run that was broken off is a file that cannot be used.
  init(_ result: ScenarioResult) {
    self = result.overrun.map { .invalid([$0]) } ?? .ran(result)
  }
}

/// What became of a suite, in the order of its files.
package struct SuiteResult: Sendable {
  package let files: [(path: String, outcome: FileOutcome)]
  /// The gates of all scenarios, those that are the same judged together.
  package let gates: [GateResult]

  package init(files: [(path: String, outcome: FileOutcome)]) {
    self.files = files
    gates = SuiteGates.judge(Self.scenarios(of: files))
  }

  package var scenarios: [ScenarioResult] { Self.scenarios(of: files) }

  private static func scenarios(of files: [(path: String, outcome: FileOutcome)]) -> [ScenarioResult] {
    files.compactMap { if case .ran(let result) = $0.outcome { result } else { nil } }
  }

  package var diagnostics: [Diagnostic] {
    files.flatMap {
      if case .invalid(let diagnostics) = $0.outcome { diagnostics } else { [] as [Diagnostic] }
    }
  }

  package var otherFiles: Int {
    files.count { if case .otherKind = $0.outcome { true } else { false } }
  }

  package var hasInvalidFiles: Bool { !diagnostics.isEmpty }
  /// How many, of all scenarios.
  package var failedExpectations: Int { scenarios.reduce(0) { $0 + $1.failedExpectations } }
  package var allPassed: Bool { scenarios.allSatisfy(\.passed) && !isKilled }
  /// Whether a gate fails the run: of a scenario, or of all that carry it together.
  package var isKilled: Bool {
    gates.contains(where: \.fails) || scenarios.contains { $0.gates.contains(where: \.fails) }
  }
  /// The gates that stay open what no scenario expects to stay so, judged together where several carry one.
  package var openGates: [GateResult] { gates.filter(\.isOpen) }
  /// Whether the accounts of a scenario do not close: a fault of the bench or of the engine, whatever the
  /// expectations say.
  package var hasContradictions: Bool { scenarios.contains { !$0.accounts.contradictions.isEmpty } }
}
