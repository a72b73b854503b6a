import DeviceSimulation
package import Journal
import ReminderMatching
import ScenarioModel
import Scenarios
package import Simulation
package import TriggerModel

/// The text that each notification of a run showed, truncated as on the phone. The declaration in force at
/// the time of the request provides the texts, and the request selects one of them. A text shows the values of
/// facts that the app had observed before the delivery, because an app requests a pending notification again
/// when its text changes.
///
/// Denied requests use no memory. Neither do requests with the reminder's first text.
package struct ShownTexts: JournalSink, Sendable {
  private struct Place: Hashable, Sendable {
    var request: RequestID
    var device: UInt8
  }

  /// A reminder on a device.
  private struct Owner: Hashable, Sendable {
    var reminder: ReminderID
    var device: UInt8
  }

  private struct Text: Hashable, Sendable {
    /// The index of the scenario's edit, or `nil` for the original declaration.
    var edit: UInt32?
    var copy: UInt8
  }

  private let reminders: [DeclaredReminder]
  private let edits: [ReminderEdit]
  /// The maximum length of a title on each device, or 0 if it is unlimited.
  private let titleLimits: [Int]
  /// Whether each reminder can show more than one text.
  private let varies: [Bool]
  /// The edit in force for each reminder on a device. A reminder without an entry has its original
  /// declaration.
  private var forms: [Owner: UInt32] = [:]
  private var texts: [Place: Text] = [:]
  private let words: FactWords
  private let facts: [FactDeclaration]
  private let factIDs: [String: Int]
  /// The values of the facts that the app has observed on each device.
  private var values: [[FactValue]]
  /// Whether a text of each reminder shows a fact.
  private let showsFacts: [Bool]
  /// The titles of delivered notifications that show a fact.
  private var titles: [Place: String] = [:]

  package init(_ program: Program) {
    let scenario = program.scenario
    reminders = scenario.reminders
    edits = scenario.edits
    titleLimits = program.devices.map(\.blueprint.settings.titleLimit)
    var varies = reminders.indices.map { scenario.reminders[$0].declaration.notification.copy.count > 1 }
    for edit in scenario.edits { varies[edit.reminder.index] = true }
    words = FactWords(scenario)
    facts = scenario.facts
    factIDs = Dictionary(uniqueKeysWithValues: facts.enumerated().map { ($1.name, $0) })
    values = program.devices.map { _ in scenario.facts.map(\.initial) }
    var showsFacts = reminders.map(\.declaration.showsFacts)
    for edit in scenario.edits where edit.declaration.showsFacts { showsFacts[edit.reminder.index] = true }
    self.showsFacts = showsFacts
    self.varies = zip(varies, showsFacts).map { $0 || $1 }
  }

  package static var wantsEveryFix: Bool { false }
  package var keepsEveryMiss: Bool { false }

  package mutating func record(_ body: JournalRecord.Body, _ stamp: RecordStamp) {
    switch body {
    case .observed(let event) where event.kind == .edit:
      forms[Owner(reminder: ReminderID(event.subject), device: stamp.device)] = UInt32(clamping: event.value)
    case .observed(let event) where event.kind == .factChanged || event.kind == .factFound:
      values[Int(stamp.device)][Int(event.subject)] = FactValue(bits: event.value)
    case .outcome(.delivered(let request, _)) where showsFacts[request.reminder.index]:
      titles[Place(request: request, device: stamp.device)] = title(of: request, on: stamp.device)
    case .effect(.request(let request)) where varies[request.id.reminder.index]:
      let form = forms[Owner(reminder: request.id.reminder, device: stamp.device)]
      let text = Text(edit: form, copy: request.copy)
      if text != Text(edit: nil, copy: 0) { texts[Place(request: request.id, device: stamp.device)] = text }
    case .effect(.decided(let request, let decision)) where decision.outcome == .deny:
      texts[Place(request: request.id, device: stamp.device)] = nil
    default: break
    }
  }

  /// Returns whether a reminder can show more than one text.
  package func varies(_ reminder: ReminderID) -> Bool { varies[reminder.index] }

  /// Returns the title as shown to the person, or an empty string if the reminder has no text.
  package func title(of request: RequestID, on device: UInt8) -> String {
    if let title = titles[Place(request: request, device: device)] { return title }
    let text = texts[Place(request: request, device: device)] ?? Text(edit: nil, copy: 0)
    let form = text.edit.map { edits[Int($0)].declaration } ?? reminders[request.reminder.index].declaration
    let copies = form.notification.copy
    // An engine under test may request a stage that does not exist.
    guard let last = copies.indices.last else { return "" }
    let title = copies[min(Int(text.copy), last)].title
    return filled(title, on: device).cut(to: titleLimits[Int(device)])
  }

  /// Returns a text with the observed values of its facts.
  private func filled(_ text: String, on device: UInt8) -> String {
    Placeholder.filled(text) { name in
      factIDs[String(name)].map { words.text(values[Int(device)][$0], of: facts[$0]) }
    }
  }

  /// Returns the distinct titles that a reminder can show on a device of the person, or `nil` if they depend
  /// on facts.
  package func titles(of reminder: ReminderID, in scenario: Scenario) -> [String]? {
    if showsFacts[reminder.index] { return nil }
    let edited = scenario.edits.filter { $0.reminder == reminder }.map(\.declaration)
    var titles: [String] = []
    for copy in ([reminders[reminder.index].declaration] + edited).flatMap(\.notification.copy) {
      for limit in titleLimits {
        let title = copy.title.cut(to: limit)
        if !titles.contains(title) { titles.append(title) }
      }
    }
    return titles
  }
}

extension ReminderDeclaration {
  /// Whether a title shows a fact. Valid texts have no other words in braces.
  fileprivate var showsFacts: Bool {
    notification.copy.contains { Placeholder.first(in: $0.title[...]) != nil }
  }
}
