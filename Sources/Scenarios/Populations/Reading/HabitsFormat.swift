import CivilTime
import DeviceSimulation
import ScenarioModel
import TextFormats
import TriggerModel

extension Format<Habits> {
  /// The distributions of people's habits.
  static var habits: Format {
    .object(
      "What the people do, and what they are at the start: distributions from which each person is drawn"
    ) {
      fields in
      let platform = fields.optional(
        "platform", .platforms, "the share of each platform profile; the file's for everybody if missing",
        from: \.platform)
      let zone = fields.optional(
        "zone", .zoneShares,
        "the share of each time zone in which people live, all times of the file being local ones; the file's for "
          + "everybody if missing",
        from: \.zone)
      let days = Days.read(fields)
      let devices = fields.optional(
        "devices", .deviceHabits,
        "by name: who has a device that is declared under the file's own 'devices', and how it is used; everybody if "
          + "missing",
        from: { $0.devices.isEmpty ? nil : $0.devices })
      let commute = fields.optional(
        "commute", .commute,
        "the way from one place to another, and back; nobody commutes if missing",
        from: \.commute)
      let facts = fields.optional(
        "facts", .factHabits,
        "what facts that the file declares under its own 'facts' are at the start, by their names, where they are not "
          + "the same for everybody; each person keeps what they drew",
        from: { $0.facts.isEmpty ? nil : $0.facts })
      let routines = fields.optional(
        "routines", .sortedTable(of: .routine, name: \.name), "what some people do on some days, by name",
        from: { $0.routines.isEmpty ? nil : $0.routines })
      return days.map {
        Habits(
          platform: platform, zone: zone, days: $0, devices: devices ?? [], commute: commute,
          facts: facts ?? [], routines: routines ?? [])
      }
    }
  }
}

extension Format<Shares<String>> {
  fileprivate static var platforms: Format {
    let names = PlatformProfile.all.map(\.name)
    return .shares(
      .choice("PROFILE", "a platform profile", names.map { ($0, $0) }), value: { word, _ in word.text },
      word: { name, _ in name })
  }

  fileprivate static var zoneShares: Format {
    .shares(.zoneName, value: { word, _ in word.text }, word: { name, _ in name })
  }
}

extension Atom<String> {
  /// The name of a time zone.
  static var zoneName: Atom {
    let zone = Atom<ZoneID>.zone
    return Atom(
      name: zone.name, meaning: zone.meaning, pattern: zone.pattern, write: { name, _ in .string(name) }
    ) { word, reader in zone.parse(word, reader).map { _ in word.text } }
  }
}

extension Format<Commute> {
  fileprivate static var commute: Format {
    .object("The way from one place to another, and back") { fields in
      let home = fields.required("from", .scalar(.region), "where it begins", from: \.home)
      let work = fields.required("to", .scalar(.region), "where it leads", from: \.work)
      let leaves = fields.required("leaves", .timeHabit, "when people leave", from: \.leaves)
      let takes = fields.required("takes", .scalar(.duration), "how long it takes", from: \.takes)
      let returns = fields.required("returns", .timeHabit, "when people set out for home", from: \.returns)
      let weekdays = fields.optional(
        "weekdays", .scalar(.days), "on which days; on weekdays if missing", from: \.weekdays)
      let people = fields.optional(
        "people", .scalar(.share), "who commutes at all; everybody if missing", from: \.people)
      let stops = fields.optional(
        "stops", .stops,
        "places where people stop for a quarter of an hour on the way back, each with its share of these days",
        from: { $0.stops.isEmpty ? nil : $0.stops })
      guard let home, let work, let leaves, let takes, let returns else { return nil }
      if home == work {
        fields.error("it leads nowhere: 'from' and 'to' are the same place", at: "to")
        return nil
      }
      if takes > .hours(4) {
        fields.error("a commute cannot take more than 4 h", at: "takes")
        return nil
      }
      if let stops, stops.contains(where: { $0.place == home || $0.place == work }) {
        fields.error("'from' and 'to' cannot be stops", at: "stops")
        return nil
      }
      return Commute(
        home: home, work: work, leaves: leaves, takes: takes, returns: returns,
        weekdays: weekdays ?? .weekdays, people: people ?? 1_000_000, stops: stops ?? [])
    }
  }
}

extension Format<[Commute.Stop]> {
  fileprivate static var stops: Format {
    Format<[TableRow<Int64>]>.table(of: .scalar(.share)).map(
      { rows, _, reader in
        var stops: [(name: String, stop: Commute.Stop)] = []
        for row in rows {
          guard let share = row.value,
            let place = Atom<RegionID>.region.parse(Word(row.name, at: row.position), reader)
          else { return nil }
          stops.append((row.name, .init(place, millionths: share)))
        }
        return stops.sorted { $0.name < $1.name }.map(\.stop)
      },
      back: { stops, writer in
        stops.map {
          TableRow(
            name: writer.known.scenario.places[$0.place.index].name, position: .start, value: $0.millionths)
        }
      })
  }
}

extension Days {
  /// Reads either the distributions from which days are drawn, or the recordings that provide them.
  static func read(_ fields: Fields<Habits>) -> Days? {
    let recorded = fields.optional(
      "recorded", .sortedTable(of: .recordedPhone, minimum: 1, name: \.name),
      "phones whose recorded days people live, by name, in place of 'wake', 'sleep', 'unlocksPerHour' and 'charging': "
        + "each person has the days of one of them, a Monday for a Monday",
      from: { if case .recorded(let phones) = $0.days { phones } else { nil } })
    let wake = needed("wake", .timeHabit, "when people wake up", fields) { $0.wake }
    let sleep = needed(
      "sleep", .timeHabit, "when people go to sleep; a time before 'wake' is after midnight", fields
    ) { $0.sleep }
    let unlocks = needed(
      "unlocksPerHour", .rateHabit, "how often people unlock their phones while they are awake", fields
    ) { $0.unlocksPerHour }
    let length = fields.optional(
      "unlockLength", .scalar(.duration), "how long the phone is in use then, on average; 2 min if missing",
      from: { $0.days.drawn?.unlockLength })
    let charging = fields.optional(
      "charging", .charging, "how often the phone is charged; never if missing",
      from: { $0.days.drawn.map { ChargingHabit(nights: $0.chargedNights, days: $0.chargedDays) } })
    if fields.isPresent("recorded") {
      for key in ["wake", "sleep", "unlocksPerHour", "unlockLength", "charging"] where fields.isPresent(key) {
        fields.error(
          "recorded days determine this", at: key, hint: "leave out '\(key)', or 'recorded'")
      }
      return recorded.map { .recorded($0) }
    }
    guard let wake, let sleep, let unlocks else { return nil }
    return .drawn(
      DrawnDays(
        wake: wake, sleep: sleep, unlocksPerHour: unlocks, unlockLength: length ?? .minutes(2),
        chargedNights: charging?.nights ?? 0, chargedDays: charging?.days ?? 0))
  }

  /// Reads a key that drawn days require and recorded days must not have. The schema therefore declares it as
  /// optional.
  private static func needed<Habit>(
    _ key: String, _ format: Format<Habit>, _ doc: String, _ fields: Fields<Habits>,
    from habit: @escaping (DrawnDays) -> Habit
  ) -> Habit? {
    let from: (Habits) -> Habit? = { $0.days.drawn.map(habit) }
    if fields.reader == nil || fields.isPresent("recorded") {
      return fields.optional(key, format, doc + "; needed where days are not 'recorded'", from: from)
    }
    return fields.required(key, format, doc, from: from)
  }

  /// The distributions of drawn days, or `nil` if days are recorded.
  var drawn: DrawnDays? { if case .drawn(let days) = self { days } else { nil } }
}

/// How often the phone is charged, in millionths of all nights and of all days.
struct ChargingHabit {
  var nights: Int64
  var days: Int64
}

extension Format<ChargingHabit> {
  fileprivate static var charging: Format {
    .object("How often the phone is charged") { fields in
      let nights = fields.optional(
        "overnight", .scalar(.share), "the share of nights; none if missing", from: \.nights)
      let days = fields.optional(
        "daytime", .scalar(.share), "the share of days with 45 minutes on the charger; none if missing",
        from: \.days)
      return ChargingHabit(nights: nights ?? 0, days: days ?? 0)
    }
  }
}

extension Format<[DeviceHabit]> {
  /// The habits on devices other than the phone, keyed by device name.
  static var deviceHabits: Format {
    Format<[TableRow<DeviceHabit>]>.table(of: .deviceHabit).map(
      { rows, node, reader in
        var habits: [DeviceHabit] = []
        for row in rows {
          guard var habit = row.value,
            let device = Atom<UInt8>.device.parse(Word(row.name, at: row.position), reader)
          else { return nil }
          if device == 0 {
            reader.error(
              "everybody has the phone", at: row.position,
              hint: "describe its use directly under 'habits'")
            return nil
          }
          (habit.device, habit.name) = (device, row.name)
          habits.append(habit)
        }
        if habits.count(where: { $0.people < 1_000_000 }) > DeviceHabit.limit {
          reader.error(
            "more than \(DeviceHabit.limit) devices that only some people have", at: node.position,
            hint: "leave out 'people' where nearly everybody has it")
        }
        // Sort by name, so that the order of lines does not affect draws.
        return habits.sorted { $0.name < $1.name }
      },
      back: { habits, _ in habits.map { TableRow(name: $0.name, position: .start, value: $0) } })
  }
}

extension Format<DeviceHabit> {
  /// The habits on one device. The device's name is the key of the table.
  fileprivate static var deviceHabit: Format {
    .object("Who has a further device, and how it is used") { fields in
      let people = fields.optional(
        "people", .scalar(.share), "who has it; everybody if missing",
        from: { $0.people == 1_000_000 ? nil : $0.people })
      let rate = fields.optional(
        "unlocksPerHour", .rateHabit,
        "how often it is unlocked in the part of the day 'between'; if missing, it is used as the time line says",
        from: { $0.use?.unlocksPerHour })
      let length = fields.optional(
        "unlockLength", .scalar(.duration), "how long it is in use then, on average; 2 min if missing",
        from: { $0.use?.unlockLength })
      let window = fields.optional(
        "between", .window, "with 'unlocksPerHour': the part of the day in which it is used",
        from: { $0.use?.window })
      if rate == nil, !fields.isPresent("unlocksPerHour") {
        for key in ["unlockLength", "between"] where fields.isPresent(key) {
          fields.error("'\(key)' needs 'unlocksPerHour'", at: key)
        }
      }
      if rate != nil, window == nil, !fields.isPresent("between") {
        fields.error(
          "'unlocksPerHour' needs 'between'", at: "unlocksPerHour", hint: "such as 'between: 18:00-23:00'")
      }
      if let window, window.isEmpty { fields.error("this part of the day is empty", at: "between") }
      var use: DeviceHabit.Use?
      if let rate, let window {
        use = DeviceHabit.Use(unlocksPerHour: rate, unlockLength: length ?? .minutes(2), window: window)
      }
      return DeviceHabit(device: 0, name: "", people: people ?? 1_000_000, use: use)
    }
  }
}
