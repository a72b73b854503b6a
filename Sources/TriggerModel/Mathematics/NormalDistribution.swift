/// The distribution of the sum of many small things.
package enum NormalDistribution {
  /// The 97.5 % quantile: half the width of a 95 % interval, in standard deviations.
  package static let quantile = 1.959963984540054
}
