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
  var conditionEntries: [ScenarioEdit] {
    let conditions = declaration.conditions + planConditions.map { .fact($0) }
    return failing.flatMap { index -> [ScenarioEdit] in
      switch conditions[index] {
      case .charging(let wanted): return justBefore(wanted ? "plug in" : "unplug")
      case .inside(let place): return justBefore("enter \(place)") + justBefore("at \(place)")
      case .outside(let place): return justBefore("exit \(place)")
      case .fact(let fact): return entries(fitting: fact)
      default: return []
      }
    }
  }

  /// Returns edits that add the entry a minute before the instant, a second before it, and at it.
  private func justBefore(_ words: String) -> [ScenarioEdit] {
    [entry(words, before: .minutes(1)), entry(words, before: .seconds(1)), entry(words)].compactMap(\.self)
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

  private func set(_ name: String, _ value: FactValue) -> [ScenarioEdit] {
    [set(name, value, before: .minutes(1)), set(name, value, before: .seconds(1))].compactMap(\.self)
  }

  private func set(_ name: String, _ value: FactValue, before span: TimeSpan) -> ScenarioEdit? {
    guard let fact = scenario.facts.first(where: { $0.name == name }) else { return nil }
    return entry("set \(name) = \(FactWords(scenario).text(value, of: fact))", before: span)
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

  private var startDate: CivilDate { scenario.zones[scenario.zone].local(at: scenario.start).date }

  private func minute(of instant: Instant) -> Instant {
    Instant(millisecondsSince1970: instant.millisecondsSince1970 / 60_000 * 60_000)
  }

  // MARK: - The phone

  /// Edits that add actions of the phone's user that may make the reminder fire.
  var phoneEntries: [ScenarioEdit] {
    let type = declaration.notification.type
    let actions =
      [
        "open", "grant notifications", "unlock", "leave", "focus off", "summary off", "power on", "lock",
        "location services on", "channel \(type) alerting", "exact alarms on", "turn on \(type)",
        "turn on all notifications", "own daily cap none", "location always",
        "precise location on", "background refresh on", "low power mode off", "airplane mode off",
        "plug in", "unplug", "battery 100 %", "clear notifications", "pull notification centre",
        "cancel all", "prompt authorized", "reinstall",
      ] + scenario.factSources.map { "allow reading \($0)" }
      + scenario.edits.filter { scenario.reminders[$0.reminder.index].declaration.id == declaration.id }
      .map { "edit \(declaration.id) to \($0.name)" }
    let now = ["open", "unlock", "pull notification centre", "clear notifications"]
    let atStart = actions.map { ScenarioEdit.add("+0s \($0)") }
    // The scheduled summary delivers notifications that the phone held since the previous day.
    let held = entries(["summary on"], before: .days(1))
    return entries(actions, before: .minutes(1)) + entries(now, before: .zero) + held + atStart
  }

  /// Edits that are tried last, each in its own run. A snoozed reminder fires again without a trigger and
  /// without evaluating its conditions, so snoozing it bypasses the actual reason.
  var lastResorts: [ScenarioEdit] {
    let words = "snooze \(declaration.id) for 1 min"
    return entries([words], before: .minutes(1)) + [.add("+0s \(words)")]
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
