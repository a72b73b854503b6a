public import CivilTime
package import TriggerModel

/// The event that makes the engine look at a reminder.
public enum Trigger: Hashable, Sendable {
  /// The phone was unlocked.
  case unlock
  /// The phone came onto the charger, or off it.
  case chargingStarted, chargingStopped
  /// Another app came to the front.
  case appOpened(String)
  /// Our own app came to the front.
  case opened
  /// The system tells that the phone has come into the region of this name, or has left it.
  case regionEntered(String), regionExited(String)
  /// A fact took another value.
  case factChanged(String)
  /// An occurrence of a schedule is due.
  case scheduled(Schedule)
  /// The app has not been opened for some days.
  case lapsed(Lapse)
  /// The system repeats it by itself.
  case repeating(RepeatingSchedule)
}

/// The event kind and subject that an entry waits for.
package struct CompiledTrigger: Hashable {
  /// What a trigger can wait for that names nothing.
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
  /// The region that it names.
  package var region: String? {
    switch self {
    case .regionEntered(let name), .regionExited(let name): name
    case .unlock, .chargingStarted, .chargingStopped, .appOpened, .opened, .factChanged, .scheduled, .lapsed,
      .repeating:
      nil
    }
  }

  /// The fact from which a schedule counts.
  package var countsFrom: String? {
    guard case .scheduled(let schedule) = self else { return nil }
    switch schedule.dates {
    case .recurring: return nil
    case .relative(let days): return days.fact
    case .elapsed(let spans): return spans.fact
    }
  }

  /// Whether it is a time, for which a closed app must be woken, and not something that happens.
  package var isTime: Bool {
    switch self {
    case .scheduled, .lapsed, .repeating: true
    case .unlock, .chargingStarted, .chargingStopped, .appOpened, .opened, .regionEntered, .regionExited,
      .factChanged:
      false
    }
  }
}
