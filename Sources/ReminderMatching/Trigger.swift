public import CivilTime
package import TriggerModel

/// The event that starts the evaluation of a reminder.
public enum Trigger: Hashable, Sendable {
  /// The phone was unlocked.
  case unlock
  /// The phone was connected to a charger, or disconnected from it.
  case chargingStarted, chargingStopped
  /// Another app came to the foreground.
  case appOpened(String)
  /// The app under test came to the foreground.
  case opened
  /// The system reported that the phone has entered or left the region with this name.
  case regionEntered(String), regionExited(String)
  /// The value of a fact changed.
  case factChanged(String)
  /// An occurrence of a schedule is due.
  case scheduled(Schedule)
  /// The app has not been opened for some days.
  case lapsed(Lapse)
  /// The system repeats the notification.
  case repeating(RepeatingSchedule)
}

/// The event kind and the subject to which an entry listens.
package struct CompiledTrigger: Hashable {
  /// The event kinds without a subject that a trigger can listen to.
  static let kindsWithoutSubject: Set<ObservedEvent.Kind> = [
    .unlock, .chargingStarted, .chargingStopped, .opened, .woken,
  ]

  package var kind: ObservedEvent.Kind
  package var subject: UInt32
}

extension NameResolver {
  func resolve(_ trigger: Trigger, in declaration: ReminderDeclaration)
    throws(ReminderCompileError) -> CompiledTrigger
  {
    switch trigger {
    case .unlock: CompiledTrigger(kind: .unlock, subject: 0)
    case .chargingStarted: CompiledTrigger(kind: .chargingStarted, subject: 0)
    case .chargingStopped: CompiledTrigger(kind: .chargingStopped, subject: 0)
    case .opened: CompiledTrigger(kind: .opened, subject: 0)
    case .appOpened(let name):
      CompiledTrigger(kind: .appOpened, subject: try known(names.app(name), name, declaration).rawValue)
    case .regionEntered(let name):
      CompiledTrigger(
        kind: .regionEntered, subject: try known(names.region(name), name, declaration).rawValue)
    case .regionExited(let name):
      CompiledTrigger(kind: .regionExited, subject: try known(names.region(name), name, declaration).rawValue)
    case .factChanged(let name):
      CompiledTrigger(kind: .factChanged, subject: try known(names.fact(name), name, declaration).rawValue)
    case .scheduled, .lapsed, .repeating: CompiledTrigger(kind: .woken, subject: 0)
    }
  }
}

extension Trigger {
  /// The region that the trigger names, or `nil`.
  package var region: String? {
    switch self {
    case .regionEntered(let name), .regionExited(let name): name
    case .unlock, .chargingStarted, .chargingStopped, .appOpened, .opened, .factChanged, .scheduled, .lapsed,
      .repeating:
      nil
    }
  }

  /// The fact from which the trigger's schedule counts, or `nil` for other triggers.
  package var countsFrom: String? {
    guard case .scheduled(let schedule) = self else { return nil }
    switch schedule.dates {
    case .recurring: return nil
    case .relative(let days): return days.fact
    case .elapsed(let spans): return spans.fact
    }
  }

  /// Whether the trigger occurs at a time, so that a closed app must be woken for it.
  package var isTime: Bool {
    switch self {
    case .scheduled, .lapsed, .repeating: true
    case .unlock, .chargingStarted, .chargingStopped, .appOpened, .opened, .regionEntered, .regionExited,
      .factChanged:
      false
    }
  }
}
