import CivilTime
import ScenarioModel
import TextFormats
import TriggerModel

extension Format<[DeviceHabit]> {
  /// By the name of the device.
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
              hint: "how it is used is said under 'habits' itself")
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
        // The order of lines must not be luck's.
        return habits.sorted { $0.name < $1.name }
      },
      back: { habits, _ in habits.map { TableRow(name: $0.name, position: .start, value: $0) } })
  }
}

extension Format<DeviceHabit> {
  /// A device without its name.
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
      return DeviceHabit(0, name: "", people: people ?? 1_000_000, use: use)
    }
  }
}
