import ReminderMatching
package import ScenarioFiles
package import ScenarioModel
import SentenceGrammar
package import TextFormats
package import TriggerModel

/// The reminders of a scenario as sentences, to read and as a document.
package struct SentencesText {
  /// A declaration, which is made a sentence where that is asked for.
  struct Row {
    var name: String
    fileprivate var declaration: ReminderDeclaration
    /// The name of the edit that puts it in the place of the reminder; nil: it is there from the start.
    var edit: String?
    /// There is one for each item of the template's kind.
    fileprivate var template: ReminderTemplate?

    /// `milk`, or `milk, edited to later`.
    var title: String { edit.map { "\(name), edited to \($0)" } ?? name }
  }

  private let scenario: Scenario
  private let words: SentenceWriter
  let rows: [Row]

  /// - Parameter templates: They stand in the place of the reminders that they make.
  package init(_ scenario: Scenario, _ templates: [ReminderTemplate] = []) {
    self.scenario = scenario
    words = SentenceWriter(scenario)
    let edits = Dictionary(grouping: scenario.edits, by: \.reminder)
    var untold = templates
    var rows: [Row] = []
    for (index, reminder) in scenario.reminders.enumerated() {
      let declaration = reminder.declaration
      let maker = templates.first { declaration.id.hasPrefix($0.name + " ") }
      if let maker {
        if untold.contains(where: { $0.name == maker.name }) { rows.append(Self.row(maker)) }
        untold.removeAll { $0.name == maker.name }
      } else {
        rows.append(Row(name: declaration.id, declaration: declaration))
      }
      for edit in edits[ReminderID(index)] ?? [] {
        rows.append(Row(name: declaration.id, declaration: edit.declaration, edit: edit.name))
      }
    }
    // A kind that has no item yet.
    self.rows = rows + untold.map(Self.row)
  }

  private static func row(_ template: ReminderTemplate) -> Row {
    Row(name: template.name, declaration: template.declaration, template: template)
  }

  func sentence(_ row: Row) -> String {
    guard let template = row.template else { return words.text(row.declaration) }
    var scenario = scenario
    scenario.facts += template.facts
    return SentenceWriter(scenario).text(row.declaration, forEach: template.kind)
  }

  /// What a reminder is before the time line edits it.
  package static func sentence(of reminder: ReminderID, in scenario: Scenario) -> String {
    SentenceWriter(scenario).text(scenario.reminders[reminder.index].declaration)
  }

  /// A line for each: `milk: Remind me to buy milk when I enter shop`, as it can stand in a file.
  package func text(withFile: Bool) -> String {
    let lines = rows.map { row in
      "\(Printable.text(row.title)): \(Self.inYAML(sentence(row)))"
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
          .object(
            [.init("name", .string(row.name))] + (row.edit.map { [.init("edit", .string($0))] } ?? [])
              + ((row.template?.kind).map { [.init("forEach", .string($0))] } ?? [])
              + [.init("sentence", .string(sentence(row)))])
        }),
    ]
  }
}
