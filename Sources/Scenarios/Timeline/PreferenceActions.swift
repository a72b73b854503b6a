import DeviceSimulation
import ScenarioModel
package import TextFormats
package import TriggerModel

extension Format<[PreferenceChange]> {
  /// What the person has chosen before the story begins.
  package static var preferences: Format<[PreferenceChange]> {
    .object("What the person has chosen in our app's settings; what is missing is on, and has no cap") {
      fields in
      let all = fields.optional(
        "notifications", .scalar(.toggle),
        "our app's own master switch, beside the system's permission; on if missing",
        from: { $0.firstOf { if case .all(let isOn) = $0 { isOn } else { nil } } })
      let off = fields.optional(
        "off", .oneOrMore(of: .scalar(.typeID)), "the notification types that are switched off",
        from: { changes in
          let off = changes.compactMap { if case .type(let type, false) = $0 { type } else { nil } }
          return off.isEmpty ? nil : off
        })
      let cap = fields.optional(
        "dailyCap", .scalar(.ownDailyCap),
        "the person's own limit of standard notifications a local day; none if missing",
        from: { $0.firstOf { if case .dailyCap(let cap) = $0 { .some(cap) } else { nil } } })
      var changes = (off ?? []).map { PreferenceChange.type($0, isOn: false) }
      if let all { changes.append(.all(isOn: all)) }
      if let cap { changes.append(.dailyCap(cap)) }
      return changes
    }
    .writing { changes in
      let order = changes.map(\.place)
      let isUsual = zip(order, order.dropFirst()).allSatisfy { $0 < $1 || $0 == 0 && $1 == 0 }
      return isUsual && !order.contains(3) ? nil : "preferences are types that are off, a switch and a cap"
    }
  }
}

extension PreferenceChange {
  /// Where it stands among others in a file: what is off, the switch, the cap; 3: nowhere.
  fileprivate var place: Int {
    switch self {
    case .type(_, let isOn): isOn ? 3 : 0
    case .all: 1
    case .dailyCap: 2
    }
  }
}

extension [PreferenceChange] {
  fileprivate func firstOf<Part>(_ part: (PreferenceChange) -> Part?) -> Part? {
    lazy.compactMap(part).first
  }
}

extension Atom<TypeID> {
  /// A notification type; see ``Scenario/types`` for its number.
  static var typeID: Atom {
    Atom<String>.notificationType.map(
      { name, _, reader in reader.names.types.all.sorted().firstIndex(of: name).map { TypeID($0) } },
      back: { type, writer in writer.known.types[type.index] })
  }
}

extension Atom<UInt32?> {
  /// A number of notifications, or `none`.
  static var ownDailyCap: Atom {
    let count = Atom<Int>.count(0...1_000_000)
    return Atom(
      name: "COUNT", meaning: "a number of notifications, or none for no cap",
      pattern: "none|\(count.pattern)", jsonTypes: ["string", "integer"],
      write: { cap, writer in cap.map { count.write(Int($0), writer) } ?? "none" }
    ) { word, reader in
      word.text == "none" ? .some(nil) : count.parse(word, reader).map { .some(UInt32($0)) }
    }
  }
}

// MARK: - On the time line

extension Grammar<TimelineAction> {
  /// Choices in our app's settings. "All" comes first: it is no name of a type.
  static var settings: [Phrase<TimelineAction>] {
    [
      Phrase("turn off all notifications") { .event(.preference(.all(isOn: false))) },
      Phrase("turn on all notifications") { .event(.preference(.all(isOn: true))) },
      Phrase("turn off", .typeID) { .event(.preference(.type($0, isOn: false))) },
      Phrase("turn on", .typeID) { .event(.preference(.type($0, isOn: true))) },
      Phrase("own daily cap", .ownDailyCap) { .event(.preference(.dailyCap($0))) },
    ]
  }
}

extension Format<TimelineAction> {
  /// The long forms of the same.
  static func settingsActions(_ fields: Fields<TimelineAction>) -> [TimelineAction.Choice] {
    func type(_ key: String, _ isOn: Bool, _ doc: String) -> TimelineAction.Choice {
      fields.event(key, .typeID, doc, { .preference(.type($0, isOn: isOn)) }) {
        if case .preference(.type(let type, isOn)) = $0 { type } else { nil }
      }
    }
    return [
      type("turnOff", false, "a notification type that the person switches off in our app's settings"),
      type("turnOn", true, "a notification type that the person switches on in our app's settings"),
      fields.event(
        "allNotifications", .toggle,
        "our app's own master switch; 'notifications' is the system's permission",
        { .preference(.all(isOn: $0)) }
      ) { if case .preference(.all(let isOn)) = $0 { isOn } else { nil } },
      fields.event(
        "ownDailyCap", .ownDailyCap,
        "the person's own limit of standard notifications a local day, or none",
        { .preference(.dailyCap($0)) }
      ) { if case .preference(.dailyCap(let cap)) = $0 { .some(cap) } else { nil } },
    ]
  }
}
