import DeviceSimulation
package import Journal
import ReminderMatching
import ScenarioModel
package import Simulation
package import TriggerModel

/// Which text each notification of a run shows: that of its reminder's stage, in the form that the reminder had when
/// it was asked for, cut as the phone cuts it.
///
/// It keeps a word for each request that is not denied and whose text is not the reminder's first; reminders of one
/// text and one form cost it nothing.
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
    /// Of the scenario's edits; nil: the form in which the reminder was declared.
    var edit: UInt32?
    var copy: UInt8
  }

  private let reminders: [DeclaredReminder]
  private let edits: [ReminderEdit]
  /// By device: so many letters of a title are kept; 0: all.
  private let titleLimits: [Int]
  /// By reminder: whether it can show more than one text.
  private let varies: [Bool]
  /// The edits that hold now; what is not here has the form in which it was declared.
  private var forms: [Owner: UInt32] = [:]
  private var texts: [Place: Text] = [:]

  package init(_ program: Program) {
    let scenario = program.scenario
    reminders = scenario.reminders
    edits = scenario.edits
    titleLimits = program.devices.map(\.blueprint.settings.titleLimit)
    var varies = reminders.indices.map { scenario.reminders[$0].declaration.notification.copy.count > 1 }
    for edit in scenario.edits { varies[edit.reminder.index] = true }
    self.varies = varies
  }

  package static var wantsEveryFix: Bool { false }
  package var keepsEveryMiss: Bool { false }

  package mutating func record(_ body: JournalRecord.Body, _ stamp: RecordStamp) {
    switch body {
    case .observed(let event) where event.kind == .edit:
      forms[Owner(reminder: ReminderID(event.subject), device: stamp.device)] = UInt32(clamping: event.value)
    case .effect(.request(let request)) where varies[request.id.reminder.index]:
      let form = forms[Owner(reminder: request.id.reminder, device: stamp.device)]
      let text = Text(edit: form, copy: request.copy)
      if text != Text(edit: nil, copy: 0) { texts[Place(request: request.id, device: stamp.device)] = text }
    case .effect(.decided(let request, let decision)) where decision.outcome == .deny:
      texts[Place(request: request.id, device: stamp.device)] = nil
    default: break
    }
  }

  /// Whether a reminder can show more than one text.
  package func varies(_ reminder: ReminderID) -> Bool { varies[reminder.index] }

  /// The title that a person sees of a notification; empty: its reminder has none.
  package func title(of request: RequestID, on device: UInt8) -> String {
    let text = texts[Place(request: request, device: device)] ?? Text(edit: nil, copy: 0)
    let form = text.edit.map { edits[Int($0)].declaration } ?? reminders[request.reminder.index].declaration
    let copies = form.notification.copy
    // An engine under test may ask for a text that there is not.
    guard let last = copies.indices.last else { return "" }
    return copies[min(Int(text.copy), last)].title.cut(to: titleLimits[Int(device)])
  }

  /// The titles that a reminder can show on some device of the person, each once.
  package func titles(of reminder: ReminderID, in scenario: Scenario) -> [String] {
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
