package import CivilTime
package import Recordings
package import ScenarioModel
package import TriggerModel

/// The distributions from which each person of a population is drawn: what people do with their phones, day
/// by day, and their state at the start.
package struct Habits: Hashable, Sendable {
  /// The platform profiles, or nil if everybody has the file's.
  package var platform: Shares<String>?
  /// The zones in which people live, or nil if everybody lives in the file's.
  package var zone: Shares<String>?
  package var days: Days
  /// The devices in addition to the phone, sorted by name.
  package var devices: [DeviceHabit] = []
  package var commute: Commute?
  /// The initial facts, sorted by name.
  package var facts: [FactHabit] = []
  /// The routines, sorted by name.
  package var routines: [Routine] = []
}

/// How the phone is used in a day.
package enum Days: Hashable, Sendable {
  case drawn(DrawnDays)
  /// Whole days of recorded phones, sorted by name; each person has the days of one of them. Contains at
  /// least one phone.
  case recorded([RecordedHabits])
}

/// Days that are drawn from distributions.
package struct DrawnDays: Hashable, Sendable {
  package var wake: TimeHabit
  /// When people go to sleep. A time before ``wake`` is after midnight.
  package var sleep: TimeHabit
  package var unlocksPerHour: RateHabit
  /// The mean time that the phone is in use after an unlock; exponential.
  package var unlockLength = TimeSpan.minutes(2)
  /// The share of nights in which the phone is charged, in millionths.
  package var chargedNights: Int64 = 0
  /// The share of days on which it is charged for a while, in millionths.
  package var chargedDays: Int64 = 0
}

/// A recorded phone, and where it was recorded.
package struct RecordedHabits: Hashable, Sendable {
  package var name: String
  /// The screen table's file name as it is written.
  package var screen: String
  /// The battery table's file name, or nil if the phone is never charged.
  package var battery: String?
  /// The device whose rows count, or nil if the tables contain only one.
  package var device: String?
  /// The zone in which the days are counted.
  package var zone: String
  package var phone: RecordedPhone
  /// A digest of the tables' bytes, equal for equal recordings.
  package var digest: UInt64
}

/// A device in addition to the phone, which some people have.
package struct DeviceHabit: Hashable, Sendable {
  /// The maximum number of devices that only some people have. Each subset of them needs a program of its
  /// own.
  package static let limit = 3

  /// The index in the scenario's devices plus one.
  package var device: UInt8
  package var name: String
  /// The share of people who have it, in millionths.
  package var people: Int64 = 1_000_000
  /// How it is used, or nil if only the time line uses it.
  package var use: Use?

  /// When it is unlocked, and for how long.
  package struct Use: Hashable, Sendable {
    package var unlocksPerHour: RateHabit
    /// The mean time in use after an unlock; exponential.
    package var unlockLength = TimeSpan.minutes(2)
    /// The part of the day in which it is used.
    package var window: DailyWindow
  }
}

/// The way from one place to another in the morning, and back.
package struct Commute: Hashable, Sendable {
  package var home: RegionID
  package var work: RegionID
  package var leaves: TimeHabit
  package var takes: TimeSpan
  package var returns: TimeHabit
  package var weekdays = WeekdaySet.weekdays
  /// The share of people who commute, in millionths.
  package var people: Int64 = 1_000_000
  /// The stops of a quarter of an hour on the way back, sorted by name, each with its share of these ways in
  /// millionths.
  package var stops: [Stop] = []

  package struct Stop: Hashable, Sendable {
    package var place: RegionID
    package var millionths: Int64

    package init(_ place: RegionID, millionths: Int64) {
      self.place = place
      self.millionths = millionths
    }
  }
}

/// The distribution of a fact's initial value.
package struct FactHabit: Hashable, Sendable {
  package enum Value: Hashable, Sendable {
    case shares(Shares<FactValue>)
    case amount(AmountHabit)
  }

  package var fact: FactID
  package var value: Value
}

/// What some people do on some days.
package struct Routine: Hashable, Sendable {
  package enum Deed: Hashable, Sendable {
    case actions([TimelineAction])
    /// A fact takes a number that is drawn.
    case number(FactID, AmountHabit)
  }

  package var name: String
  package var deed: Deed
  package var at: TimeHabit
  package var weekdays = WeekdaySet.all
  /// The number of these weekdays on which a person does it, always the same ones, or nil for all of them.
  package var perWeek: Shares<Int>?
  /// The share of such days on which it happens, in millionths.
  package var chance: Int64 = 1_000_000
  /// The share of people who do it at all, in millionths.
  package var people: Int64 = 1_000_000
}

/// A time of the local day that varies between people and between days. Normal, truncated at three standard
/// deviations.
package struct TimeHabit: Hashable, Sendable {
  /// The median person's time in milliseconds after midnight.
  package var median: Int32
  /// The standard deviation between people.
  package var spread = TimeSpan.zero
  /// The standard deviation between a person's days.
  package var daily = TimeSpan.zero
}

/// How often something is done per waking hour: log-normal over people, and a Poisson process in time.
package struct RateHabit: Hashable, Sendable {
  /// The rate of the median person, per hour.
  package var median: Double
  /// The standard deviation of the logarithm between people.
  package var sigma = 0.0
}

/// A whole number that varies between people and between days. Normal, truncated at three standard deviations
/// and at its limits.
package struct AmountHabit: Hashable, Sendable {
  package var mean: Double
  /// The standard deviation between people.
  package var spread = 0.0
  /// The standard deviation between a person's days.
  package var daily = 0.0
  package var least = 0.0
  package var most: Double
}

/// The shares of several values.
package struct Shares<Value: Hashable & Sendable>: Hashable, Sendable {
  package struct Option: Hashable, Sendable {
    package var value: Value
    package var millionths: Int64

    package init(_ value: Value, millionths: Int64) {
      self.value = value
      self.millionths = millionths
    }
  }

  /// The options in an order that does not depend on the file. Their shares add up to one.
  package let options: [Option]

  package init(_ options: [Option]) { self.options = options }

  /// Creates shares with a single value.
  package init(always value: Value) { options = [Option(value, millionths: 1_000_000)] }

  /// Returns the value that a uniform draw from 0 to 1 selects.
  package func choose(_ luck: Double) -> Value? {
    var sum: Int64 = 0
    for option in options {
      sum += option.millionths
      if luck * 1_000_000 < Double(sum) { return option.value }
    }
    return options.last?.value
  }
}
