import TextFormats
import TriggerModel

extension Days {
  /// Either how days are drawn, or recordings of them.
  static func read(_ fields: Fields<Habits>) -> Days? {
    let recorded = fields.optional(
      "recorded", .recordedPhones,
      "phones whose recorded days people live, by name, in place of 'wake', 'sleep', 'unlocksPerHour' and 'charging': "
        + "each person has the days of one of them, a Monday for a Monday",
      from: { if case .recorded(let phones) = $0.days { phones } else { nil } })
    let wake = needed("wake", .timeHabit, "when people wake up", fields) { $0.wake }
    let sleep = needed(
      "sleep", .timeHabit, "when people go to sleep; what is before 'wake' is after midnight", fields
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
          "recorded days say this themselves", at: key, hint: "leave out '\(key)', or 'recorded'")
      }
      return recorded.map { .recorded($0) }
    }
    guard let wake, let sleep, let unlocks else { return nil }
    return .drawn(
      DrawnDays(
        wake: wake, sleep: sleep, unlocksPerHour: unlocks, unlockLength: length ?? .minutes(2),
        chargedNights: charging?.nights ?? 0, chargedDays: charging?.days ?? 0))
  }

  /// A key without which there must be recordings; the schema leaves it open.
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

  /// Nil: they were recorded.
  var drawn: DrawnDays? { if case .drawn(let days) = self { days } else { nil } }
}

/// How often the phone is charged, in millionths of the nights and of the days.
struct ChargingHabit {
  var nights: Int64
  var days: Int64
}

extension Format<ChargingHabit> {
  fileprivate static var charging: Format {
    .object("How often the phone is charged") { fields in
      let nights = fields.optional(
        "overnight", .scalar(.share), "in so many of the nights; none if missing", from: \.nights)
      let days = fields.optional(
        "daytime", .scalar(.share), "for 45 minutes of so many of the days; none if missing", from: \.days)
      return ChargingHabit(nights: nights ?? 0, days: days ?? 0)
    }
  }
}
