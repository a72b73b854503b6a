public import CivilTime
import SimulationKernel
public import TriggerModel

/// How often a person opens the app unasked: what would have happened without any notification, so that what
/// notifications add stands beside what was tapped.
///
/// No source gives a number for an app that is yet to be written: whoever asks a question states it.
public struct OrganicOpens: Hashable, Sendable {
  /// On average; not negative, at most 200.
  public var perDay: Double
  /// The part of the local day in which they happen, each minute as likely.
  public var waking: DailyWindow

  public init(perDay: Double, waking: DailyWindow = DailyWindow(from: 7 * 60, to: 23 * 60)) {
    precondition((0...200).contains(perDay), "opens a day are 0 to 200")
    self.perDay = perDay
    self.waking = waking
  }

  /// The opens of one person on one local day, as time since its midnight, ascending; the same whatever else
  /// happens to the person. Of a waking time that passes midnight the last ones are of the next date.
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

  /// The number whose share of a Poisson distribution holds a draw.
  private func number(_ luck: Double) -> UInt64 {
    var number: UInt64 = 0
    var share = DeterministicMath.exp(-perDay)
    var sum = share
    while luck >= sum, number < 1_000 {
      number += 1
      share *= perDay / Double(number)
      sum += share
    }
    return number
  }
}
