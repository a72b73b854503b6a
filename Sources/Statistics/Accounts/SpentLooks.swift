import Journal
import ReminderEngine
import ReminderMatching
import ScenarioModel
import Simulation
import TriggerModel

/// Triggers that come for reminders which wait no longer, because they have had their turn or are expired.
///
/// An engine looks only at what waits, so it says nothing of these. They are told for reminders that somebody
/// asks about: an app that was told of a trigger, and an engine that neither asked for anything nor said why
/// not.
struct SpentLooks: Sendable {
  /// A trigger of which the engine has said nothing so far.
  private struct Look: Sendable {
    var reminder: ReminderID
    var stamp: RecordStamp
  }

  /// What is known of a reminder on a device.
  private struct Course: Sendable {
    /// A request was made, and nothing has made it wait anew.
    var hasAsked = false
    var isCancelled = false
    /// The declaration in force.
    var declaration: Int
  }

  /// A trigger that came in vain.
  struct Spent {
    var reminder: ReminderID
    var reason: Reason
    var stamp: RecordStamp
  }

  private struct Key: Hashable {
    var reminder: ReminderID
    var device: UInt8
  }

  private let program: Program
  private let reminders: [ReminderID]
  private var courses: [Key: Course] = [:]
  private var open: [Look] = []

  init(_ program: Program, of reminders: Set<ReminderID>) {
    self.program = program
    self.reminders = reminders.sorted()
  }

  /// Takes a record.
  /// - Returns: What came in vain at an instant that is over now.
  mutating func take(_ body: JournalRecord.Body, _ stamp: RecordStamp) -> [Spent] {
    let spent = open.first.map { $0.stamp.instant < stamp.instant } == true ? close() : []
    switch body {
    case .observed(let event):
      for reminder in reminders { observed(event, reminder, stamp) }
    case .effect(.request(let request)) where reminders.contains(request.id.reminder):
      answered(request.id.reminder, stamp)
      change(request.id.reminder, stamp) { $0.hasAsked = true }
    case .effect(.noRequest(let reminder, _, _)): answered(reminder, stamp)
    default: break
    }
    return spent
  }

  /// Nothing more comes.
  mutating func close() -> [Spent] {
    defer { open.removeAll() }
    return open.compactMap { look in
      let course = self.course(look.reminder, look.stamp)
      let declaration = program.reminders.declarations[course.declaration]
      if declaration.expires <= look.stamp.moment.wall {
        return Spent(reminder: look.reminder, reason: .expired, stamp: look.stamp)
      }
      guard course.hasAsked, !course.isCancelled else { return nil }
      return Spent(reminder: look.reminder, reason: .alreadyFired, stamp: look.stamp)
    }
  }

  private func course(_ reminder: ReminderID, _ stamp: RecordStamp) -> Course {
    courses[Key(reminder: reminder, device: stamp.device)] ?? Course(declaration: reminder.index)
  }

  private mutating func change(
    _ reminder: ReminderID, _ stamp: RecordStamp, _ body: (inout Course) -> Void
  ) {
    var course = course(reminder, stamp)
    body(&course)
    courses[Key(reminder: reminder, device: stamp.device)] = course
  }

  private mutating func observed(_ event: ObservedEvent, _ reminder: ReminderID, _ stamp: RecordStamp) {
    let key = Key(reminder: reminder, device: stamp.device)
    switch event.kind {
    case .edit where event.subject == reminder.rawValue:
      courses[key] = Course(declaration: program.scenario.reminders.count + Int(event.value))
    case .create where event.subject == reminder.rawValue: courses[key] = nil
    case .cancel where event.subject == reminder.rawValue:
      change(reminder, stamp) { $0.isCancelled = true }
    case .reinstalled: courses[key] = nil
    default:
      guard isTriggered(course(reminder, stamp).declaration, of: reminder, by: event) else { return }
      if !open.contains(where: { $0.reminder == reminder && $0.stamp.device == stamp.device }) {
        open.append(Look(reminder: reminder, stamp: stamp))
      }
    }
  }

  private mutating func answered(_ reminder: ReminderID, _ stamp: RecordStamp) {
    open.removeAll { $0.reminder == reminder && $0.stamp.device == stamp.device }
  }

  private func isTriggered(_ declaration: Int, of reminder: ReminderID, by event: ObservedEvent) -> Bool {
    guard event.kind == .woken else {
      return !event.isFoundSo && program.reminders.listens(UInt32(declaration), to: event)
    }
    // What was handed over beforehand needs no look then.
    return event.subject == reminder.rawValue
      && program.reminders.declarations[declaration].triggers.contains { trigger in
        if case .scheduled(let schedule) = trigger { schedule.ahead == 0 } else { false }
      }
  }
}
