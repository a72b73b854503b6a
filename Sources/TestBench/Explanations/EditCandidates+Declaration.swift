import CivilTime
import DeviceSimulation
import ReminderMatching
import ScenarioModel
import Scenarios
import Simulation
import TextFormats
import TriggerModel

/// Candidate edits of the reminder's declaration.
extension EditCandidates {
  private func write(_ key: String, _ value: JSONValue) -> ScenarioEdit { .write(keys + [key], value) }

  private func write(_ key: String, _ values: [JSONValue]) -> ScenarioEdit {
    write(key, values.count == 1 ? values[0] : .array(values))
  }

  private func remove(_ keys: [String]) -> [ScenarioEdit] {
    guard shape.canRemove(keys), let value = document[keys] else { return [] }
    return [.leaveOut(keys, value)]
  }

  // MARK: - Conditions

  /// Edits that each widen one failing condition.
  var widerConditions: [ScenarioEdit] {
    failingDeclared.flatMap { index in
      wider(declaration.conditions[index]).map { conditions([index: $0]) }
    }
  }

  /// Edits that each remove one failing condition, and an edit that removes all of them.
  var removedConditions: [ScenarioEdit] {
    failingDeclared.map { conditions([$0: nil]) } + [withoutFailing].compactMap(\.self)
  }

  /// Removes the failing conditions, or `nil` if no condition fails.
  var withoutFailing: ScenarioEdit? { failingDeclared.isEmpty ? nil : without(failingDeclared) }

  /// The indices of the failing conditions that the file states.
  private var failingDeclared: [Int] { failing.filter(declaration.conditions.indices.contains) }

  /// Removes all conditions, or `nil` if there are none.
  var withoutConditions: ScenarioEdit? {
    declaration.conditions.isEmpty ? nil : without(Array(declaration.conditions.indices))
  }

  private func without(_ indices: [Int]) -> ScenarioEdit {
    conditions(Dictionary(uniqueKeysWithValues: indices.map { ($0, nil as Condition?) }))
  }

  /// Replaces or removes some of the conditions.
  ///
  /// An empty list cannot override the conditions of a pack or a template, so the edit writes a condition
  /// that always holds.
  func conditions(_ changes: [Int: Condition?]) -> ScenarioEdit {
    var written: [JSONValue] = []
    for (index, condition) in declaration.conditions.enumerated() {
      guard let change = changes[index] else {
        written.append(words(condition))
        continue
      }
      if let change { written.append(words(change)) }
    }
    let keys = keys + ["if"]
    if written.isEmpty, shape.canRemove(keys) {
      return .leaveOut(keys, .array(declaration.conditions.map(words)))
    }
    return write("if", written.isEmpty ? ["on day"] : written)
  }

  /// Returns the condition in its short form, or in the long form if it has no short one.
  private func words(_ condition: Condition) -> JSONValue {
    let text = condition.openWindow ?? FactWords(scenario).text(condition)
    guard case .fact(let fact) = condition else { return .string(text) }
    if case .value(let name) = fact.quantity,
      scenario.facts.first(where: { $0.name == name })?.kind == .instant
    {
      let writer = Writer(context: ScenarioWritingContext(scenario, parts: .all))
      return Format<Condition>.condition.write(condition, writer)
    }
    return .string(fact.reason == .conditionFailed ? text : "\(text) else \(fact.reason.name)")
  }

  /// Returns wider conditions that hold at the instant. The ends of windows of time are moved to a half hour.
  func wider(_ condition: Condition) -> [Condition] {
    let local = scenario.zones[moment.zone].local(at: moment.wall)
    switch condition {
    case .timeWindow(let window):
      let minute = local.minuteOfDay
      let toBegin = (window.from - minute).floorRemainder(by: 1_440)
      let sinceEnd = (minute + 1 - window.to).floorRemainder(by: 1_440)
      let earlier = [minute / 30 * 30, minute].map { DailyWindow(from: $0, to: window.to) }
      let later = [(minute / 30 + 1) * 30 % 1_440, (minute + 1) % 1_440].map {
        DailyWindow(from: window.from, to: $0)
      }
      return (toBegin <= sinceEnd ? earlier + later : later + earlier).filter { !$0.isEmpty }.map {
        .timeWindow($0)
      }
    case .weekdays(let days): return [.weekdays(days.union(WeekdaySet(local.date.weekday)))]
    case .fact(let fact): return wider(fact).map { .fact($0) }
    default: return []
    }
  }

  /// Returns the narrowest wider conditions that the known value satisfies.
  private func wider(_ fact: FactCondition) -> [FactCondition] {
    guard case .value(let name) = fact.quantity,
      let index = scenario.facts.firstIndex(where: { $0.name == name }),
      let known = facts[UInt32(index)], !known.isMissing
    else { return [] }
    var wider = fact
    switch fact.comparison {
    case .lessOrEqual, .greaterOrEqual: wider.constants = [known]
    case .less: wider.constants = [.number(thousandths: known.bits &+ 1_000)]
    case .greater: wider.constants = [.number(thousandths: known.bits &- 1_000)]
    case .equal: wider.constants.append(known)
    case .notEqual:
      wider.constants.removeAll { $0 == known }
      if wider.constants.isEmpty { return [] }
    }
    return [wider]
  }

  // MARK: - Repetition and bucket

  /// Edits that make the reminder request a notification at every trigger.
  var requestAtEveryTrigger: [ScenarioEdit] {
    let notify = keys + ["notify"]
    return [write("repeat", "always")]
      + remove(keys + ["expires"]) + remove(keys + ["withdraw"]) + remove(notify + ["usefulFor"])
      + [.write(notify + ["bucket"], "user")] + remove(notify + ["criticalIf"])
  }

  var declarationEdits: [ScenarioEdit] {
    let local = scenario.zones[moment.zone].local(at: moment.wall)
    let notify = keys + ["notify"]
    var edits = repeats
    if declaration.expires <= moment.wall {
      edits.append(write("expires", .string((local.date + 2).text + "T00:00")))
    }
    edits += remove(keys + ["expires"]) + remove(keys + ["withdraw"]) + unlimitedSchedules + schedulesAhead
    edits += [.write(notify + ["bucket"], "user"), .write(notify + ["bucket"], "critical")]
    edits += remove(notify + ["usefulFor"]) + remove(notify + ["criticalIf"])
    edits.append(.write(notify + ["priority"], 0))
    return edits
  }

  // MARK: - Triggers

  /// Returns an edit that replaces triggers, or `nil` if none changes.
  ///
  /// - Parameter change: Returns the replacement of a trigger, or `nil` to keep it.
  private func triggers(_ change: (Trigger) -> Trigger?) -> ScenarioEdit? {
    let changed = declaration.triggers.map { change($0) ?? $0 }
    return changed == declaration.triggers ? nil : write("when", changed.map(words))
  }

  /// Edits that remove the exceptions or the end of a schedule.
  private var unlimitedSchedules: [ScenarioEdit] {
    func without(_ limit: (inout Recurrence) -> Void) -> ScenarioEdit? {
      triggers { trigger in
        guard case .scheduled(var schedule) = trigger, case .recurring(var recurrence) = schedule.dates else {
          return nil
        }
        limit(&recurrence)
        schedule.dates = .recurring(recurrence)
        return .scheduled(schedule)
      }
    }
    return [without { $0.exceptions = [] }, without { $0.until = nil }].compactMap(\.self)
  }

  /// Edits that change the number of occurrences scheduled ahead. With 0, each occurrence is evaluated when
  /// it is due.
  var schedulesAhead: [ScenarioEdit] {
    [1, 2, 7, 30, 64, 0].compactMap { count in
      triggers { trigger in
        switch trigger {
        case .scheduled(var schedule) where count == 0 || count > schedule.ahead:
          schedule.ahead = count
          return .scheduled(schedule)
        // The edited schedule makes a separate request for each occurrence.
        case .repeating(.calendar(let recurrence)): return .scheduled(Schedule(recurrence, ahead: count))
        default: return nil
        }
      }
    }
  }

  /// Edits that add the instant's weekday to schedules, or move them to the instant's time of day.
  var schedulesAtInstant: [ScenarioEdit] {
    let weekday = WeekdaySet(scenario.zones[moment.zone].local(at: moment.wall).date.weekday)
    return [
      triggers { trigger in
        guard case .scheduled(var schedule) = trigger, case .recurring(var recurrence) = schedule.dates,
          let days = recurrence.weekdays
        else { return nil }
        recurrence.weekdays = days.union(weekday)
        schedule.dates = .recurring(recurrence)
        return .scheduled(schedule)
      },
      triggers { trigger in
        switch trigger {
        case .scheduled(var schedule):
          switch schedule.dates {
          case .recurring(var recurrence):
            recurrence.minutes = [nextMinute(in: recurrence.zone).minute]
            schedule.dates = .recurring(recurrence)
          case .relative(var days):
            days.minutes = [nextMinute.minute]
            schedule.dates = .relative(days)
          case .elapsed: return nil
          }
          return .scheduled(schedule)
        case .repeating(.calendar(var recurrence)):
          recurrence.minutes = [nextMinute.minute]
          return .repeating(.calendar(recurrence))
        case .lapsed(var lapse):
          lapse.minute = nextMinute.minute
          return .lapsed(lapse)
        default: return nil
        }
      },
    ].compactMap(\.self)
  }

  /// Edits that add a schedule for this instant: one that is evaluated when it is due, and one that is
  /// scheduled ahead.
  var dueAtInstant: [ScenarioEdit] {
    // A reminder has at most one schedule or lapse trigger.
    let others = declaration.triggers.filter { !$0.isTime }
    return [0, 1].map { when(others + [dueAtInstant(.once, ahead: $0)]) }
  }

  /// Returns a schedule for this instant.
  func dueAtInstant(_ frequency: Recurrence.Frequency, ahead: Int) -> Trigger {
    let then = nextMinute
    let start = frequency == .once ? then.date : startDate
    return .scheduled(
      Schedule(Recurrence(start: start, minute: then.minute, frequency: frequency), ahead: ahead))
  }

  /// Replaces the triggers.
  func when(_ triggers: [Trigger]) -> ScenarioEdit { write("when", triggers.map(words)) }

  /// Edits that add triggers for the events of this minute to the reminder's triggers, or replace them.
  var triggersAtInstant: [ScenarioEdit] {
    let minute = instant..<instant + .minutes(1)
    let happening = program.events.filter { $0.device == 0 && minute.contains($0.instant) }
    return happening.compactMap { trigger(of: $0.event) }.flatMap { trigger in
      [when(declaration.triggers + [trigger]), when([trigger])]
    }
  }

  private func trigger(of event: PhoneEvent) -> Trigger? {
    switch event {
    case .unlock: .unlock
    case .plugIn: .chargingStarted
    case .unplug: .chargingStopped
    case .openOwnApp: .opened
    case .openApp(let app): .appOpened(scenario.apps[app.index])
    case .enterRegion(let region): .regionEntered(scenario.places[region.index].name)
    case .exitRegion(let region): .regionExited(scenario.places[region.index].name)
    case .fact(let fact, _): .factChanged(scenario.facts[fact.index].name)
    default: nil
    }
  }

  /// An edit that starts the scenario a minute earlier. The engine does not evaluate a reminder that is due
  /// exactly at the start.
  var earlierStart: [ScenarioEdit] {
    guard instant - scenario.start < .minutes(1) else { return [] }
    let local = scenario.zones[scenario.zone].local(at: scenario.start - .minutes(1))
    let minute = MinuteOfDay.text(Int(local.millisecondOfDay / 60_000))
    return [.write(["start"], .string("\(local.date.text)T\(minute)"))]
  }

  /// The first full minute at or after the instant.
  private var nextMinute: (date: CivilDate, minute: Int) { nextMinute(in: nil) }

  /// - Parameter zone: The zone in which the minute is expressed, or `nil` for that of the phone.
  private func nextMinute(in zone: Zone?) -> (date: CivilDate, minute: Int) {
    let zone = zone ?? scenario.zones[moment.zone]
    let local = zone.local(at: moment.wall + TimeSpan(milliseconds: 59_999))
    return (local.date, Int(local.millisecondOfDay / 60_000))
  }

  /// Returns the trigger in its short form, which exists for every trigger.
  private func words(_ trigger: Trigger) -> JSONValue {
    let startDate = scenario.zones[scenario.zone].local(at: scenario.start).date
    return .string(trigger.eventWords { $0 } ?? ScheduleText(from: startDate) { $0 }.words(trigger) ?? "")
  }
}

extension Condition {
  /// The condition as `after 18:20` or `before 10:00`, or `nil` if it is no window that ends or starts at
  /// midnight.
  var openWindow: String? {
    guard case .timeWindow(let window) = self, !window.isEmpty else { return nil }
    if window.to == 0 { return "after \(MinuteOfDay.text(window.from))" }
    return window.from == 0 ? "before \(MinuteOfDay.text(window.to))" : nil
  }
}
