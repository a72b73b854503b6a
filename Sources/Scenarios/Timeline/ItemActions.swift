import DeviceSimulation
import ScenarioModel
import TextFormats
import TriggerModel

/// Actions on items. Each is expanded to several actions on the item's facts and reminders.
extension Atom<[TimelineAction]> {
  /// The added item, such as `plant ivy` or `plant ivy {room: kitchen, watered: now}`, which follows `add`.
  static var addition: Atom {
    let name = Atom<String>.namePattern
    return Atom(
      name: "KIND NAME {ATTRIBUTE: VALUE, …}", meaning: "a kind of items, a name, and its attributes",
      pattern: #"(?:\#(name)) +(?:\#(name))(?: *\{.*\})?"#, write: onlyInSentences
    ) { word, reader in
      guard let addition = ItemAddition(word) else {
        reader.error(
          "'\(word.text)' is not an item that can be added", at: word.position,
          hint: "such as 'add plant ivy {room: kitchen}'")
        return nil
      }
      guard let (kind, item) = item(addition.kind, addition.name, reader) else { return nil }
      // If the entry has values in braces, they replace all values from the section `items`.
      var values = addition.values.isEmpty ? item.values : [:]
      for (attribute, value) in addition.values {
        guard let known = kind.attribute(attribute.text) else {
          kind.reportUnknown(attribute: attribute, reader)
          return nil
        }
        if known.fact == nil, let first = item.values[attribute.text], first.text != value.text {
          reader.error(
            "'\(item.name)' has the \(attribute.text) '\(first.text)' in this story already",
            at: value.position,
            hint: "texts are fixed for each name: add this item under another name")
          return nil
        }
        values[attribute.text] = value
      }
      return sets(kind, item, values, reader).map { $0 + reminders(of: item, reader) { .event(.create($0)) } }
    }
  }

  /// The removed item, such as `plant basil`, which follows `remove`.
  static var removal: Atom {
    let name = Atom<String>.namePattern
    return Atom(
      name: "KIND NAME", meaning: "a kind of items and a name",
      pattern: #"(?:\#(name)) +(?:\#(name))"#, write: onlyInSentences
    ) { word, reader in
      guard let names = ItemAddition(word), names.values.isEmpty else {
        reader.error(
          "'\(word.text)' is not an item", at: word.position, hint: "such as 'remove plant basil'")
        return nil
      }
      guard let (kind, item) = item(names.kind, names.name, reader) else { return nil }
      let forgets = kind.attributes.filter { $0.fact != nil }.compactMap {
        reader.names.facts.position(of: item.fact($0.name)).map {
          TimelineAction.event(.fact(FactID($0), .missing))
        }
      }
      return reminders(of: item, reader) { .delete($0) } + forgets
    }
  }

  private static func item(_ kind: Word, _ name: Word, _ reader: Reader) -> (ItemKind, Item)? {
    let kinds = reader.names.itemKinds
    guard let known = kinds.first(where: { $0.name == kind.text }) else {
      reader.error(
        "unknown kind of items '\(kind.text)'", at: kind.position,
        hint: NearestNames.hint(for: kind.text, among: kinds.map(\.name)) ?? "declare it under 'items'")
      return nil
    }
    guard let item = known.items.first(where: { $0.name == name.text }) else {
      reader.error(
        "there is no \(known.name) '\(name.text)'", at: name.position,
        hint: NearestNames.hint(for: name.text, among: known.items.map(\.name)))
      return nil
    }
    return (known, item)
  }

  /// Returns the actions that set an item's facts to the given values. A fact without a given value is set to
  /// its initial value.
  private static func sets(_ kind: ItemKind, _ item: Item, _ values: [String: Word], _ reader: Reader)
    -> [TimelineAction]?
  {
    var actions: [TimelineAction] = []
    for attribute in kind.attributes {
      guard let fact = attribute.fact, let id = reader.names.facts.position(of: item.fact(attribute.name))
      else {
        continue
      }
      if let word = values[attribute.name] {
        guard let action = Assignment.action(item.fact(attribute.name), word, reader) else { return nil }
        actions.append(action)
      } else if !fact.initial.isMissing {
        actions.append(.event(.fact(FactID(id), fact.initial)))
      }
    }
    return actions
  }

  private static func reminders(of item: Item, _ reader: Reader, _ action: (ReminderID) -> TimelineAction)
    -> [TimelineAction]
  {
    item.reminders.compactMap { reader.names.reminders.position(of: $0).map { action(ReminderID($0)) } }
  }
}
