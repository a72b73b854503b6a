import CivilTime
import DeviceSimulation
import NotificationGateway
import ReminderMatching
import ScenarioModel
import Simulation
import Statistics
import TextFormats
import TriggerModel

/// The edits that a person would make for the reason that the run reports.
extension EditCandidates {
  /// Sets of edits for the reported causes and reasons, in the order in which a person would try them. With
  /// them, the reminder may fire after the minute.
  var likely: [[ScenarioEdit]] {
    let sets = missed.flatMap { remedies(for: $0) } + reasons.flatMap { remedies(for: $0) }
    return sets.distinct + sets.distinct.map { $0 + relaxations }
  }

  // MARK: - Events that the app missed

  private func remedies(for miss: MissedRequest) -> [[ScenarioEdit]] {
    switch miss.cause {
    case .declined(let reason): return remedies(for: reason)
    case .notRequested: return []
    case .repeatingRequestLost: return [reopened]
    case .notWoken:
      return schedulesAhead.map { afterForeground + [$0] } + [reopened]
    case .notObserved:
      if !causeEdits.isEmpty { return causeEdits.map { [$0] } }
      // A trigger that the system never reports is replaced. Others may come again, so they are kept.
      let isReported = miss.cause != .notObserved(MissCause.noSign.name)
      let schedule = [dailySchedule(replacingTriggers: !isReported)]
      return [reopened, schedule] + removedCulprits.map { [$0] }
    }
  }

  /// Entries that open the app and leave it again before the instant.
  private var reopened: [ScenarioEdit] {
    entries(["open"], before: .minutes(2)) + entries(["leave"], before: .minutes(1))
  }

  /// An entry a minute after the app was last opened that makes it leave the foreground.
  private var afterForeground: [ScenarioEdit] {
    if let opened = past.last(where: { $0.event == .openOwnApp }) {
      let left = minute(of: opened.instant) + .minutes(1)
      if left < instant { return [entry("leave", at: left)].compactMap(\.self) }
    }
    return entries(["leave"], before: .minutes(1))
  }

  /// An edit that adds a daily schedule at the instant's time of day.
  private func dailySchedule(replacingTriggers: Bool) -> ScenarioEdit {
    let others = replacingTriggers ? [] : declaration.triggers.filter { !$0.isTime }
    return when(others + [dueAtInstant(.daily, ahead: 1)])
  }

  // MARK: - Reasons

  private func remedies(for reason: Reason) -> [[ScenarioEdit]] {
    let notify = keys + ["notify"]
    let bucket = [[ScenarioEdit.write(notify + ["bucket"], "user")]]
    switch reason {
    case .notPresented:
      return schedulesAhead.map { afterForeground + [$0] } + [afterForeground]
    case .pendingLimit, .clearedByReboot, .clearedByUpdate, .clearedByForceStop: return [reopened]
    case .snoozed, .addFailed: return removedCulprits.map { [$0] }
    case .alreadyFired:
      return removedCulprits.filter { isAboutReminder($0) }.map { [$0] } + repeats.map { [$0] }
    case .permission, .permissionRevoked:
      let granted = [minute(of: instant - .minutes(1)), scenario.start].compactMap {
        entry("grant notifications", at: $0)
      }
      return (removedCulprits + granted + [.write(["phone", "notifications"], "authorized")]).map { [$0] }
    case .userDisabled, .userDailyCap:
      let type = declaration.notification.type
      let choices = ["turn on \(type)", "turn on all notifications", "own daily cap none"]
      return removedCulprits.map { [$0] } + entries(choices, before: .minutes(1)).map { [$0] }
    case .quietHours:
      let defers: [[ScenarioEdit]] = [[.write(["policy", "quietAction"], "defer")]]
      return defers + bucket + quieter.map { [$0] }
    case .minimumInterval: return shorterInterval.map { [$0] } + bucket
    case .dailyCap, .typeDailyCap, .criticalDailyCap:
      return raised(reason.name).map { [$0] } + bucket
    case .lifetimeCap, .lapseCap, .typeWeeklyCap, .typeMonthlyCap, .typeRollingCap, .weeklyCap, .monthlyCap,
      .rollingCap:
      return periodCaps.flatMap { cap in (1...5).map { [.write(cap.keys, cap.limit($0))] } }
    case .superseded where declaration.triggers.contains(where: \.isLapse):
      return removedOpenings.map { [$0] }
    default: return fixes
    }
  }

  /// Edits of the policy that admit a request at the instant and change it as little as possible.
  private var relaxations: [ScenarioEdit] {
    blockers.flatMap { reason -> [ScenarioEdit] in
      switch reason {
      case .quietHours: Array(quieter.prefix(1))
      case .minimumInterval: Array(shorterInterval.prefix(1))
      case .dailyCap, .typeDailyCap, .criticalDailyCap: Array(raised(reason.name).prefix(1))
      default: []
      }
    }
  }

  /// Sets with one edit for each failing condition. They change the story, or widen the condition.
  private var fixes: [[ScenarioEdit]] {
    let choices = failing.map { index -> [ConditionFix] in
      let entries = conditionEntries(index).map { ConditionFix.entry($0) }
      guard declaration.conditions.indices.contains(index) else { return entries }
      return entries + wider(declaration.conditions[index]).map { .wider(index, $0) }
    }
    var sets: [[ConditionFix]] = choices.isEmpty ? [] : [[]]
    for choice in choices { sets = sets.flatMap { set in choice.map { set + [$0] } }.prefix(40).map(\.self) }
    return sets.map { set in
      var changes: [Int: Condition?] = [:]
      var edits: [ScenarioEdit] = []
      for fix in set {
        switch fix {
        case .entry(let edit): edits.append(edit)
        case .wider(let index, let condition): changes[index] = .some(condition)
        }
      }
      return edits + (changes.isEmpty ? [] : [conditions(changes)])
    }
  }

  private enum ConditionFix {
    case entry(ScenarioEdit)
    case wider(Int, Condition)
  }

  // MARK: - Smaller edits

  /// Returns edits that change less than an edit that drops a rule altogether.
  func smaller(than edit: ScenarioEdit) -> [ScenarioEdit] {
    if edit == withoutFailing || edit == withoutConditions {
      return fixes.filter { $0.count == 1 }.flatMap(\.self)
    }
    guard let keys = edit.keys, keys.count == 2, keys[0] == "policy" else { return [] }
    switch keys[1] {
    case "quietHours": return quieter
    case "minimumInterval": return shorterInterval
    default: return raised(keys[1])
    }
  }

  /// Edits that move the nearer end of the quiet hours past the instant, to a quarter of an hour.
  var quieter: [ScenarioEdit] {
    guard let window = scenario.policy.quietHours?.everyDay, !window.isEmpty else { return [] }
    let minute = scenario.zones[moment.zone].local(at: moment.wall).minuteOfDay
    let (from, to) = ((minute / 15 + 1) * 15 % 1_440, minute / 15 * 15)
    let begun = (minute - window.from).floorRemainder(by: 1_440)
    let rest = (window.to - minute).floorRemainder(by: 1_440)
    guard begun < window.length else { return [] }
    let later = DailyWindow(from: from, to: window.to)
    let shorter = DailyWindow(from: window.from, to: to)
    return (begun <= rest ? [later, shorter] : [shorter, later]).filter { !$0.isEmpty }.map {
      .write(["policy", "quietHours"], .string("\(MinuteOfDay.text($0.from))-\(MinuteOfDay.text($0.to))"))
    }
  }

  /// Edits that shorten the minimum interval to the time since the last notification.
  var shorterInterval: [ScenarioEdit] {
    guard let gap = sinceLast, gap >= .minutes(1) else { return [] }
    let minutes = gap.milliseconds / 60_000
    let hours = minutes / 60
    let whole = hours > 0 ? "\(hours) h" : "\(minutes) min"
    return [.write(["policy", "minimumInterval"], .string(whole))]
  }

  /// Edits that raise a cap by one to five.
  func raised(_ cap: String) -> [ScenarioEdit] {
    guard case .integer(let count)? = document[["policy", cap]] else { return [] }
    return (1...5).map { .write(["policy", cap], .integer(count + $0)) }
  }

  /// Edits that let the reminder fire more often.
  var repeats: [ScenarioEdit] {
    [("daily", Repeat.daily), ("always", .always)].compactMap { word, repeats in
      declaration.repeats == repeats ? nil : .write(keys + ["repeat"], .string(word))
    }
  }
}

extension Trigger {
  /// Whether the trigger counts the days since the app was last opened.
  fileprivate var isLapse: Bool { if case .lapsed = self { true } else { false } }
}

extension FactCondition {
  /// The names of the facts that the condition compares.
  var factNames: [String] {
    switch quantity {
    case .value(let name), .age(let name), .days(let name), .time(let name): [name]
    case .ratio(let a, let b): [a, b]
    }
  }
}
