import TriggerModel

/// How long a battery takes from each whole per cent to the next: what its curve says, reckoned once for all phones
/// of a program.
package final class BatterySteps: Sendable {
  let curve: BatteryCurve
  /// By per cent, from there to the one above; 0 ... 99.
  let rising: [TimeSpan]
  /// By per cent, from there to the one below; that of 0 is never taken.
  let falling: [TimeSpan]
  /// By per cent, from 0 there.
  private let risen: [TimeSpan]
  /// By per cent, from 100 there.
  private let fallen: [TimeSpan]

  package init(_ curve: BatteryCurve) {
    self.curve = curve
    func span(_ percent: Int, _ next: Int, isCharging: Bool) -> TimeSpan {
      // No time: it is there already.
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

  /// The last per cent that is reached in less than a span, and when.
  ///
  /// - Parameter last: None beyond it is looked at; not below `first` when it rises, nor above it when it falls.
  func reached(
    from first: Int, to last: Int, inLessThan span: TimeSpan, isRising: Bool
  ) -> (percent: Int, after: TimeSpan) {
    let times = isRising ? risen : fallen
    // How many steps are taken at least, and at most.
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

/// Two of one curve are the same.
extension BatterySteps: Hashable {
  package static func == (a: BatterySteps, b: BatterySteps) -> Bool { a.curve == b.curve }

  package func hash(into hasher: inout Hasher) { hasher.combine(curve) }
}
