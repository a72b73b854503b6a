public import CivilTime
import SimulationKernel
public import TriggerModel

/// How often a person opens the app without a notification. It is the baseline for the effect of
/// notifications.
///
/// No source gives a number for an app that does not exist yet, so the scenario must declare one.
public struct OrganicOpens: Hashable, Sendable {
  /// The mean number of opens per day, 0…200.
  public var perDay: Double
  /// The part of the local day over which the opens are uniformly distributed.
  public var waking: DailyWindow

  public init(perDay: Double, waking: DailyWindow = DailyWindow(from: 7 * 60, to: 23 * 60)) {
    precondition((0...200).contains(perDay), "opens a day are 0 to 200")
    self.perDay = perDay
    self.waking = waking
  }

  /// Returns the times at which a person opens the app on a local day. They are ascending and measured from
  /// the day's midnight.
  ///
  /// No other event affects these times. If the waking time includes midnight, some of them are on the next
  /// date.
  public func times(of person: UInt64, seed: UInt64, on day: CivilDate) -> [TimeSpan] {
    let key = RandomKey(seed: seed, person: person, purpose: .habit)
      .named(RandomKey.nameNumber("organic open")).named(UInt64(bitPattern: Int64(day.dayNumber)))
    let length = UInt64(waking.length) * 60_000
    guard length > 0 else { return [] }
    var times = (0..<number(key.unit(0))).map { open -> TimeSpan in
      .minutes(Int64(waking.from)) + TimeSpan(milliseconds: Int64(key.below(length, 1 + open)))
    }
    times.sort()
    return times
  }

  /// Returns the Poisson-distributed number that a uniform draw selects.
  private func number(_ draw: Double) -> UInt64 {
    var number: UInt64 = 0
    var share = DeterministicMath.exp(-perDay)
    var sum = share
    while draw >= sum, number < 1_000 {
      number += 1
      share *= perDay / Double(number)
      sum += share
    }
    return number
  }
}
