package import PlatformProfiles
import TriggerModel

/// How long a battery takes from each whole per cent to the next: what its curve says, reckoned once for all phones
/// of a program.
package final class BatterySteps: Sendable {
  let curve: BatteryCurve
  /// By per cent, from there to the one above; 0 ... 99.
  let rising: [TimeSpan]
  /// By per cent, from there to the one below; that of 0 is never taken.
  let falling: [TimeSpan]

  package init(_ curve: BatteryCurve) {
    self.curve = curve
    func span(_ percent: Int, _ next: Int, isCharging: Bool) -> TimeSpan {
      // No time: it is there already.
      curve.time(from: Double(percent), to: Double(next), isCharging: isCharging) ?? .zero
    }
    rising = (0..<100).map { span($0, $0 + 1, isCharging: true) }
    falling = (0...100).map { span($0, $0 - 1, isCharging: false) }
  }
}

/// Two of one curve are the same.
extension BatterySteps: Hashable {
  package static func == (a: BatterySteps, b: BatterySteps) -> Bool { a.curve == b.curve }

  package func hash(into hasher: inout Hasher) { hasher.combine(curve) }
}
