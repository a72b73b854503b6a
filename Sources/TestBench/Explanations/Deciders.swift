import CivilTime
import DeviceSimulation
import Journal
import NotificationGateway
import ReminderEngine
import ReminderMatching
import ScenarioModel
import Scenarios
import Simulation
import Statistics
import TextFormats
import TriggerModel

/// Names the events and declarations that decided an outcome, with their lines in the file.
struct Deciders {
  private let explainer: Explainer
  private let found: Explainer.Findings
  private let layout: SourceLayout
  private let words: RunWords
  /// The events of the phone until the evaluation, without fixes, in chronological order.
  private let events: [ProgramEvent]

  private var program: Program { explainer.program }
  private var scenario: Scenario { program.scenario }
  private var declaration: ReminderDeclaration {
    program.reminders.declarations[found.explanation.declaration]
  }

  init(_ explainer: Explainer, _ found: Explainer.Findings) {
    self.explainer = explainer
    self.found = found
    words = explainer.words
    layout = SourceLayout(explainer.program)
    events = explainer.program.phoneEvents(before: max(found.evaluatedAt, found.instant) + .minutes(1))
  }

  /// Returns one sentence for each decider.
  ///
  /// - Parameter fire: The fire in the minute, or `nil` if the reminder did not fire.
  func words(_ fire: RunAccounts.Fire?) -> [String] {
    if let fire { return reported + late(fire) + quiet(fire) }
    let missed = found.journal.first.missedRequests(found.reminder).filter { explainer.isThen($0.due, found) }
    let endings = explainer.endings(of: found)
    let late = found.journal.first.appeared.filter { fire in
      fire.request.reminder == found.reminder && fire.due.map { explainer.isThen($0, found) } ?? false
    }
    return
      (reported + late.flatMap { self.late($0) } + missed.flatMap { because($0) }
      + endings.flatMap { because($0) }).distinct
  }

  /// A sentence about a region event that the app observed a minute or more after it happened.
  private var reported: [String] {
    declaration.triggers.compactMap { trigger -> String? in
      let place: String
      let event: ProgramEvent?
      switch trigger {
      case .regionEntered(let name):
        place = name
        event = region(name).flatMap { region in last { $0 == .enterRegion(region) } }
      case .regionExited(let name):
        place = name
        event = region(name).flatMap { region in last { $0 == .exitRegion(region) } }
      default: return nil
      }
      guard let event, found.evaluatedAt - event.instant >= .minutes(1),
        found.evaluatedAt - event.instant <= .hours(1)
      else { return nil }
      let time = explainer.words.time(found.moment)
      return
        "the phone crossed the boundary of \(place) at \(when(event)), and \(system) reported it at \(time)"
    }
  }

  private func region(_ place: String) -> RegionID? {
    scenario.places.firstIndex { $0.name == place }.map { RegionID(UInt32($0)) }
  }

  // MARK: - Fires

  private func late(_ fire: RunAccounts.Fire) -> [String] {
    guard let due = fire.due?.moment, fire.moment.wall - due.wall >= .minutes(1) else { return [] }
    let head = "it was due at \(words.time(due))"
    let span = (fire.due?.instant ?? fire.instant - (fire.moment.wall - due.wall))...fire.instant
    let on = events.last { $0.event == .powerOn && span.contains($0.instant) }
    if let on, let off = events.last(where: { $0.event == .powerOff && $0.instant <= on.instant }) {
      return ["\(head), and the phone was off from \(when(off)) to \(when(on))"]
    }
    let deferral = found.journal.first.endings.last { $0.request == fire.request && $0.kind == .deferred }
    if let deferral { return ["\(head)"] + because(deferral) }
    if let summary = last({ if case .summary = $0 { true } else { false } }), summary.event == .summary(true)
    {
      return ["\(head), and the scheduled summary is on since \(when(summary))"]
    }
    let isUnscheduled = declaration.triggers.contains { trigger in
      if case .scheduled(let schedule) = trigger { schedule.ahead == 0 } else { false }
    }
    if isUnscheduled {
      return [
        "\(head), and nothing wakes the app at a scheduled time"
          + stated(["reminders", declaration.id, "when"])
      ]
    }
    return ["\(head), and the app observed it late"]
  }

  private func quiet(_ fire: RunAccounts.Fire) -> [String] {
    if fire.exposure != .list { return [] }
    let head = "it reached the list only, without a banner"
    let states: [(name: String, event: ProgramEvent?)] = [
      ("focus is on", last { if case .focus = $0 { true } else { false } }),
      ("the scheduled summary is on", last { if case .summary = $0 { true } else { false } }),
      (
        "the permission is provisional",
        last { if case .notificationPermission = $0 { true } else { false } }
      ),
      ("the channel is not alerting", last { if case .channel(fire.type, _) = $0 { true } else { false } }),
    ]
    for (name, event) in states {
      switch event?.event {
      case .focus(true), .summary(true), .notificationPermission(.provisional), .channel:
        return ["\(head): \(name) since \(event.map(when) ?? "")"]
      default: continue
      }
    }
    let isProvisional = program.devices[0].setup.notifications == .provisional
    return [
      head + (isProvisional ? ": the permission is provisional" : "") + stated(["phone", "notifications"])
    ]
  }

  // MARK: - Events that the app missed

  private func because(_ miss: MissedRequest) -> [String] {
    switch miss.cause {
    case .notRequested, .repeatingRequestLost: return []
    case .declined(.conditionFailed): return failures
    case .declined: return []
    case .notWoken:
      return ["nothing wakes the app at a scheduled time\(stated(["reminders", declaration.id, "when"]))"]
        + app
    case .notObserved(let name):
      switch name {
      case MissCause.noSign.name:
        return ["\(system) does not report \(Self.plural(miss.event)) to an app that is not in front"]
      case MissCause.notRunning.name, MissCause.forceQuit.name, MissCause.forceStopped.name: return app
      case MissCause.poweredOff.name:
        return last { $0 == .powerOff }.map { ["the phone is off since \(when($0))"] } ?? []
      case RegionSuppression.permission.name:
        return setting("the location permission does not allow it", ["phone", "location"]) {
          if case .locationPermission = $0 { true } else { false }
        }
      case KnowledgeGap.conditionUnseen.rawValue: return failures
      default: return []
      }
    }
  }

  /// A sentence about the app's process, if an event of the time line ended it.
  private var app: [String] {
    let event = last { event in
      switch event {
      case .openOwnApp, .leaveOwnApp, .forceQuit, .forceStop, .terminate, .updateApp: true
      default: false
      }
    }
    guard let event else { return ["the app has not been opened"] }
    return switch event.event {
    case .forceQuit:
      ["the app was force quit at \(when(event)), and then nothing wakes it until it is opened"]
    case .forceStop:
      ["the app was force stopped at \(when(event)), and then nothing wakes it until it is opened"]
    case .terminate:
      ["the app was terminated at \(when(event)), and \(system) does not start it for such events"]
    case .leaveOwnApp: ["the app was left at \(when(event)), and \(system) does not run it for such events"]
    default: []
    }
  }

  private var system: String {
    switch scenario.profile.value {
    case "ios": "iOS"
    case "android": "Android"
    default: "the phone"
    }
  }

  private static func plural(_ event: ObservedEvent.Kind) -> String {
    switch event {
    case .unlock: "unlocks"
    case .chargingStarted, .chargingStopped: "changes of the charger"
    case .appOpened: "the opening of other apps"
    default: "such events"
    }
  }

  // MARK: - Endings

  private func because(_ ending: RunAccounts.Ending) -> [String] {
    let id = declaration.id
    switch ending.reason {
    case .conditionFailed, .notEntitled, .staleData, .lowConfidence: return failures
    case .alreadyFired: return [spent]
    case .expired: return ["it has expired\(stated(["reminders", id, "expires"]))"]
    case .snoozed:
      let snooze = last { $0.snoozed == ending.reminder }
      return ["the person snoozed it" + (snooze.map { " at \(when($0))" } ?? "")]
    case .quietHours:
      let due = ending.due?.moment ?? ending.moment
      let action = ending.kind == .deferred ? "deferred until they end" : "dropped"
      return ["\(words.time(due)) is inside quiet hours\(stated(["policy", "quietHours"])): \(action)"]
    case .minimumInterval: return interval(ending)
    case .permission, .permissionRevoked:
      return setting("notifications are not allowed", ["phone", "notifications"]) {
        if case .notificationPermission = $0 { true } else { false }
      }
    case .userDisabled, .userDailyCap:
      return setting("the person's settings in the app do not allow it", ["preferences"]) {
        if case .preference = $0 { true } else { false }
      }
    case .notPresented:
      return last { $0 == .openOwnApp }.map { ["the app is in front since \(when($0))"] } ?? []
    case .pendingLimit:
      let limit = program.pendingCapacity(ofDevice: 0)
      return [
        "\(system) keeps \(limit) pending requests, and others were due earlier: this one waits until the app runs again"
      ]
    case .cancelled where !failures.isEmpty: return failures
    case .cancelled:
      return last { $0 == .cancel(ending.reminder) || $0 == .cancelAll }.map {
        ["it was cancelled at \(when($0))"]
      }
        ?? []
    case .superseded:
      return last { $0 == .openOwnApp }.map { ["it counts from the last opening of the app, \(when($0))"] }
        ?? []
    case .clearedByReboot: return cleared("rebooted") { $0 == .powerOn || $0 == .powerOff }
    case .clearedByUpdate: return cleared("updated") { $0 == .updateApp }
    case .clearedByForceStop: return cleared("force stopped") { $0 == .forceStop }
    default:
      guard ending.kind == .denied || ending.kind == .deferred else { return [] }
      return ["\(ending.reason.name) is used up\(stated(["policy", ending.reason.name]))"]
    }
  }

  private func cleared(_ verb: String, _ isIt: (PhoneEvent) -> Bool) -> [String] {
    last(isIt).map { ["the pending request was cleared at \(when($0)): \(verb)"] } ?? []
  }

  /// A sentence about the last fire, and about when the reminder may fire again.
  private var spent: String {
    let own = found.journal.first.appeared.filter {
      $0.request.reminder == found.reminder && $0.instant < found.evaluatedAt
    }
    guard let last = own.last else { return "it has already been requested" }
    let word: String
    let zone = scenario.zones[last.moment.zone]
    let date = zone.local(at: last.moment.wall).date
    let again: String?
    switch declaration.repeats {
    case .once, .always: (word, again) = ("it fires once", nil)
    case .daily: (word, again) = ("'repeat: daily' means the calendar day", (date + 1).text)
    case .weekly:
      let start = scenario.policy.weekStart
      let days = 7 - date.weekday.days(since: start)
      (word, again) = ("'repeat: weekly' means the calendar week", (date + days).text)
    case .monthly:
      var next = date
      repeat { next = next + 1 } while next.day != 1
      (word, again) = ("'repeat: monthly' means the calendar month", next.text)
    }
    return "it fired at \(words.time(last.moment)); \(word)"
      + (again.map { " and allows it again on \($0)" } ?? "")
      + stated(["reminders", declaration.id, "repeat"])
  }

  private func interval(_ ending: RunAccounts.Ending) -> [String] {
    let spent = explainer.spent(found, ending).notifications(under: .minimumInterval)
    guard let last = spent.max(by: { $0.moment.wall < $1.moment.wall }) else { return [] }
    let next = last.moment.wall + scenario.policy.minimumInterval
    return [
      "\(words.name(last.request.reminder)) fired at \(words.time(last.moment)), so the next can fire from "
        + explainer.time(next, ending.moment) + stated(["policy", "minimumInterval"])
    ]
  }

  // MARK: - Conditions

  /// A sentence for each failing condition: which line made it false.
  private var failures: [String] {
    let truth = found.truth?.declaration == found.explanation.declaration ? found.truth : nil
    return declaration.conditions.enumerated().compactMap { index, condition in
      let isKnown = found.explanation.conditions[index].holds
      guard !isKnown || truth?.conditions[index].holds == false else { return nil }
      return failure(of: condition)
    }
  }

  private func failure(of condition: Condition) -> String {
    let text = condition.openWindow ?? FactWords(scenario).text(condition)
    let source = stated(["reminders", declaration.id, "if"])
    switch condition {
    case .fact(let fact):
      let causes = fact.factNames.compactMap { name -> String? in
        guard let index = scenario.facts.firstIndex(where: { $0.name == name }) else { return nil }
        let declared = scenario.facts[index]
        let event = last { if case .fact(FactID(UInt32(index)), _) = $0 { true } else { false } }
        guard let event, case .fact(_, let value) = event.event else {
          let known = found.facts[UInt32(index)].map { FactWords(scenario).text($0.value, of: declared) }
          return "\(name) " + (known.map { "is \($0) from the start" } ?? "was never set")
            + stated(["facts", name])
        }
        return "\(name) is \(FactWords(scenario).text(value, of: declared)) since \(when(event))"
      }
      return "'\(text)' fails: " + causes.joined(separator: ", ")
    case .charging(let wanted):
      let event = last { $0 == .plugIn || $0 == .unplug }
      let state = wanted ? "not charging" : "charging"
      return "'\(text)' fails: " + (event.map { "\(state) since \(when($0))" } ?? "\(state) from the start")
    case .inside(let place), .outside(let place):
      guard let region = region(place) else { return "'\(text)' fails" }
      let event = last { $0 == .enterRegion(region) || $0 == .exitRegion(region) }
      return "'\(text)' fails" + (event.map { ": see \(when($0))" } ?? ": the phone was never there")
    default: return "'\(text)' fails at \(words.time(found.moment))\(source)"
    }
  }

  // MARK: - Lines

  /// Returns the last event of a kind until the evaluation, or `nil` if there is none.
  private func last(_ isIt: (PhoneEvent) -> Bool) -> ProgramEvent? {
    events.last { $0.instant <= found.evaluatedAt && isIt($0.event) }
  }

  /// Returns the time and line of an event, such as "2026-03-02 08:30 (line 12)".
  private func when(_ event: ProgramEvent) -> String {
    let wall = found.moment.wall - (found.evaluatedAt - event.instant)
    let time = explainer.time(wall, found.moment)
    let sources = scenario.sources
    if program.origin.lines != nil || sources.diagnostic("", at: event.position).excerpt == nil {
      return time
    }
    let file = event.position.file == 0 ? "" : "\(sources.name(of: event.position)) "
    return "\(time) (\(file)line \(event.position.line))"
  }

  /// Returns the line of a declaration, such as " (line 12)", or an empty string if the file does not state it.
  private func stated(_ keys: [String]) -> String {
    layout.line(of: keys).map { " (line \($0))" } ?? ""
  }

  private func setting(_ text: String, _ keys: [String], _ isIt: (PhoneEvent) -> Bool) -> [String] {
    [text + (last(isIt).map { " since \(when($0))" } ?? stated(keys))]
  }
}

extension Program {
  /// Returns the events of the phone before an instant, without fixes, in chronological order.
  func phoneEvents(before end: Instant) -> [ProgramEvent] {
    events.prefix { $0.instant < end }.filter { event in
      if case .fix = event.event { return false }
      return event.device == 0
    }
  }
}
