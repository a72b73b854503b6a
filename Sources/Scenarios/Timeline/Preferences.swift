import ScenarioModel
package import TextFormats
package import TriggerModel

extension Format<[PreferenceChange]> {
  /// The person's choices in the app's settings before the start.
  package static var preferences: Format<[PreferenceChange]> {
    .object("What the person has chosen in the app's settings; missing types are on, and there is no cap") {
      fields in
      let all = fields.optional(
        "notifications", .scalar(.toggle),
        "the app's own master switch, in addition to the system's permission; on if missing",
        from: { $0.firstOf { if case .all(let isOn) = $0 { isOn } else { nil } } })
      let off = fields.optional(
        "off", .oneOrMore(of: .scalar(.typeID)), "the notification types that are switched off",
        from: { changes in
          let off = changes.compactMap { if case .type(let type, false) = $0 { type } else { nil } }
          return off.isEmpty ? nil : off
        })
      let cap = fields.optional(
        "dailyCap", .scalar(.ownDailyCap),
        "the person's own maximum of standard notifications per local day; none if missing",
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
  /// The position of the change in a file. Disabled types come first, followed by the switch for all types,
  /// and then the cap. A change that no file can express has the position 3.
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
  /// The index of a notification type in ``Scenario/types``.
  static var typeID: Atom {
    Atom<String>.notificationType.map(
      { name, _, reader in reader.names.types.all.sorted().firstIndex(of: name).map { TypeID($0) } },
      back: { type, writer in writer.known.types[type.index] })
  }
}

extension Atom<UInt32?> {
  /// A number of notifications, or `none`, which means no cap.
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
