import ReminderMatching
package import ScenarioModel
package import Scenarios
package import TextFormats
package import TriggerModel

/// The reminders of a scenario as sentences, in text and JSON.
package struct SentencesText {
  /// The index of a declaration. Its sentence is generated on demand.
  enum Row {
    case reminder(Int)
    /// A declaration in the time line that replaces a reminder's declaration.
    case edit(Int)
    /// A template with one reminder for each item.
    case template(Int)
  }

  private let scenario: Scenario
  private let templates: [ReminderTemplate]
  private let words: SentenceWriter
  let rows: [Row]

  /// - Parameter templates: The templates to show instead of the reminders that they create.
  package init(_ scenario: Scenario, _ templates: [ReminderTemplate] = []) {
    let scenario = scenario.asAuthored
    self.scenario = scenario
    self.templates = templates
    words = SentenceWriter(scenario)
    let edits = Dictionary(grouping: scenario.edits.indices) { scenario.edits[$0].reminder }
    var missing = Array(templates.indices)
    var rows: [Row] = []
    for index in scenario.reminders.indices {
      let name = scenario.reminders[index].declaration.id
      if let maker = templates.firstIndex(where: { name.hasPrefix($0.name + " ") }) {
        if missing.contains(maker) { rows.append(.template(maker)) }
        missing.removeAll { templates[$0].name == templates[maker].name }
      } else {
        rows.append(.reminder(index))
      }
      rows += (edits[ReminderID(index)] ?? []).map(Row.edit)
    }
    // Templates without items are last, because no reminder marks their position.
    self.rows = rows + missing.map(Row.template)
  }

  /// Returns the title, for example `milk`, or `milk, edited to later` for an edit.
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

  /// Returns the name of the reminder. For an edit, returns the name of the reminder that it replaces.
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

  /// Returns the sentence of a reminder as it is declared, before the time line edits it.
  package static func sentence(of reminder: ReminderID, in scenario: Scenario) -> String {
    SentencesText(scenario).sentence(.reminder(reminder.index))
  }

  /// Returns one line for each reminder, for example `milk: Remind me to buy milk when I enter shop`.
  package func text(withFile: Bool) -> String {
    let lines = rows.map { row in
      "\(Printable.text(title(row))): \(Self.inYAML(sentence(row)))"
    }
    return ((withFile ? [Printable.text(scenario.file)] : []) + lines.map { withFile ? "  " + $0 : $0 })
      .joined(separator: "\n")
  }

  /// Returns the sentence, quoted if YAML would parse part of it as syntax.
  private static func inYAML(_ sentence: String) -> String {
    if !sentence.contains(": "), !sentence.contains(" #"), sentence.last != ":" { return sentence }
    return "'" + sentence.replacing("'", with: "''") + "'"
  }

  package var document: JSONValue {
    [
      "file": .string(scenario.file),
      "reminders": .array(
        rows.map { row in
          var kind: JSONValue?
          if case .template(let index) = row { kind = .string(templates[index].kind) }
          return .present([
            "name": .string(name(row)), "edit": editName(row).map(JSONValue.string), "forEach": kind,
            "sentence": .string(sentence(row)),
          ])
        }),
    ]
  }
}
