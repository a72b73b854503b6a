import SimulationKernel
import TriggerModel

/// How often somebody unlocks a device, and for how long: each with a draw of its own.
struct UnlockSeries {
  /// Seconds from one unlock to the next, on average; infinite: never.
  private let gap: Double
  /// Seconds, on average.
  private let length: Double
  private let gapName: UInt64
  private let lengthName: UInt64

  /// - Parameter rate: An hour.
  init(_ rate: Double, length: TimeSpan, gapName: UInt64, lengthName: UInt64) {
    gap = rate > 0 ? 3_600 / min(rate, Double(DayConstant.mostUnlocks.value.amount)) : .infinity
    self.length = Double(length.milliseconds) / 1_000
    self.gapName = gapName
    self.lengthName = lengthName
  }

  /// The luck of one day, unlock after unlock.
  func day(_ day: Int, _ keys: HabitKeys) -> Day {
    Day(
      gap: gap, length: length, gaps: keys.habit.named(gapName), lengths: keys.habit.named(lengthName),
      day: UInt64(day))
  }

  struct Day {
    fileprivate let gap: Double
    fileprivate let length: Double
    fileprivate let gaps: RandomKey
    fileprivate let lengths: RandomKey
    fileprivate let day: UInt64
    /// Of the unlock, from 0.
    fileprivate var number: UInt64 = 0

    /// 4,096 of a day stand side by side, and what goes beyond that behind those of all days.
    @inline(__always)
    private var occurrence: UInt64 { (number >> 12) << 40 | day << 12 | number & 0xFFF }

    /// The draws of the next unlock.
    @inline(__always)
    mutating func advance() { number += 1 }

    /// Seconds.
    @inline(__always)
    func nextGap() -> Int64 {
      // In this order what is no number is never, too.
      Int64(min(1e9, gaps.exponential(mean: gap, occurrence)))
    }

    /// When the device is locked that is unlocked at some second, and when it is unlocked again.
    @inline(__always)
    func use(at second: Int64) -> (lock: Int64, next: Int64) {
      let drawn = min(lengths.exponential(mean: length, occurrence), Double(DayConstant.longestUse.seconds))
      let lock = second + DayConstant.shortestUse.seconds + Int64(drawn)
      let next = second + max(nextGap(), DayConstant.shortestGap.seconds)
      return (min(lock, next - DayConstant.shortestLock.seconds), next)
    }
  }
}
