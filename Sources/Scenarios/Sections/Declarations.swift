import ReminderEngine
import TriggerModel

/// Reads the sections that declare names, and makes the names known to those that use them.
///
/// A name is known even when its declaration is wrong, so that one mistake is reported once.
enum Declarations {
  static func facts(_ fields: Fields) -> [FactDeclaration] {
    let rows = fields.optional("facts", .table(of: .fact), "typed values that the app knows") ?? []
    let facts = rows.map { row in
      row.value.map {
        FactDeclaration(
          name: row.name, kind: $0.kind, names: $0.names, initial: $0.initial, position: row.position)
      }
    }
    for row in rows { fields.reader?.names.facts.append(row.name) }
    fields.reader?.names.factDeclarations = facts
    return facts.compactMap { $0 }
  }

  static func apps(_ fields: Fields) -> [String] {
    let apps = fields.optional("apps", .names, "other apps on the phone") ?? []
    for app in apps { fields.reader?.names.apps.append(app) }
    return apps
  }

  static func places(_ fields: Fields) -> [Place] {
    let rows =
      fields.optional("places", .table(of: .circle), "circular regions, at most \(Place.limit)") ?? []
    if rows.count > Place.limit {
      fields.reader?.error(
        "more than \(Place.limit) places", at: rows[Place.limit].position,
        hint: "no platform watches more regions than that for one app")
    }
    let places = rows.map { row in
      row.value.map { Place(name: row.name, center: $0.center, radius: $0.radius, position: row.position) }
    }
    for row in rows { fields.reader?.names.places.append(row.name) }
    fields.reader?.names.placeDeclarations = places
    return places.compactMap { $0 }
  }

  static func reminders(_ fields: Fields) -> [DeclaredReminder] {
    let rows = fields.required("reminders", .table(of: .reminder, minimum: 1), "the reminders, by name") ?? []
    for row in rows {
      fields.reader?.names.reminders.append(row.name)
      fields.reader?.names.types.append(row.value?.notification.type ?? row.name)
      fields.reader?.names.typesOfReminders.append(row.value?.notification.type ?? row.name)
    }
    return rows.compactMap { row in
      row.value.map { DeclaredReminder(declaration: $0.declaration(id: row.name), position: row.position) }
    }
  }

  static func edits(_ fields: Fields) -> [ReminderEdit] {
    let format = Format<[TableRow<[TableRow<ReminderBody>]>]>.table(
      of: .table(of: .reminder, minimum: 1), names: .reminder)
    let rows = fields.optional(
      "edits", format, "by reminder and name: declarations that 'edit REMINDER to NAME' puts in its place")
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
        fields.reader?.names.types.append(body.notification.type ?? row.name)
        edits.append(
          ReminderEdit(
            name: edit.name, reminder: ReminderID(index), declaration: body.declaration(id: row.name),
            position: edit.position))
      }
    }
    fields.reader?.names.edits = edits
    return edits
  }
}
