import ReminderMatching
package import ScenarioFiles
package import ScenarioModel
import SentenceGrammar
package import TextFormats
package import TriggerModel

/// The reminders of a scenario as sentences, to read and as a document.
package struct SentencesText {
  /// A declaration and its sentence.
  struct Row {
    var name: String
    var sentence: String
    /// The name of the edit that puts it in the place of the reminder; nil: it is there from the start.
    var edit: String?
    /// There is one for each item of this kind.
    var kind: String?

    /// `milk`, or `milk, edited to later`.
    var title: String { edit.map { "\(name), edited to \($0)" } ?? name }
  }

  private let file: String
  let rows: [Row]

  /// - Parameter templates: They stand in the place of the reminders that they make.
  package init(_ scenario: Scenario, _ templates: [ReminderTemplate] = []) {
    file = scenario.file
    let words = SentenceWriter(scenario)
    var untold = templates
    var rows: [Row] = []
    for (index, reminder) in scenario.reminders.enumerated() {
      let declaration = reminder.declaration
      let maker = templates.first { declaration.id.hasPrefix($0.name + " ") }
      if let maker {
        if untold.contains(where: { $0.name == maker.name }) { rows.append(Self.row(maker, scenario)) }
        untold.removeAll { $0.name == maker.name }
      } else {
        rows.append(Row(name: declaration.id, sentence: words.text(declaration)))
      }
      for edit in scenario.edits where edit.reminder.index == index {
        rows.append(Row(name: declaration.id, sentence: words.text(edit.declaration), edit: edit.name))
      }
    }
    // A kind that has no item yet.
    self.rows = rows + untold.map { Self.row($0, scenario) }
  }

  private static func row(_ template: ReminderTemplate, _ scenario: Scenario) -> Row {
    var scenario = scenario
    scenario.facts += template.facts
    let sentence = SentenceWriter(scenario).text(template.declaration, forEach: template.kind)
    return Row(name: template.name, sentence: sentence, kind: template.kind)
  }

  /// What a reminder is before the time line edits it.
  package static func sentence(of reminder: ReminderID, in scenario: Scenario) -> String {
    SentenceWriter(scenario).text(scenario.reminders[reminder.index].declaration)
  }

  /// A line for each: `milk: Remind me to buy milk when I enter shop`, as it can stand in a file.
  package func text(withFile: Bool) -> String {
    let lines = rows.map { row in
      "\(Printable.text(row.title)): \(Self.inYAML(row.sentence))"
    }
    return ((withFile ? [Printable.text(file)] : []) + lines.map { withFile ? "  " + $0 : $0 })
      .joined(separator: "\n")
  }

  /// In quotes where YAML would take a part of it for something else.
  private static func inYAML(_ sentence: String) -> String {
    if !sentence.contains(": "), !sentence.contains(" #"), sentence.last != ":" { return sentence }
    return "'" + sentence.replacing("'", with: "''") + "'"
  }

  package var document: JSONValue {
    [
      "file": .string(file),
      "reminders": .array(
        rows.map { row in
          .object(
            [.init("name", .string(row.name))] + (row.edit.map { [.init("edit", .string($0))] } ?? [])
              + (row.kind.map { [.init("forEach", .string($0))] } ?? [])
              + [.init("sentence", .string(row.sentence))])
        }),
    ]
  }
}
