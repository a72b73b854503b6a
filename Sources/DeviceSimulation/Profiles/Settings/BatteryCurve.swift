package import TriggerModel

/// The battery level as a function of time: linear discharge, linear charge up to a knee, then an exponential
/// approach to 100 % (constant current, then constant voltage).
///
/// The constants are fitted to a measured cycle of a 2013 iPhone (844 samples, rule P8). Levels are in per
/// cent of a full battery, 0…100.
package struct BatteryCurve: Hashable, Sendable, BitwiseCopyable {
  /// The discharge rate in per cent per hour, positive.
  package var dischargeRate = 16.25
  /// The charge rate below the knee in per cent per hour, positive.
  package var chargeRate = 59.9
  /// The level up to which charging is linear, in per cent.
  package var knee = 80.0
  /// The time constant of the exponential phase, in minutes.
  package var timeConstant = 18.8

  package init() {}
}

extension BatteryCurve {
  /// The level that counts as full, in per cent, because the exponential never reaches 100 %. The curve
  /// reaches it 59 minutes after 97 %; the measured battery took as long to be full.
  static let full = 99.87

  /// Returns the level after a duration with or without the charger, in per cent.
  package func level(from level: Double, after span: TimeSpan, isCharging: Bool) -> Double {
    let hours = Double(span.milliseconds) / 3_600_000
    guard isCharging else { return max(0, level - dischargeRate * hours) }
    let hoursToKnee = max(0, knee - level) / chargeRate
    if hours <= hoursToKnee { return level + chargeRate * hours }
    let minutes = (hours - hoursToKnee) * 60
    let start = max(level, knee)
    let reached = 100 - (100 - start) * DeterministicMath.exp(-minutes / timeConstant)
    return reached >= Self.full ? 100 : reached
  }

  /// Returns the time until the level reaches `target`, rounded up to a millisecond, or `nil` if it will not.
  package func time(from level: Double, to target: Double, isCharging: Bool) -> TimeSpan? {
    var minutes: Double
    if isCharging {
      guard target > level, target <= 100 else { return nil }
      minutes = max(0, min(target, knee) - level) / chargeRate * 60
      if target > knee {
        let start = max(level, knee)
        let end = min(target, Self.full)
        guard end > start else { return .zero }
        minutes += timeConstant * DeterministicMath.log((100 - start) / (100 - end))
      }
    } else {
      guard target < level, target >= 0 else { return nil }
      minutes = (level - target) / dischargeRate * 60
    }
    return TimeSpan(milliseconds: Int64((minutes * 60_000).rounded(.up)))
  }
}
