import DeviceSimulation
import ReminderMatching
import ScenarioModel
package import Simulation
package import TextFormats
import TriggerModel

extension String {
  /// Returns the text truncated to a number of UTF-16 code units, the unit in which the systems count. It
  /// never splits a surrogate pair. A limit of 0 means unlimited.
  func cut(to limit: Int) -> String {
    guard limit > 0, utf16.count > limit else { return self }
    var room = limit
    let kept = unicodeScalars.prefix { scalar in
      room -= UTF16.width(scalar)
      return room >= 0
    }
    return String(String.UnicodeScalarView(kept))
  }
}

/// Creates warnings about the titles of a scenario.
package enum TitleAdvice {
  /// Returns warnings about expected titles that the reminder can never show.
  package static func unmeetable(_ program: Program) -> [Diagnostic] {
    let scenario = program.scenario
    let texts = ShownTexts(program)
    return scenario.expectations.compactMap { expectation in
      guard case .shows(let reminder, let title, let count, _) = expectation.claim, !count.contains(0) else {
        return nil
      }
      guard let known = texts.titles(of: reminder, in: scenario), !known.contains(title) else { return nil }
      let name = scenario.reminders[reminder.index].declaration.id
      return scenario.sources.diagnostic(
        "nothing can meet '\(expectation.text)': '\(name)' has no such title", at: expectation.position,
        hint: "it has " + known.map { QuotedText.write($0, inSentence: true) }.joined(separator: ", "))
    }
  }

  /// Returns warnings about titles that a phone of the scenario truncates.
  package static func warnings(_ program: Program) -> [Diagnostic] {
    let scenario = program.scenario
    let limits = program.devices.map(\.blueprint.settings.titleLimit).filter { $0 > 0 }
    guard let limit = limits.min() else { return [] }
    let forms =
      scenario.reminders.map { ($0.declaration, $0.position) }
      + scenario.edits.map { ($0.declaration, $0.position) }
    return forms.compactMap { form, position in
      guard let long = form.notification.copy.map(\.title).first(where: { $0.utf16.count > limit }) else {
        return nil
      }
      return scenario.sources.diagnostic(
        "the title of '\(form.id)' has \(long.utf16.count) letters, and the phone shows \(limit) of them",
        severity: .warning, at: position,
        hint: "shorten it; 'triggerbench rules' shows 'titleLimit' with its source")
    }
  }
}
