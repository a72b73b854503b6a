import ReminderMatching
package import ScenarioModel
package import Scenarios
package import TextFormats
package import TriggerModel

/// The reminders of a scenario as sentences, to read and as a document.
package struct SentencesText {
  /// A declaration, by where it is, which is made a sentence where that is asked for.
  enum Row {
    case reminder(Int)
    /// It is put in the place of a reminder later.
    case edit(Int)
    /// There is a reminder for each item of its kind.
    case template(Int)
  }

  private let scenario: Scenario
  private let templates: [ReminderTemplate]
  private let words: SentenceWriter
  let rows: [Row]

  /// - Parameter templates: They stand in the place of the reminders that they make.
  package init(_ scenario: Scenario, _ templates: [ReminderTemplate] = []) {
    let scenario = scenario.asAuthored
    self.scenario = scenario
    self.templates = templates
    words = SentenceWriter(scenario)
    let edits = Dictionary(grouping: scenario.edits.indices) { scenario.edits[$0].reminder }
    var untold = Array(templates.indices)
    var rows: [Row] = []
    for index in scenario.reminders.indices {
      let name = scenario.reminders[index].declaration.id
      if let maker = templates.firstIndex(where: { name.hasPrefix($0.name + " ") }) {
        if untold.contains(maker) { rows.append(.template(maker)) }
        untold.removeAll { templates[$0].name == templates[maker].name }
      } else {
        rows.append(.reminder(index))
      }
      rows += (edits[ReminderID(index)] ?? []).map(Row.edit)
    }
    // A kind that has no item yet.
    self.rows = rows + untold.map(Row.template)
  }

  /// `milk`, or `milk, edited to later`.
  func title(_ row: Row) -> String {
    editName(row).map { "\(name(row)), edited to \($0)" } ?? name(row)
  }

  func sentence(_ row: Row) -> String {
    guard case .template(let index) = row else { return words.text(declaration(row)) }
    var scenario = scenario
    scenario.facts += templates[index].facts
    return SentenceWriter(scenario).text(declaration(row), forEach: templates[index].kind)
  }

  private func declaration(_ row: Row) -> ReminderDeclaration {
    switch row {
    case .reminder(let index): scenario.reminders[index].declaration
    case .edit(let index): scenario.edits[index].declaration
    case .template(let index): templates[index].declaration
    }
  }

  /// An edit has the name of the reminder in whose place it comes.
  private func name(_ row: Row) -> String {
    switch row {
    case .reminder(let index): scenario.reminders[index].declaration.id
    case .edit(let index): scenario.reminders[scenario.edits[index].reminder.index].declaration.id
    case .template(let index): templates[index].name
    }
  }

  private func editName(_ row: Row) -> String? {
    if case .edit(let index) = row { scenario.edits[index].name } else { nil }
  }

  /// What a reminder is before the time line edits it.
  package static func sentence(of reminder: ReminderID, in scenario: Scenario) -> String {
    SentencesText(scenario).sentence(.reminder(reminder.index))
  }

  /// A line for each: `milk: Remind me to buy milk when I enter shop`, as it can stand in a file.
  package func text(withFile: Bool) -> String {
    let lines = rows.map { row in
      "\(Printable.text(title(row))): \(Self.inYAML(sentence(row)))"
    }
    return ((withFile ? [Printable.text(scenario.file)] : []) + lines.map { withFile ? "  " + $0 : $0 })
      .joined(separator: "\n")
  }

  /// In quotes where YAML would take a part of it for something else.
  private static func inYAML(_ sentence: String) -> String {
    if !sentence.contains(": "), !sentence.contains(" #"), sentence.last != ":" { return sentence }
    return "'" + sentence.replacing("'", with: "''") + "'"
  }

  package var document: JSONValue {
    [
      "file": .string(scenario.file),
      "reminders": .array(
        rows.map { row in
          var members: [JSONValue.Member] = [.init("name", .string(name(row)))]
          if let edit = editName(row) { members.append(.init("edit", .string(edit))) }
          if case .template(let index) = row {
            members.append(.init("forEach", .string(templates[index].kind)))
          }
          return .object(members + [.init("sentence", .string(sentence(row)))])
        }),
    ]
  }
}
