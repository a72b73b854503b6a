import CivilTime
import DeviceSimulation
import ScenarioModel
import TextFormats
import TriggerModel

extension Format<Habits> {
  /// What people do, as distributions.
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
        "the way from one place to another, and back, by decree; nobody goes it if missing",
        from: \.commute)
      let facts = fields.optional(
        "facts", .factHabits,
        "what facts that the file declares under its own 'facts' are at the start, by their names, where they are not "
          + "the same for everybody; each person keeps what they drew",
        from: { $0.facts.isEmpty ? nil : $0.facts })
      let routines = fields.optional(
        "routines", .routines, "what some people do on some days, by name",
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
}

extension Format<Shares<String>> {
  fileprivate static var zoneShares: Format {
    .shares(.zoneName, value: { word, _ in word.text }, word: { name, _ in name })
  }
}

extension Atom<String> {
  /// A time zone by its name.
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
        "people", .scalar(.share), "who goes it at all; everybody if missing", from: \.people)
      let stops = fields.optional(
        "stops", .stops,
        "where people are for a quarter of an hour on the way back, on so many of these days",
        from: { $0.stops.isEmpty ? nil : $0.stops })
      guard let home, let work, let leaves, let takes, let returns else { return nil }
      if home == work {
        fields.error("it leads nowhere: 'from' and 'to' are the same place", at: "to")
        return nil
      }
      if takes > .hours(4) {
        fields.error("a way of more than 4 h is none to go every day", at: "takes")
        return nil
      }
      if let stops, stops.contains(where: { $0.place == home || $0.place == work }) {
        fields.error("the ends of the way are no stops on it", at: "stops")
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
