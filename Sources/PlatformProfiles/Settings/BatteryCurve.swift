/// How a battery's level moves: linear discharge, linear charge up to a knee, then an exponential
/// approach to full (constant current, constant voltage).
///
/// The constants are those fitted to a measured cycle of a 2013 iPhone (844 samples, rule P8).
/// Levels are in per cent of a full battery, 0 … 100.
package struct BatteryCurve: Hashable, Sendable, BitwiseCopyable {
  /// Per cent per hour, positive.
  package var dischargeRate = 16.25
  /// Per cent per hour, positive, below the knee.
  package var chargeRate = 59.9
  /// Level at which the linear part ends.
  package var knee = 80.0
  /// Time constant of the exponential part, in minutes.
  package var timeConstant = 18.8

  package init() {}
}
