import DeviceSimulation
import ReminderMatching
import ScenarioModel
import TextFormats
import TriggerModel

/// Reads the sections that declare names, and makes the names known to those that use them.
///
/// A name is known even when its declaration is wrong, so that one mistake is reported once.
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
    let rows =
      fields.optional(
        "places", .table(of: .circle), "circular regions",
        from: { scenario in
          scenario.places.rows {
            TableRow(
              name: $0.name, position: $0.position, value: Circle(center: $0.center, radius: $0.radius))
          }
        }) ?? []
    let places = rows.map { row in
      row.value.map { Place(name: row.name, center: $0.center, radius: $0.radius, position: row.position) }
    }
    for row in rows { fields.reader?.names.places.append(row.name) }
    fields.reader?.names.placeDeclarations = places
    return places.compactMap { $0 }
  }

  static func reminders(_ fields: Fields<Scenario>) -> [DeclaredReminder] {
    let table = Format<[TableRow<ReminderBody>]>.declaredReminders
    let doc = "the reminders, by name; or a list of sentences"
    func written(_ scenario: Scenario) -> [TableRow<ReminderBody>]? {
      scenario.reminders.map {
        TableRow(name: $0.declaration.id, position: $0.position, value: ReminderBody($0.declaration))
      }
    }
    // A pack may leave them to another one, or to the scenario.
    let rows =
      fields.reader?.isPackAlone == true
      ? fields.optional("reminders", table, doc, from: written)
      : fields.required("reminders", table, doc, from: written)
    for row in rows ?? [] {
      if fields.reader?.names.reminders.append(row.name) == false {
        fields.reader?.error(
          "the reminder '\(row.name)' is declared twice", at: row.position,
          hint: "give one of them another name, such as '\(row.name)-2: …'")
      }
      if row.value == nil, let index = fields.reader?.names.reminders.position(of: row.name) {
        fields.reader?.names.unreadReminders.insert(ReminderID(index))
      }
      if row.value?.isMadeLater == true, let index = fields.reader?.names.reminders.position(of: row.name) {
        fields.reader?.names.remindersMadeLater.insert(ReminderID(index))
      }
      let usualType = ReminderName.template(of: row.name)
      add(type: row.value?.notification.type ?? usualType, at: row.position, fields.reader)
      fields.reader?.names.typesOfReminders.append(row.value?.notification.type ?? usualType)
      fields.reader?.names.bucketsOfReminders.append(row.value?.notification.bucket ?? .standard)
      fields.reader?.names.factsOfReminders.append(row.value?.countsFrom)
      let actions = row.value?.notification.actions ?? []
      fields.reader?.names.actionsOfReminders.append(actions)
      fields.reader?.names.attachments.append(row.value?.notification.attachment)
      if actions.contains(.done), let reader = fields.reader {
        _ = Assignment.fact(completing: row.name, at: row.position, reader)
      }
    }
    return (rows ?? []).compactMap { row in
      row.value.map { DeclaredReminder(declaration: $0.declaration(id: row.name), position: row.position) }
    }
  }

  /// Stored counters and analytics would take types for one another that differ in letters' case or in
  /// underscores alone.
  private static func add(type: String, at position: SourcePosition, _ reader: Reader?) {
    guard let reader else { return }
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
    let format = Format<[TableRow<[TableRow<ReminderBody>]>]>.table(
      of: .table(of: .reminder, minimum: 1), names: .reminder)
    let rows = fields.optional(
      "edits", format, "by reminder and name: declarations that 'edit REMINDER to NAME' puts in its place",
      from: editsByReminder)
    var edits: [ReminderEdit] = []
    for row in rows ?? [] {
      guard let index = fields.reader?.names.reminders.position(of: row.name) else { continue }
      for edit in row.value ?? [] {
        // A wrong declaration keeps its name known; the file is refused anyway.
        let body =
          edit.value
          ?? ReminderBody(
            triggers: [], conditions: [], repeats: .once, expires: .distantFuture,
            notification: NotificationBody())
        if let reader = fields.reader, let value = edit.value,
          value.notification.attachment != reader.names.attachments[index]
        {
          reader.error(
            "an edit keeps the attachment of its reminder: the system looks at it by reminder",
            at: edit.position,
            hint: "write the same 'attachment' in both, or in neither")
        }
        add(
          type: body.notification.type ?? ReminderName.template(of: row.name), at: edit.position,
          fields.reader)
        edits.append(
          ReminderEdit(
            name: edit.name, reminder: ReminderID(index), declaration: body.declaration(id: row.name),
            position: edit.position))
      }
    }
    fields.reader?.names.edits = edits
    return edits
  }

  private static func editsByReminder(_ scenario: Scenario) -> [TableRow<[TableRow<ReminderBody>]>]? {
    var rows: [TableRow<[TableRow<ReminderBody>]>] = []
    for edit in scenario.edits {
      let row = TableRow(name: edit.name, position: edit.position, value: ReminderBody(edit.declaration))
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

extension Format<[TableRow<ReminderBody>]> {
  /// By name, with templates; or a list of sentences, each with a name or one that is made of its title.
  fileprivate static var declaredReminders: Format {
    let table = Format.tableWithTemplates(of: .reminder, names: .newReminderName)
    return Format(
      schema: { book in
        let reminder = Format<ReminderBody>.reminder.schema(book)
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
        // Of what is wrong with a sentence its name may be a part.
        if case .sequence = node.content { reader.lose("reminders", since: mark.diagnostics) }
        return rows
      }, write: table.write)
  }
}

extension Array {
  /// The rows of a table; nil when there are none, and the table is left out.
  func rows<Item>(_ row: (Element) -> TableRow<Item>) -> [TableRow<Item>]? {
    isEmpty ? nil : map(row)
  }
}
