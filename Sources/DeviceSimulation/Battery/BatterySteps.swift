import TriggerModel

/// The time that each whole per cent takes to charge and to discharge. All phones of a program share one
/// table.
package final class BatterySteps: Sendable {
  let curve: BatteryCurve
  /// The time to charge from each per cent 0…99 to the next.
  let rising: [TimeSpan]
  /// The time to discharge from each per cent to the one below. Entry 0 is unused.
  let falling: [TimeSpan]
  /// The time to charge from 0 % to each per cent.
  private let risen: [TimeSpan]
  /// The time to discharge from 100 % to each per cent.
  private let fallen: [TimeSpan]

  package init(_ curve: BatteryCurve) {
    self.curve = curve
    func span(_ percent: Int, _ next: Int, isCharging: Bool) -> TimeSpan {
      // `time(from:to:)` returns `nil` if the level has already been reached.
      curve.time(from: Double(percent), to: Double(next), isCharging: isCharging) ?? .zero
    }
    rising = (0..<100).map { span($0, $0 + 1, isCharging: true) }
    falling = (0...100).map { span($0, $0 - 1, isCharging: false) }
    var (risen, fallen) = ([TimeSpan.zero], [TimeSpan.zero])
    for percent in 0..<100 {
      risen.append(risen[percent] + rising[percent])
      fallen.append(fallen[percent] + falling[100 - percent])
    }
    (self.risen, self.fallen) = (risen, fallen.reversed())
  }

  /// Returns the last per cent that the battery reaches in less than `span`, and the time to reach it.
  ///
  /// - Parameter last: The limit of the search: at least `first` when rising, at most `first` when falling.
  func reached(
    from first: Int, to last: Int, inLessThan span: TimeSpan, isRising: Bool
  ) -> (percent: Int, after: TimeSpan) {
    let times = isRising ? risen : fallen
    // A binary search for the number of steps.
    var (low, high) = (0, isRising ? last - first : first - last)
    while low < high {
      let middle = (low + high + 1) / 2
      if times[isRising ? first + middle : first - middle] - times[first] < span {
        low = middle
      } else {
        high = middle - 1
      }
    }
    let percent = isRising ? first + low : first - low
    return (percent, times[percent] - times[first])
  }
}

/// Two tables are equal if their curves are equal.
extension BatterySteps: Hashable {
  package static func == (a: BatterySteps, b: BatterySteps) -> Bool { a.curve == b.curve }

  package func hash(into hasher: inout Hasher) { hasher.combine(curve) }
}
