package import TextFormats

/// The warnings that a scenario means to have: it shows a mistake, and says so under `intendedWarnings`.
extension Scenario {
  /// Those of the warnings that it does not mean to have.
  package func unintended(_ warnings: [Diagnostic]) -> [Diagnostic] {
    if intendedWarnings.isEmpty { return warnings }
    return warnings.filter { warning in
      warning.severity == .error || !intendedWarnings.contains { warning.message.contains($0.value) }
    }
  }

  /// What becomes of all warnings of a run: those that are not meant, and one for each that is and does not come.
  package func judged(_ warnings: [Diagnostic]) -> [Diagnostic] {
    let missing = intendedWarnings.filter { intended in
      !warnings.contains { $0.message.contains(intended.value) }
    }
    return unintended(warnings)
      + missing.map { intended in
        sources.diagnostic(
          "no warning says '\(intended.value)'", severity: .warning, at: intended.position,
          hint: "take it out of 'intendedWarnings'")
      }
  }
}
