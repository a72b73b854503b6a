/// The comparisons of an experiment that share one probability of error.
///
/// Without a correction, one of many equal policies is likely to look different by chance. Bonferroni's correction
/// divides the probability of error by the number of comparisons. All intervals then contain their true values with a
/// joint probability of at least 95 %, even if the comparisons are dependent (O. J. Dunn, "Multiple comparisons among
/// means", Journal of the American Statistical Association 56, 1961).
///
/// An experiment that stops when its gates are decided evaluates them several times. Each evaluation spends a part of
/// the probability of error, in proportion to the people added since the previous evaluation (K. K. G. Lan and D. L.
/// DeMets, "Discrete sequential boundaries for clinical trials", Biometrika 70, 1983).
package struct ComparisonFamily: Hashable, Sendable {
  /// The maximum probability that at least one of the intervals misses its true value.
  package static let error = 0.05

  /// The number of figures and differences with a verdict or a direction, at least 1.
  package var comparisons: Int
  /// The share of the probability of error that the last evaluation spends, greater than 0 and at most 1.
  package var share = 1.0

  /// The maximum probability that a single interval misses its true value.
  package var error: Double { Self.error * share / Double(comparisons) }

  /// Whether the joint intervals are wider than the intervals of single figures.
  package var isCorrected: Bool { error < Self.error }
}
