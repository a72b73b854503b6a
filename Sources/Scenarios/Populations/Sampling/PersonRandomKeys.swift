import SimulationKernel
import TriggerModel

/// The random-number keys of one person: one for draws that apply to the whole run, and one for daily draws.
/// The name of a habit is part of the key, so an unrelated change of the file does not affect the draw.
struct PersonRandomKeys {
  let trait: RandomKey
  let habit: RandomKey

  init(person: UInt64, seed: UInt64) {
    trait = RandomKey(seed: seed, person: person, purpose: .trait)
    habit = RandomKey(seed: seed, person: person, purpose: .habit)
  }

  /// Returns a normal draw, truncated at ``DayConstant/widestDeviation``.
  private static func cut(_ key: RandomKey, _ occurrence: UInt64) -> Double {
    let widest = Double(DayConstant.widestDeviation.value.amount)
    return max(-widest, min(widest, key.normal(occurrence)))
  }

  /// Returns the person's deviation from the median, in standard deviations.
  func own(_ name: UInt64) -> Double { Self.cut(trait.named(name), 0) }

  /// Returns the deviation of a day from the person's usual value, in standard deviations.
  func daily(_ name: UInt64, _ day: Int) -> Double { Self.cut(habit.named(name), UInt64(day)) }
}

/// One person's usual time of an activity.
struct PersonalTime {
  private let name: UInt64
  /// The usual time in seconds after midnight.
  private let usual: Double
  /// The standard deviation between days, in seconds.
  private let spread: Double

  init(_ habit: TimeHabit, _ name: UInt64, _ keys: PersonRandomKeys) {
    self.name = name
    let median = Double(habit.median) / 1_000
    let between = Double(habit.spread.milliseconds) / 1_000
    usual = between == 0 ? median : median + between * keys.own(name)
    spread = Double(habit.daily.milliseconds) / 1_000
  }

  /// Returns the time in seconds after midnight. It may be outside the day.
  func second(on day: Int, _ keys: PersonRandomKeys) -> Int64 {
    Int64((spread == 0 ? usual : usual + spread * keys.daily(name, day)).rounded())
  }
}

extension AmountHabit {
  /// Returns a drawn whole number within the limits.
  ///
  /// - Parameter day: The day, or `nil` for a value that applies to the whole run.
  func value(_ name: UInt64, on day: Int?, _ keys: PersonRandomKeys) -> FactValue {
    var amount = mean
    if spread != 0 { amount += spread * keys.own(name) }
    if let day, daily != 0 { amount += daily * keys.daily(name, day) }
    return .number(thousandths: Int64(max(least, min(most, amount)).rounded()) * 1_000)
  }
}
