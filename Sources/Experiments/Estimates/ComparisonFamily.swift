/// The comparisons of an experiment that share one probability of error.
///
/// Without a correction, one of many equal policies is likely to look different by chance. Bonferroni's correction
/// divides the probability by the number of comparisons, so that all intervals hold their true values together with a
/// probability of at least 95 %, however the comparisons depend on each other (O. J. Dunn, "Multiple comparisons
/// among means", Journal of the American Statistical Association 56, 1961).
///
/// An experiment that stops when its gates are decided evaluates them several times. Each evaluation spends a part of
/// the probability, in proportion to the people since the previous one (K. K. G. Lan and D. L. DeMets, "Discrete
/// sequential boundaries for clinical trials", Biometrika 70, 1983).
package struct ComparisonFamily: Hashable, Sendable {
  /// The probability with which any interval may miss its true value.
  package static let error = 0.05

  /// The number of figures and differences with a verdict or a direction, at least 1.
  package var comparisons: Int
  /// The part of the probability that the last evaluation spends, greater than 0 and at most 1.
  package var share = 1.0

  /// The probability with which one interval may miss its true value.
  package var error: Double { Self.error * share / Double(comparisons) }

  /// Whether the joint intervals differ from intervals of single figures.
  package var isCorrected: Bool { error < Self.error }
}
