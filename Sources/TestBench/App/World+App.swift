import DeviceSimulation
import Journal
import TriggerModel

/// What our app does by itself, in every scenario.
extension World {
  mutating func tellApp(happened event: PhoneEvent, into sink: inout some JournalSink) {
    guard case .inApp(let action) = event, phone.isOn else { return }
    let moment = phone.moment(at: now)
    app.happened(action, isInFront: isAppInFront, at: moment)
    passApp(into: &sink)
  }

  mutating func tellApp(outcome: PhoneOutcome, into sink: inout some JournalSink) {
    guard case .prompted(let answer) = outcome else { return }
    app.prompted(answer)
    passApp(into: &sink)
  }

  mutating func tellApp(observed event: ObservedEvent, into sink: inout some JournalSink) {
    app.observed(event, isInFront: isAppInFront)
    passApp(into: &sink)
  }

  private var isAppInFront: Bool { phone.process.state == .foreground }

  private mutating func passApp(into sink: inout some JournalSink) {
    if app.events.isEmpty, app.ignored.isEmpty { return }
    let (events, ignored) = (app.events, app.ignored)
    app.removeOutput()
    for event in events { note(.app(event), into: &sink) }
    for cause in ignored { note(.outcome(.ignored(cause)), into: &sink) }
  }
}
