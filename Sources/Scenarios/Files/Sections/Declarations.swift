import DeviceSimulation
import ReminderMatching
import ScenarioModel
import TextFormats
import TriggerModel

/// Reads the sections that declare names, and registers the names for the formats that use them.
///
/// A declaration with an error still registers its name, so that uses of the name cause no further errors.
enum Declarations {
  static func facts(_ fields: Fields<Scenario>) -> [FactDeclaration] {
    let rows =
      fields.optional(
        "facts", .table(of: .fact, names: .newFactName), "typed values that the app knows",
        from: { scenario in
          Array(scenario.facts.prefix(scenario.plans?.declaredFacts ?? .max)).rows { fact in
            let source = fact.access.source.map { scenario.factSources[$0.index] }
            return TableRow(name: fact.name, position: fact.position, value: FactBody(fact, source: source))
          }
        }) ?? []
    for source in rows.compactMap(\.value?.source) { fields.reader?.names.factSources.append(source) }
    let facts = rows.map { row in
      row.value.map { $0.declaration(named: row.name, at: row.position, fields.reader) }
    }
    for row in rows { fields.reader?.names.facts.append(row.name) }
    fields.reader?.names.factDeclarations = facts
    return facts.compactMap { $0 } + ItemDeclarations.read(fields)
  }

  static func apps(_ fields: Fields<Scenario>) -> [String] {
    let apps =
      fields.optional(
        "apps", .names, "other apps on the phone", from: { $0.apps.unlessEmpty }) ?? []
    for app in apps { fields.reader?.names.apps.append(app) }
    return apps
  }

  static func places(_ fields: Fields<Scenario>) -> [Place] {
    let rows = fields.table("places", of: .place, "circular regions", from: \.places)
    let places = rows.map(\.declaration)
    for row in rows { fields.reader?.names.places.append(row.name) }
    fields.reader?.names.placeDeclarations = places
    return places.compactMap { $0 }
  }

  static func reminders(_ fields: Fields<Scenario>) -> [DeclaredReminder] {
    let table = Format<[TableRow<ReminderDeclaration>]>.declaredReminders
    let doc = "the reminders, by name; or a list of sentences"
    func written(_ scenario: Scenario) -> [TableRow<ReminderDeclaration>]? {
      scenario.reminders.map {
        TableRow(name: $0.declaration.id, position: $0.position, value: $0.declaration)
      }
    }
    // A pack may contain no reminders, because other packs or the scenario may declare them.
    let rows =
      fields.reader?.scenario.isStandalonePack == true
      ? fields.optional("reminders", table, doc, from: written)
      : fields.required("reminders", table, doc, from: written)
    let declarations = (rows ?? []).map { row in
      row.value.map { DeclaredReminder(declaration: $0.named(row.name), position: row.position) }
    }
    if let reader = fields.reader {
      for (row, declared) in zip(rows ?? [], declarations) {
        register(row.name, declared?.declaration, at: row.position, reader)
      }
    }
    return declarations.compactMap { $0 }
  }

  private static func register(
    _ name: String, _ reminder: ReminderDeclaration?, at position: SourcePosition, _ reader: Reader
  ) {
    if reader.names.reminders.append(name) {
      reader.names.reminderDeclarations.append(reminder)
    } else {
      reader.error(
        "the reminder '\(name)' is declared twice", at: position,
        hint: "give one of them another name, such as '\(name)-2: …'")
    }
    if reminder?.isCreatedLater == true, let index = reader.names.reminders.position(of: name) {
      reader.names.remindersCreatedLater.insert(ReminderID(index))
    }
    add(type: reminder?.notification.type ?? ReminderName.template(of: name), at: position, reader)
    if let reminder, reminder.notification.actions.contains(.done), !reminder.recurs {
      _ = Assignment.fact(completing: name, at: position, reader)
    }
  }

  /// Reports types that differ only in case or underscores. Stored counters and analytics cannot distinguish
  /// them.
  private static func add(type: String, at position: SourcePosition, _ reader: Reader) {
    let stored = SnakeCase.of(type)
    let other = reader.names.typesInSnakeCase.updateValue(type, forKey: stored)
    if let other, other != type {
      reader.error(
        "the types '\(other)' and '\(type)' are both '\(stored)' in stored counters and analytics",
        at: position, hint: "rename one of them")
    }
    reader.names.types.append(type)
  }

  static func edits(_ fields: Fields<Scenario>) -> [ReminderEdit] {
    let rows = fields.optional(
      "edits", .table(of: .table(of: .reminder, minimum: 1), names: .reminder),
      "by reminder and name: declarations that 'edit REMINDER to NAME' puts in its place",
      from: editsByReminder)
    guard let reader = fields.reader else { return [] }
    var edits: [ReminderEdit] = []
    for row in rows ?? [] {
      guard let index = reader.names.reminders.position(of: row.name) else { continue }
      for edit in row.value ?? [] {
        // Register the name even if the declaration is invalid. The file is rejected in any case.
        let declaration =
          (edit.value ?? ReminderDeclaration(id: "", triggers: [], notification: .init(type: "")))
          .named(row.name)
        if edit.value != nil,
          declaration.notification.attachment
            != reader.names.reminderDeclarations[index]?.notification.attachment
        {
          reader.error(
            "an edit must keep the attachment of its reminder",
            at: edit.position,
            hint: "write the same 'attachment' in both, or in neither")
        }
        add(type: declaration.notification.type, at: edit.position, reader)
        edits.append(
          ReminderEdit(
            name: edit.name, reminder: ReminderID(index), declaration: declaration, position: edit.position))
      }
    }
    reader.names.edits = edits
    return edits
  }

  private static func editsByReminder(_ scenario: Scenario) -> [TableRow<[TableRow<ReminderDeclaration>]>]? {
    var rows: [TableRow<[TableRow<ReminderDeclaration>]>] = []
    for edit in scenario.edits {
      let row = TableRow(name: edit.name, position: edit.position, value: edit.declaration)
      let reminder = scenario.reminders[edit.reminder.index].declaration.id
      if let place = rows.firstIndex(where: { $0.name == reminder }) {
        rows[place].value?.append(row)
      } else {
        rows.append(TableRow(name: reminder, position: edit.position, value: [row]))
      }
    }
    return rows.unlessEmpty
  }
}

extension Format<[TableRow<ReminderDeclaration>]> {
  /// The reminders: a mapping from names, which may contain templates, or a list of sentences. The name of a
  /// sentence without one is derived from its title.
  fileprivate static var declaredReminders: Format {
    let table = Format.tableWithTemplates(of: .reminder, names: .newReminderName)
    return Format(
      schema: { book in
        let reminder = Format<ReminderDeclaration>.reminder.schema(book)
        let named: JSONValue = [
          "type": "object", "minProperties": 1, "maxProperties": 1, "additionalProperties": reminder,
        ]
        return [
          "anyOf": [
            table.schema(book),
            ["type": "array", "items": ["anyOf": [ReminderSentences.schema, named]], "minItems": 1],
          ]
        ]
      },
      read: { node, reader in
        let mark = reader.mark
        guard let named = ReminderSentences.named(node, reader) else { return nil }
        let rows = table.read(ReminderSentences.unfolded(named, reader), reader)
        // A sentence with an error may leave names undeclared.
        if case .sequence = node.content { reader.lose("reminders", since: mark.diagnostics) }
        return rows
      }, write: table.write)
  }
}

extension Array {
  /// Returns the rows of a table, or `nil` if there are none, so that the table is omitted.
  func rows<Item>(_ row: (Element) -> TableRow<Item>) -> [TableRow<Item>]? {
    isEmpty ? nil : map(row)
  }
}

/// A declaration with a name and a position. The table provides both, because the format of the declaration
/// does not contain them.
protocol NamedDeclaration {
  var name: String { get set }
  var position: SourcePosition { get set }
}

extension Place: NamedDeclaration {}
extension DeviceDeclaration: NamedDeclaration {}
extension Milestone: NamedDeclaration {}
extension Surface: NamedDeclaration {}

extension TableRow where Item: NamedDeclaration {
  /// The declaration with the name and the position of the row, or `nil` if an error in the row was reported.
  var declaration: Item? {
    var item = value
    item?.name = name
    item?.position = position
    return item
  }
}

extension Fields {
  /// Reads a table of declarations.
  func table<Item: NamedDeclaration>(
    _ key: String, of format: @autoclosure () -> Format<Item>, minimum: Int = 0, _ doc: String,
    from items: (Whole) -> [Item]
  ) -> [TableRow<Item>] {
    optional(
      key, .table(of: format(), minimum: minimum), doc,
      from: { items($0).rows { TableRow(name: $0.name, position: $0.position, value: $0) } }) ?? []
  }
}
