public import CivilTime
public import TriggerModel

/// An error in the declaration of a reminder.
public struct ReminderCompileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of error. ``description`` explains it in a sentence.
  public enum Code: Hashable, Sendable {
    /// The last two codes have an explanation as their ``subject``. The others have the unknown name or the
    /// limit.
    case duplicateID, noTrigger, severalSchedules, unknownName, tooManyReminders,
      invalidFactCondition, notRepeatable
  }

  /// The kind of error.
  public var code: Code
  /// The id of the reminder with the error.
  public var reminder: String
  /// The erroneous name or number, or an empty string if the error concerns the reminder itself.
  public var subject: String

  public var description: String {
    switch code {
    case .duplicateID: "reminder '\(reminder)' is declared twice"
    case .noTrigger: "reminder '\(reminder)' has no trigger, so it can never fire"
    case .severalSchedules: "reminder '\(reminder)' has more than one schedule; declare a reminder for each"
    case .unknownName: "reminder '\(reminder)' names '\(subject)', which is not declared"
    case .tooManyReminders: "more than \(subject) reminders listen to one trigger"
    case .invalidFactCondition, .notRepeatable: "reminder '\(reminder)': \(subject)"
    }
  }
}

extension ReminderProgram {
  /// Compiles reminders.
  ///
  /// - Parameters:
  ///   - reminders: The reminders in the order of declaration, which is also the order of identifiers.
  ///   - edits: Declarations that can replace a reminder with the same id while the program runs.
  ///   - names: The names that triggers and conditions may use.
  ///   - weekStart: The first day of the week for weekly reminders. It is also the default for schedules that
  ///     repeat every few weeks.
  /// - Throws: ``ReminderCompileError``.
  /// - Complexity: O(*n* log *n*) in the number of triggers.
  public convenience init(
    compiling reminders: [ReminderDeclaration], edits: [ReminderDeclaration] = [], names: EngineNames,
    weekStart: Weekday = .monday
  ) throws(ReminderCompileError) {
    var resolver = NameResolver(names: names, weekStart: weekStart)
    var positions: [String: Int] = [:]
    for (position, reminder) in reminders.enumerated() {
      if positions.updateValue(position, forKey: reminder.id) != nil {
        throw ReminderCompileError(code: .duplicateID, reminder: reminder.id, subject: "")
      }
    }
    let all = edits.isEmpty ? reminders : reminders + edits
    var compiled: [CompiledReminder] = []
    compiled.reserveCapacity(all.count)
    for (position, declaration) in all.enumerated() {
      guard let reminder = position < reminders.count ? position : positions[declaration.id] else {
        throw ReminderCompileError(code: .unknownName, reminder: declaration.id, subject: declaration.id)
      }
      compiled.append(try resolver.compile(declaration, as: ReminderID(reminder)))
    }
    let layout = try ProgramLayout(
      compiled, waiting: { $0 < reminders.count && !compiled[$0].plan.isCreatedLater }, names: resolver.names)
    self.init(
      layout: layout, declarations: all, ownDeclarations: reminders.indices.map(UInt32.init),
      initialCount: reminders.count, editCount: edits.count, names: resolver.names,
      storeNames: StoreNames(reminders: reminders.map(\.id), types: resolver.names.types),
      weekStart: weekStart)
  }
}

/// A declaration with resolved names. Its conditions are divided into conditions with a row and residual
/// ones.
package struct CompiledReminder {
  package var plan: Plan
  package var triggers: [CompiledTrigger]
  package var window: DailyWindow?
  package var weekdays = WeekdaySet.all
  /// The charging states in which the condition holds: bit 0 for not charging, bit 1 for charging.
  package var charging: UInt8 = 0b11
  package var region: (id: RegionID, inside: Bool)?
}

/// Resolves the names of declarations to identifiers.
package struct NameResolver {
  package var names: EngineNames
  let weekStart: Weekday

  package mutating func compile(_ declaration: ReminderDeclaration, as reminder: ReminderID)
    throws(ReminderCompileError) -> CompiledReminder
  {
    if declaration.triggers.isEmpty {
      throw ReminderCompileError(code: .noTrigger, reminder: declaration.id, subject: "")
    }
    let notification = declaration.notification
    let plan = Plan(
      reminder: reminder, type: names.internType(notification.type),
      bucket: notification.bucket,
      priority: notification.priority, copies: UInt8(clamping: notification.copy.count),
      repeats: declaration.repeats, usefulFor: notification.usefulFor, expires: declaration.expires,
      isCreatedLater: declaration.isCreatedLater)
    var result = CompiledReminder(plan: plan, triggers: [])
    for trigger in declaration.triggers {
      let compiled = try resolve(trigger, in: declaration)
      if case .scheduled(let declared) = trigger {
        let schedule = declared.withWeeks(from: weekStart)
        if result.plan.schedule != nil, result.plan.schedule != schedule {
          throw ReminderCompileError(code: .severalSchedules, reminder: declaration.id, subject: "")
        }
        result.plan.schedule = schedule
        if let fact = trigger.countsFrom {
          result.plan.countsFrom = try known(names.fact(fact), fact, declaration)
        }
      }
      if case .lapsed(let lapse) = trigger { result.plan.lapse = lapse }
      if case .repeating(let repetition) = trigger {
        if result.plan.repetition.map({ $0 != repetition }) ?? false {
          throw ReminderCompileError(code: .severalSchedules, reminder: declaration.id, subject: "")
        }
        try check(repetition, of: declaration)
        result.plan.repetition = repetition
      }
      let plan = result.plan
      if [plan.lapse != nil, plan.schedule != nil, plan.repetition != nil].count(where: \.self) > 1 {
        throw ReminderCompileError(code: .severalSchedules, reminder: declaration.id, subject: "")
      }
      result.triggers.append(compiled)
    }
    if result.triggers.count > 1 { result.triggers = result.triggers.distinct }
    for condition in declaration.conditions {
      let compiled = try resolve(condition, in: declaration)
      result.plan.conditions.append(compiled)
      sort(compiled, into: &result)
    }
    for condition in notification.criticalConditions {
      result.plan.criticalConditions.append(try resolve(condition, in: declaration))
    }
    for withdrawal in declaration.withdrawals {
      result.plan.withdrawals.append(try resolve(withdrawal, in: declaration))
    }
    result.plan.mark = result.plan.scheduleChecksum()
    return result
  }

  private func check(
    _ repetition: RepeatingSchedule, of declaration: ReminderDeclaration
  ) throws(ReminderCompileError) {
    guard let problem = declaration.problem(of: repetition) else { return }
    throw ReminderCompileError(
      code: .notRepeatable, reminder: declaration.id, subject: "\(problem.text); \(problem.remedy)")
  }

  package func known<ID>(_ id: ID?, _ name: String, _ declaration: ReminderDeclaration)
    throws(ReminderCompileError) -> ID
  {
    guard let id else {
      throw ReminderCompileError(code: .unknownName, reminder: declaration.id, subject: name)
    }
    return id
  }
}
