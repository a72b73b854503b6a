package import Simulation
import ScenarioModel
import ScenarioGrammar
import TextFormats
import CivilTime
import DeviceSimulation
import ReminderEngine
import TriggerModel

/// Writes the events of a program as plain JSON objects: what `expand` prints.
package struct EventWords {
  private let program: Program

  package init(_ program: Program) {
    self.program = program
  }

  /// One line: when, in the phone's local time too, what, and which line of the scenario says so.
  package func line(_ event: ProgramEvent) -> String {
    let zone = program.scenario.zones[program.scenario.timeline.zone(at: event.instant)]
    let members: [JSONValue.Member] =
      [
        .init("t", .string(event.instant.iso8601)),
        .init("local", .string(zone.words(at: event.instant))),
      ] + members(event.event) + [.init("line", .integer(Int(event.position.line)))]
    return JSONValue.object(members).line
  }

  private func members(_ event: PhoneEvent) -> [JSONValue.Member] {
    func named(_ name: String, _ more: JSONValue.Member...) -> [JSONValue.Member] {
      [.init("event", .string(name))] + more
    }
    func milliseconds(_ span: TimeSpan) -> JSONValue { .integer(Int(span.milliseconds)) }
    let scenario = program.scenario
    switch event {
    case .batteryLevel(let level): return named("batteryLevel", .init("permille", .integer(Int(level))))
    case .openApp(let app): return named("openApp", .init("app", .string(scenario.apps[app.index])))
    case .fix(let fix), .found(let fix):
      return named(
        event == .found(fix) ? "found" : "fix", .init("lat", .number(fix.coordinate.latitude)),
        .init("lon", .number(fix.coordinate.longitude)),
        .init("accuracy", .number(fix.accuracy)))
    case .enterRegion(let id):
      return named("enterRegion", .init("place", .string(scenario.places[id.index].name)))
    case .exitRegion(let id):
      return named("exitRegion", .init("place", .string(scenario.places[id.index].name)))
    case .travel(let zone): return named("travel", .init("zone", .string(scenario.zones[zone].identifier)))
    case .setClock(let ahead): return named("setClock", .init("aheadMilliseconds", milliseconds(ahead)))
    case .notificationPermission(let value):
      return named("notificationPermission", .init("value", .string("\(value)")))
    case .locationPermission(let value):
      return named("locationPermission", .init("value", .string("\(value)")))
    case .fact(let fact, let value):
      let declaration = scenario.facts[fact.index]
      return named(
        "fact", .init("fact", .string(declaration.name)),
        .init("value", FactWords(program.scenario).value(value, of: declaration)))
    case .reading(let source, let isAllowed):
      return named(
        "reading", .init("source", .string(scenario.factSources[source.index])),
        .init("allowed", .truth(isAllowed)))
    case .snooze(let reminder, let span):
      return named("snooze", reminderMember(reminder), .init("milliseconds", milliseconds(span)))
    case .snoozeUntil(let reminder, let instant):
      return named("snooze", reminderMember(reminder), .init("until", .string(instant.iso8601)))
    case .cancel(let reminder): return named("cancel", reminderMember(reminder))
    case .edit(let reminder, let edit):
      return named("edit", reminderMember(reminder), .init("to", .string(scenario.edits[Int(edit)].name)))
    case .preference(let change): return preference(change)
    case .tap(let reminder): return named("tap", reminderMember(reminder))
    case .dismiss(let reminder): return named("dismiss", reminderMember(reminder))
    case .openLink(let link):
      return named("openLink", .init("link", .string(scenario.links?.opened[link.index] ?? "")))
    case .linkFault(.lost): return named("linkFault", .init("fault", "lost"))
    case .linkFault(.late(let span)):
      return named("linkFault", .init("fault", "late"), .init("milliseconds", milliseconds(span)))
    case .linkFault(.again(let span)):
      return named("linkFault", .init("fault", "again"), .init("milliseconds", milliseconds(span)))
    case .inApp(let action): return members(action)
    case .storeFault(let fault): return named("storeFault", .init("fault", .string(fault.name)))
    case .failNextAdd(let count): return named("failNextAdd", .init("count", .integer(Int(count))))
    case .answerPrompt(let value): return named("answerPrompt", .init("value", .string("\(value)")))
    case .preciseLocation(let isOn): return named("preciseLocation", .init("value", .truth(isOn)))
    case .focus(let isOn): return named("focus", .init("value", .truth(isOn)))
    case .summary(let isOn): return named("summary", .init("value", .truth(isOn)))
    case .airplaneMode(let isOn): return named("airplaneMode", .init("value", .truth(isOn)))
    case .backgroundRefresh(let isOn): return named("backgroundRefresh", .init("value", .truth(isOn)))
    case .lowPowerMode(let isOn): return named("lowPowerMode", .init("value", .truth(isOn)))
    // What is left has no values: the case's name is all there is.
    case .unlock, .lock, .plugIn, .unplug, .openOwnApp, .leaveOwnApp, .forceQuit, .terminate, .powerOff,
      .powerOn, .cancelAll, .clearNotifications, .pullNotificationCentre, .systemSheet, .reinstall:
      return named("\(event)")
    }
  }

  private func members(_ action: InAppAction) -> [JSONValue.Member] {
    let app = program.scenario.app
    func named(_ name: String, _ key: String, _ value: JSONValue) -> [JSONValue.Member] {
      [.init("event", .string(name)), .init(key, value)]
    }
    func surface(_ id: SurfaceID) -> JSONValue { .string(app.surfaces[id.index].name) }
    return switch action {
    case .prime(let context): named("prime", "context", .string(app.primings[context.index]))
    case .visit(let id): named("visit", "surface", surface(id))
    case .callToAction(let id): named("callToAction", "surface", surface(id))
    case .consent(let isGiven): named("consent", "value", .truth(isGiven))
    case .skipPriming, .maybeLater: [.init("event", .string("\(action)"))]
    }
  }

  private func preference(_ change: PreferenceChange) -> [JSONValue.Member] {
    let words: [JSONValue.Member] =
      switch change {
      case .type(let type, let isOn):
        [.init("type", .string(program.reminders.names.types[type.index])), .init("value", .truth(isOn))]
      case .all(let isOn): [.init("value", .truth(isOn))]
      case .dailyCap(let cap): [.init("dailyCap", cap.map { .integer(Int($0)) } ?? "none")]
      }
    return [.init("event", "preference")] + words
  }

  private func reminderMember(_ id: ReminderID) -> JSONValue.Member {
    .init("reminder", .string(program.scenario.reminders[id.index].declaration.id))
  }
}
