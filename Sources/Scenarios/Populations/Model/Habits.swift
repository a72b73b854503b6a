package import CivilTime
package import Recordings
package import ScenarioModel
package import TriggerModel

/// What the people of a population do with their phones, day by day, and what they are at the start: distributions
/// from which each person is drawn.
package struct Habits: Hashable, Sendable {
  /// The platform profile; nil: everybody has the file's.
  package var platform: Shares<String>?
  /// The zone in which somebody lives; nil: everybody has the file's.
  package var zone: Shares<String>?
  package var days: Days
  /// In the order of their names.
  package var devices: [DeviceHabit]
  package var commute: Commute?
  /// In the order of their names.
  package var facts: [FactHabit]
  /// In the order of their names.
  package var routines: [Routine]

  package init(
    platform: Shares<String>? = nil, zone: Shares<String>? = nil, days: Days,
    devices: [DeviceHabit] = [], commute: Commute? = nil, facts: [FactHabit] = [], routines: [Routine] = []
  ) {
    self.platform = platform
    self.zone = zone
    self.days = days
    self.devices = devices
    self.commute = commute
    self.facts = facts
    self.routines = routines
  }
}

/// How the phone is used in a day.
package enum Days: Hashable, Sendable {
  case drawn(DrawnDays)
  /// Whole days of phones that were recorded, each person those of one of them; in the order of their names, at least
  /// one.
  case recorded([RecordedHabits])
}

/// Days that are drawn from distributions.
package struct DrawnDays: Hashable, Sendable {
  package var wake: TimeHabit
  /// One before ``wake`` is after midnight.
  package var sleep: TimeHabit
  package var unlocksPerHour: RateHabit
  /// How long the phone is in use after an unlock: mean, exponential.
  package var unlockLength: TimeSpan
  /// How many of the nights the phone is on its charger, in millionths.
  package var chargedNights: Int64
  /// On how many of the days it is charged for a while, in millionths.
  package var chargedDays: Int64

  package init(
    wake: TimeHabit, sleep: TimeHabit, unlocksPerHour: RateHabit, unlockLength: TimeSpan = .minutes(2),
    chargedNights: Int64 = 0, chargedDays: Int64 = 0
  ) {
    self.wake = wake
    self.sleep = sleep
    self.unlocksPerHour = unlocksPerHour
    self.unlockLength = unlockLength
    self.chargedNights = chargedNights
    self.chargedDays = chargedDays
  }
}

/// A phone that was recorded, and where.
package struct RecordedHabits: Hashable, Sendable {
  package var name: String
  /// File names as they are written.
  package var screen: String
  /// Nil: the phone is never charged.
  package var battery: String?
  /// Which device of tables of several; nil: they have one.
  package var device: String?
  /// In which its days are counted.
  package var zone: String
  package var phone: RecordedPhone
  /// Of the bytes of its tables: the same for the same recording.
  package var digest: UInt64

  package init(
    name: String, screen: String, battery: String?, device: String?, zone: String, phone: RecordedPhone,
    digest: UInt64
  ) {
    self.name = name
    self.screen = screen
    self.battery = battery
    self.device = device
    self.zone = zone
    self.phone = phone
    self.digest = digest
  }
}

/// A device beside the phone, which some of the people have.
package struct DeviceHabit: Hashable, Sendable {
  /// At most so many of the devices are not everybody's: the people with each set of them have a program of their own.
  package static let limit = 3

  /// As the scenario numbers its devices: the position there plus one.
  package var device: UInt8
  package var name: String
  /// Who has it, in millionths.
  package var people: Int64
  /// Nil: it is used as the time line says.
  package var use: Use?

  /// When it is unlocked, and for how long.
  package struct Use: Hashable, Sendable {
    package var unlocksPerHour: RateHabit
    /// Mean, exponential.
    package var unlockLength: TimeSpan
    /// The part of the day in which it is used.
    package var window: DailyWindow

    package init(unlocksPerHour: RateHabit, unlockLength: TimeSpan = .minutes(2), window: DailyWindow) {
      self.unlocksPerHour = unlocksPerHour
      self.unlockLength = unlockLength
      self.window = window
    }
  }

  package init(_ device: UInt8, name: String, people: Int64 = 1_000_000, use: Use? = nil) {
    self.device = device
    self.name = name
    self.people = people
    self.use = use
  }
}

/// The way from one place to another in the morning, and back.
package struct Commute: Hashable, Sendable {
  package var home: RegionID
  package var work: RegionID
  package var leaves: TimeHabit
  package var takes: TimeSpan
  package var returns: TimeHabit
  package var weekdays: WeekdaySet
  /// Of the people, in millionths.
  package var people: Int64
  /// Where somebody is for a quarter of an hour on the way back, with the share of these ways in millionths; in the
  /// order of their names.
  package var stops: [Stop]

  package struct Stop: Hashable, Sendable {
    package var place: RegionID
    package var millionths: Int64

    package init(_ place: RegionID, millionths: Int64) {
      self.place = place
      self.millionths = millionths
    }
  }

  package init(
    home: RegionID, work: RegionID, leaves: TimeHabit, takes: TimeSpan, returns: TimeHabit,
    weekdays: WeekdaySet = .weekdays, people: Int64 = 1_000_000, stops: [Stop] = []
  ) {
    self.home = home
    self.work = work
    self.leaves = leaves
    self.takes = takes
    self.returns = returns
    self.weekdays = weekdays
    self.people = people
    self.stops = stops
  }
}

/// What a fact is at the start.
package struct FactHabit: Hashable, Sendable {
  package enum Value: Hashable, Sendable {
    case shares(Shares<FactValue>)
    case amount(AmountHabit)
  }

  package var fact: FactID
  package var value: Value

  package init(_ fact: FactID, _ value: Value) {
    self.fact = fact
    self.value = value
  }
}

/// What some people do on some days.
package struct Routine: Hashable, Sendable {
  package enum Deed: Hashable, Sendable {
    case actions([TimelineAction])
    /// A number that our app knows takes a value.
    case number(FactID, AmountHabit)
  }

  package var name: String
  package var deed: Deed
  package var at: TimeHabit
  package var weekdays: WeekdaySet
  /// On how many of these days of the week a person does it, always the same ones; nil: on all.
  package var perWeek: Shares<Int>?
  /// On how many of such days it happens, in millionths.
  package var chance: Int64
  /// Who does it at all, in millionths.
  package var people: Int64

  package init(
    name: String, _ deed: Deed, at: TimeHabit, weekdays: WeekdaySet = .all, perWeek: Shares<Int>? = nil,
    chance: Int64 = 1_000_000, people: Int64 = 1_000_000
  ) {
    self.name = name
    self.deed = deed
    self.at = at
    self.weekdays = weekdays
    self.perWeek = perWeek
    self.chance = chance
    self.people = people
  }
}
