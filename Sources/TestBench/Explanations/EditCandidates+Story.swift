import CivilTime
import DeviceSimulation
import ReminderEngine
import ReminderMatching
import ScenarioModel
import Scenarios
import Simulation
import TextFormats
import TriggerModel

/// Candidate edits of the time line and of the phone's settings.
extension EditCandidates {
  /// Edits that add an entry before the instant to make a condition hold.
  var conditionEntries: [ScenarioEdit] { failing.flatMap { conditionEntries($0) } }

  /// Returns the edits of the time line that make a failing condition hold.
  ///
  /// - Parameter index: The index of the condition. Conditions of plans follow those of the declaration.
  func conditionEntries(_ index: Int) -> [ScenarioEdit] {
    let conditions = declaration.conditions + planConditions.map { .fact($0) }
    switch conditions[index] {
    case .charging(let wanted): return entries([wanted ? "plug in" : "unplug"], before: .minutes(1))
    case .inside(let place): return entries(["enter \(place)", "at \(place)"], before: .minutes(1))
    case .outside(let place): return entries(["exit \(place)"], before: .minutes(1))
    case .fact(let fact):
      // A number is counted again, but other facts would not have changed at all.
      let isNumber = scenario.facts.contains { fact.quantity == .value($0.name) && $0.kind == .number }
      let causes = removedCulprits.filter { sets($0, fact.factNames) }
      return isNumber ? entries(fitting: fact) + causes : causes + entries(fitting: fact)
    default: return []
    }
  }

  /// Edits that add an entry at the instant to trigger an evaluation.
  var triggerEntries: [ScenarioEdit] {
    declaration.triggers.flatMap { triggering($0) }.flatMap { [$0.entry].compactMap(\.self) }
  }

  /// The triggering entries, each preceded by entries that make it change the phone's state.
  var preparedTriggerEntries: [[ScenarioEdit]] {
    declaration.triggers.flatMap { triggering($0) }.map { trigger in
      [trigger.entry].compactMap(\.self) + entries(trigger.preparation, before: .minutes(1))
    }
  }

  private func triggering(_ trigger: Trigger) -> [(entry: ScenarioEdit?, preparation: [String])] {
    switch trigger {
    case .unlock: [(entry("unlock"), ["lock"])]
    case .chargingStarted: [(entry("plug in"), ["unplug"])]
    case .chargingStopped: [(entry("unplug"), ["plug in"])]
    case .appOpened(let app): [(entry("open app \(app)"), ["unlock"])]
    case .opened: [(entry("open"), ["leave"])]
    case .regionEntered(let place):
      [(entry("enter \(place)"), ["exit \(place)"]), (entry("at \(place)"), ["exit \(place)"])]
    case .regionExited(let place): [(entry("exit \(place)"), ["enter \(place)"])]
    case .factChanged(let name): other(than: name).map { (entry("set \(name) = \($0)"), []) }
    default: []
    }
  }

  /// Returns values that differ from the fact's current value.
  private func other(than name: String) -> [String] {
    guard let index = scenario.facts.firstIndex(where: { $0.name == name }) else { return [] }
    let fact = scenario.facts[index]
    let known = facts[UInt32(index)] ?? .missing
    let values: [FactValue] =
      switch fact.kind {
      case .truth: [.truth(true), .truth(false)]
      case .number: [.number(thousandths: 1_000), .number(thousandths: 2_000)]
      case .instant: [.instant(scenario.start), .instant(scenario.start + .days(1))]
      case .date: [.date(startDate), .date(startDate + 1)]
      case .name: fact.names.indices.map { .name($0) }
      }
    return values.filter { $0 != known }.map { FactWords(scenario).text($0, of: fact) }
  }

  // MARK: - Facts

  private func entries(fitting fact: FactCondition) -> [ScenarioEdit] {
    // No entry can set these facts: the app counts active reminders, and the person's plan sets their limit.
    if planConditions.contains(fact) || fact.quantity == .value(ReminderLimit.factName(of: declaration.id)) {
      return everyPlan.flatMap(\.self)
    }
    var result: [ScenarioEdit] = []
    for constant in fact.constants {
      switch fact.quantity {
      case .value(let name): result += set(name, near: constant)
      case .ratio(let a, let b): result += set(a, b, asRatio: constant)
      case .age(let name):
        for span in [TimeSpan.minutes(1), TimeSpan(milliseconds: constant.bits) + .minutes(1)] {
          result += [set(name, value(of: name), before: span)].compactMap(\.self)
        }
      case .days(let name):
        let days = constant.bits / 1_000
        for day in [days, days + 1, days - 1] where abs(day) < 40_000 {
          result += set(name, at: moment.wall - .days(day))
        }
      case .time(let name):
        let span = TimeSpan(milliseconds: constant.bits)
        for extra in [TimeSpan.zero, .minutes(1), .zero - .minutes(1)]
        where abs(span.milliseconds) < TimeSpan.days(40_000).milliseconds {
          result += set(name, .instant(minute(of: moment.wall - span - extra)))
        }
      }
    }
    return result
  }

  /// The alternative edits of the person's plan, or one empty alternative if no plan affects the reminder.
  var plans: [[ScenarioEdit]] { planConditions.isEmpty ? [[]] : everyPlan }

  /// The edits that switch the person to each plan just before the instant.
  private var everyPlan: [[ScenarioEdit]] {
    guard let room = program.scenario.app.reminderLimit else { return [] }
    let plan = scenario.facts[room.fact.index]
    return plan.names.indices.map { set(plan.name, .name($0)) }
  }

  private func set(_ name: String, near constant: FactValue) -> [ScenarioEdit] {
    guard let fact = scenario.facts.first(where: { $0.name == name }) else { return [] }
    let values: [FactValue] =
      switch fact.kind {
      case .truth: [.truth(true), .truth(false)]
      case .name: fact.names.indices.map { .name($0) }
      case .number:
        [0, 1_000, -1_000].map { .number(thousandths: constant.bits &+ $0) }
      case .instant:
        [0, 1, -1].map { .instant(Instant(millisecondsSince1970: constant.bits) + .days($0)) }
      case .date: [0, 1, -1].map { .date(constant.date + $0) }
      }
    return values.flatMap { set(name, $0) }
  }

  /// Returns edits that set a fact to an instant, or to the local date of that instant.
  private func set(_ name: String, at then: Instant) -> [ScenarioEdit] {
    let isDate = scenario.facts.first { $0.name == name }?.kind == .date
    return set(name, isDate ? .date(scenario.zones[moment.zone].local(at: then).date) : .instant(then))
  }

  /// Edits that set the fact from which the schedule counts so that the reminder is due at the instant.
  var countedFacts: [ScenarioEdit] {
    let then = minute(of: moment.wall)
    return declaration.triggers.flatMap { trigger -> [ScenarioEdit] in
      guard case .scheduled(let schedule) = trigger else { return [] }
      return switch schedule.dates {
      case .recurring: []
      case .relative(let days): days.days.flatMap { set(days.fact, at: then - .days(Int64($0))) }
      case .elapsed(let spans): spans.spans.flatMap { set(spans.fact, at: then - $0) }
      }
    }
  }

  /// Returns edits that set one of two numbers so that their ratio is close to the given one.
  private func set(_ a: String, _ b: String, asRatio ratio: FactValue) -> [ScenarioEdit] {
    let divisor = value(of: b)
    let (product, overflow) = ratio.bits.multipliedReportingOverflow(by: divisor.bits)
    var result: [ScenarioEdit] = []
    if !overflow {
      for extra in [0, 1_000, -1_000] as [Int64] {
        result += set(a, .number(thousandths: product / 1_000 &+ extra))
      }
    }
    let (thousandfold, isTooLarge) = value(of: a).bits.multipliedReportingOverflow(by: 1_000)
    if !isTooLarge, ratio.bits != 0 {
      for extra in [0, 1_000, -1_000] as [Int64] {
        result += set(b, .number(thousandths: thousandfold / ratio.bits &+ extra))
      }
    }
    return result
  }

  /// Returns edits that set a fact a minute before the instant. If the time line counts a number, the edit
  /// resets it at the start of the local day.
  private func set(_ name: String, _ value: FactValue) -> [ScenarioEdit] {
    let times: [Instant?]
    if let index = scenario.facts.firstIndex(where: { $0.name == name }),
      scenario.facts[index].kind == .number,
      let changed = lastChange(of: FactID(UInt32(index))), changed < midnight
    {
      times = [midnight, minute(before: .minutes(1))]
    } else {
      times = [minute(before: .minutes(1))]
    }
    return times.compactMap { $0 }.compactMap { set(name, value, at: $0) }
  }

  private func set(_ name: String, _ value: FactValue, before span: TimeSpan) -> ScenarioEdit? {
    minute(before: span).flatMap { set(name, value, at: $0) }
  }

  private func set(_ name: String, _ value: FactValue, at then: Instant) -> ScenarioEdit? {
    guard let fact = scenario.facts.first(where: { $0.name == name }) else { return nil }
    return entry("set \(name) = \(FactWords(scenario).text(value, of: fact))", at: then)
  }

  /// The start of the local day.
  private var midnight: Instant {
    let local = scenario.zones[moment.zone].local(at: moment.wall)
    return minute(of: instant - TimeSpan(milliseconds: Int64(local.millisecondOfDay)))
  }

  /// Returns when the time line last set a fact before the instant.
  private func lastChange(of fact: FactID) -> Instant? {
    past.last { if case .fact(fact, _) = $0.event { true } else { false } }?.instant
  }

  /// Returns the known value of a fact, or an arbitrary value of its kind.
  private func value(of name: String) -> FactValue {
    guard let index = scenario.facts.firstIndex(where: { $0.name == name }) else { return .missing }
    if let known = facts[UInt32(index)], !known.isMissing { return known }
    return switch scenario.facts[index].kind {
    case .truth: .truth(true)
    case .number: .number(thousandths: 1_000)
    case .instant: .instant(minute(of: scenario.start))
    case .date: .date(startDate)
    case .name: .name(0)
    }
  }

  var startDate: CivilDate { scenario.zones[scenario.zone].local(at: scenario.start).date }

  func minute(of instant: Instant) -> Instant {
    Instant(millisecondsSince1970: instant.millisecondsSince1970 / 60_000 * 60_000)
  }

  // MARK: - The phone

  /// Edits that add everyday actions of the phone's user that may make the reminder fire.
  var phoneEntries: [ScenarioEdit] {
    let actions =
      ["open", "unlock", "leave", "power on", "lock", "plug in", "unplug"]
      + scenario.edits.filter { scenario.reminders[$0.reminder.index].declaration.id == declaration.id }
      .map { "edit \(declaration.id) to \($0.name)" }
    return entries(actions, before: .minutes(1)) + entries(["open", "unlock"], before: .zero)
  }

  /// Edits that change settings of the system or of the app, and rare actions. A person asks for them.
  var settingEntries: [ScenarioEdit] {
    let type = declaration.notification.type
    let actions =
      [
        "grant notifications", "focus off", "summary off", "location services on", "channel \(type) alerting",
        "exact alarms on", "turn on \(type)", "turn on all notifications", "own daily cap none",
        "location always", "precise location on", "background refresh on", "low power mode off",
        "airplane mode off", "battery 100 %", "clear notifications", "pull notification centre", "cancel all",
        "prompt authorized", "reinstall",
      ] + scenario.factSources.map { "allow reading \($0)" }
    let now = ["pull notification centre", "clear notifications"]
    let everyday = ["open", "unlock", "leave", "power on", "lock", "plug in", "unplug"]
    let atStart = (actions + everyday).compactMap { entry($0, at: scenario.start) }
    // The scheduled summary delivers notifications that the phone held since the previous day.
    let held = entries(["summary on"], before: .days(1))
    return entries(actions, before: .minutes(1)) + entries(now, before: .zero) + held + atStart
  }

  /// Edits that are tried last, each in its own run. A snoozed reminder fires again without a trigger and
  /// without evaluating its conditions, so snoozing it bypasses the actual reason.
  var lastResorts: [ScenarioEdit] {
    let words = "snooze \(declaration.id) for 1 min"
    return entries([words], before: .minutes(1)) + [entry(words, at: scenario.start)].compactMap(\.self)
  }

  // MARK: - Left out

  /// Edits that each remove one entry of the time line before the end of the minute. Entries that change the
  /// clock are kept.
  var removedEntries: [ScenarioEdit] {
    let end = instant + .minutes(1)
    let happened = Set(program.events.lazy.filter { $0.instant < end }.map(\.position))
    return document.entries.enumerated().compactMap { index, entry -> ScenarioEdit? in
      guard index < items.count, happened.contains(items[index].position), !movesClock(items[index].value),
        entry["do"] != nil
      else { return nil }
      let position = items[index].position
      let source = scenario.sources.diagnostic("", at: position).excerpt?.drop { $0 == " " }
      if let source, source.hasPrefix("- ") {
        return .leaveOutEntry(index, String(source.dropFirst(2)), line: Int(position.line))
      }
      return .leaveOutEntry(index, entry.line, line: source == nil ? nil : Int(position.line))
    }
  }

  private func movesClock(_ item: TimelineItem) -> Bool {
    item.actions.contains { action in
      switch action {
      case .event(.travel), .event(.setClock): true
      default: false
      }
    }
  }

  private func actions(_ edit: ScenarioEdit) -> [TimelineAction] {
    if case .leaveOutEntry(let index, _, _) = edit { items[index].value.actions } else { [] }
  }

  /// Returns whether an entry cancels, completes or snoozes the reminder, or replaces its current
  /// declaration.
  func isAboutReminder(_ edit: ScenarioEdit) -> Bool {
    func isIt(_ reminder: ReminderID) -> Bool {
      scenario.reminders[reminder.index].declaration.id == declaration.id
    }
    return actions(edit).contains { action in
      switch action {
      case .event(.cancel(let reminder)), .complete(let reminder, _), .event(.snooze(let reminder, _)),
        .event(.snoozeUntil(let reminder, _)), .snoozeUntil(let reminder, _, _),
        .snoozeMonths(let reminder, _):
        isIt(reminder)
      case .event(.edit(let reminder, _)): !isEdited && isIt(reminder)
      default: false
      }
    }
  }

  /// Edits that each remove an entry that is known to prevent a fire.
  var removedCulprits: [ScenarioEdit] {
    let facts = (failing.filter(declaration.conditions.indices.contains).map { declaration.conditions[$0] })
      .flatMap { if case .fact(let fact) = $0 { fact.factNames } else { [String]() } }
    return removedEntries.reversed().filter {
      isAboutReminder($0) || preventsNotifications($0) || delays($0) || sets($0, facts)
    }
  }

  /// Returns whether an entry delays notifications, or what the app observes.
  private func delays(_ edit: ScenarioEdit) -> Bool {
    actions(edit).contains { action in
      switch action {
      case .event(.focus(true)), .event(.summary(true)), .event(.airplaneMode(true)),
        .event(.backgroundRefresh(false)), .event(.locationServices(false)), .event(.preciseLocation(false)),
        .event(.exactAlarms(false)), .event(.lowPowerMode(true)), .event(.forceStop),
        .event(.appChoice(_, isChosen: false)):
        true
      case .event(.locationPermission(let permission)): permission != .always
      default: false
      }
    }
  }

  /// Edits that each remove an entry that opens the app, the last one first.
  var removedOpenings: [ScenarioEdit] {
    removedEntries.reversed().filter { actions($0).contains(.event(.openOwnApp)) }
  }

  /// Returns whether an entry sets one of the facts.
  private func sets(_ edit: ScenarioEdit, _ names: [String]) -> Bool {
    actions(edit).contains { action in
      if case .event(.fact(let fact, _)) = action {
        names.contains(scenario.facts[fact.index].name)
      } else {
        false
      }
    }
  }

  /// Returns whether an entry prevents requests or notifications.
  func preventsNotifications(_ edit: ScenarioEdit) -> Bool {
    actions(edit).contains { action in
      switch action {
      case .event(.cancelAll), .event(.forceQuit), .event(.powerOff), .event(.systemSheet),
        .event(.failNextAdd), .event(.storeFault), .event(.reading(_, isAllowed: false)),
        .event(.preference(.type(_, isOn: false))), .event(.preference(.all)),
        .event(.preference(.dailyCap)):
        true
      case .event(.notificationPermission(let permission)): permission != .authorized
      default: false
      }
    }
  }
}
