package import CivilTime
package import Recordings
package import ScenarioModel
package import TriggerModel

/// The distributions from which each person of a population is drawn. They cover the person's state at the
/// start and the daily use of the devices.
package struct Habits: Hashable, Sendable {
  /// The platform profiles, or `nil` if everyone has the profile of the file.
  package var platform: Shares<String>?
  /// The zones in which people live, or `nil` if everyone lives in the zone of the file.
  package var zone: Shares<String>?
  package var days: Days
  /// The devices other than the phone, sorted by name.
  package var devices: [DeviceHabit] = []
  package var commute: Commute?
  /// The distributions of facts' initial values, sorted by name.
  package var facts: [FactHabit] = []
  /// The routines, sorted by name.
  package var routines: [Routine] = []
}

/// The source of a day's phone use: distributions or recordings.
package enum Days: Hashable, Sendable {
  case drawn(DrawnDays)
  /// Whole days of recorded phones, sorted by name. Each person is assigned one of the phones. There is at
  /// least one phone.
  case recorded([RecordedHabits])
}

/// The distributions from which days are drawn.
package struct DrawnDays: Hashable, Sendable {
  package var wake: TimeHabit
  /// The bedtime. If it is earlier than ``wake``, it is after midnight.
  package var sleep: TimeHabit
  package var unlocksPerHour: RateHabit
  /// The mean duration of use after an unlock. Durations are exponentially distributed.
  package var unlockLength = TimeSpan.minutes(2)
  /// The share of nights in which the phone is charged, in millionths.
  package var chargedNights: Int64 = 0
  /// The share of days on which the phone is charged for a while, in millionths.
  package var chargedDays: Int64 = 0
}

/// The tables of a recorded phone, with the zone in which it was recorded.
package struct RecordedHabits: Hashable, Sendable {
  package var name: String
  /// The file name of the screen table, as declared.
  package var screen: String
  /// The file name of the battery table, as declared, or `nil` if the phone is never charged.
  package var battery: String?
  /// The device to select from the tables' rows, or `nil` if the tables contain only one device.
  package var device: String?
  /// The zone that determines the dates of the recorded days.
  package var zone: String
  package var phone: RecordedPhone
  /// A digest of the tables' bytes. Identical recordings have the same digest.
  package var digest: UInt64
}

/// A device other than the phone, owned by some or all people.
package struct DeviceHabit: Hashable, Sendable {
  /// The maximum number of devices that only some people own. Each subset of these devices requires a
  /// separate program.
  package static let limit = 3

  /// The device's index in the scenario's list of devices, plus one.
  package var device: UInt8
  package var name: String
  /// The share of people who own the device, in millionths.
  package var people: Int64 = 1_000_000
  /// How people use the device, or `nil` if only the time line uses it.
  package var use: Use?

  /// When the device is unlocked, and for how long.
  package struct Use: Hashable, Sendable {
    package var unlocksPerHour: RateHabit
    /// The mean duration of use after an unlock. Durations are exponentially distributed.
    package var unlockLength = TimeSpan.minutes(2)
    /// The part of the day in which the device is used.
    package var window: DailyWindow
  }
}

/// A journey from one place to another in the morning, and the return journey.
package struct Commute: Hashable, Sendable {
  package var home: RegionID
  package var work: RegionID
  package var leaves: TimeHabit
  package var takes: TimeSpan
  package var returns: TimeHabit
  package var weekdays = WeekdaySet.weekdays
  /// The share of people who commute, in millionths.
  package var people: Int64 = 1_000_000
  /// The possible stops of 15 minutes on the return journey, sorted by name. Each has the share of return
  /// journeys that include it, in millionths.
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

/// An activity that some people perform on some days.
package struct Routine: Hashable, Sendable {
  package enum Deed: Hashable, Sendable {
    case actions([TimelineAction])
    /// Sets a fact to a drawn number.
    case number(FactID, AmountHabit)
  }

  package var name: String
  package var deed: Deed
  package var at: TimeHabit
  package var weekdays = WeekdaySet.all
  /// The number of weekdays on which a person follows the routine, or `nil` for all of ``weekdays``. A person
  /// has the same weekdays in every week.
  package var perWeek: Shares<Int>?
  /// The share of these days on which the routine takes place, in millionths.
  package var chance: Int64 = 1_000_000
  /// The share of people who have the routine, in millionths.
  package var people: Int64 = 1_000_000
}

/// A time of the local day that varies between people and between days. Both variations are normally
/// distributed and truncated at three standard deviations.
package struct TimeHabit: Hashable, Sendable {
  /// The median person's time in milliseconds after midnight.
  package var median: Int32
  /// The standard deviation between people.
  package var spread = TimeSpan.zero
  /// The standard deviation between the days of one person.
  package var daily = TimeSpan.zero
}

/// A rate per waking hour. People's rates are log-normally distributed, and each person's events are a
/// Poisson process.
package struct RateHabit: Hashable, Sendable {
  /// The rate of the median person, per hour.
  package var median: Double
  /// The standard deviation, between people, of the logarithm of the rate.
  package var sigma = 0.0
}

/// A whole number that varies between people and between days. Both variations are normally distributed and
/// truncated at three standard deviations. The result is limited to a range.
package struct AmountHabit: Hashable, Sendable {
  package var mean: Double
  /// The standard deviation between people.
  package var spread = 0.0
  /// The standard deviation between the days of one person.
  package var daily = 0.0
  package var least = 0.0
  package var most: Double
}

/// A discrete distribution over several values.
package struct Shares<Value: Hashable & Sendable>: Hashable, Sendable {
  package struct Option: Hashable, Sendable {
    package var value: Value
    package var millionths: Int64

    package init(_ value: Value, millionths: Int64) {
      self.value = value
      self.millionths = millionths
    }
  }

  /// The options, whose shares add up to one. Their order is independent of the file.
  package let options: [Option]

  package init(_ options: [Option]) { self.options = options }

  /// Creates a distribution with a single value.
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
