import DeviceSimulation
import SimulationKernel
import TriggerModel

/// The luck of a person's habits: what is drawn once in a life, and what is drawn for a day. Each draw has the name
/// of what it is about, so that nothing else in a file has an influence on it.
struct HabitKeys {
  let trait: RandomKey
  let habit: RandomKey

  init(person: UInt64, seed: UInt64) {
    trait = RandomKey(seed: seed, person: person, purpose: .trait)
    habit = RandomKey(seed: seed, person: person, purpose: .habit)
  }

  /// Within ``DayConstant/widestDeviation``.
  private static func cut(_ key: RandomKey, _ occurrence: UInt64) -> Double {
    let widest = Double(DayConstant.widestDeviation.value.amount)
    return max(-widest, min(widest, key.normal(occurrence)))
  }

  /// How far a person is from the median one, in standard deviations.
  func own(_ name: UInt64) -> Double { Self.cut(trait.named(name), 0) }

  /// How far a day is from the person's usual one, in standard deviations.
  func daily(_ name: UInt64, _ day: Int) -> Double { Self.cut(habit.named(name), UInt64(day)) }
}

/// What a person usually does at a time of the day.
struct PersonalTime {
  private let name: UInt64
  /// Seconds after midnight.
  private let usual: Double
  /// In seconds.
  private let spread: Double

  init(_ habit: TimeHabit, _ name: UInt64, _ keys: HabitKeys) {
    self.name = name
    let median = Double(habit.median) / 1_000
    let between = Double(habit.spread.milliseconds) / 1_000
    usual = between == 0 ? median : median + between * keys.own(name)
    spread = Double(habit.daily.milliseconds) / 1_000
  }

  /// Seconds after midnight; may be of another day.
  func second(on day: Int, _ keys: HabitKeys) -> Int64 {
    Int64((spread == 0 ? usual : usual + spread * keys.daily(name, day)).rounded())
  }
}

extension AmountHabit {
  /// A whole number within the limits.
  ///
  /// - Parameter day: Nil: for life.
  func value(_ name: UInt64, on day: Int?, _ keys: HabitKeys) -> FactValue {
    var amount = mean
    if spread != 0 { amount += spread * keys.own(name) }
    if let day, daily != 0 { amount += daily * keys.daily(name, day) }
    return .number(thousandths: Int64(max(least, min(most, amount)).rounded()) * 1_000)
  }
}
