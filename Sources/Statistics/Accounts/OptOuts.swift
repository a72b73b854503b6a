import NotificationGateway
import ScenarioModel
import TriggerModel

/// How often a person asked for less: each turn from on to off counts once.
package struct OptOuts: Hashable, Sendable {
  /// A notification type was switched off in the app's settings.
  package var types = 0
  /// The master switch in the app's settings was switched off.
  package var all = 0
  /// The system's permission was taken away after it had been given.
  package var permission = 0

  package init() {}

  package var total: Int { types + all + permission }

  package mutating func add(_ other: OptOuts) {
    types += other.types
    all += other.all
    permission += other.permission
  }
}

/// Counts opt-outs on the truth track: what the person did, whether or not the app knows of it.
struct OptOutLedger: Sendable {
  private(set) var account = OptOuts()
  /// When each of them happened.
  private(set) var instants: [Instant] = []
  /// Whether the system allowed notifications when the run began, and from each change on.
  private(set) var permissions: [(from: Instant, allows: Bool)] = []
  private var preferences = NotificationPreferences()
  private var allowsDelivery = true

  /// Of a person who allows everything when the run begins.
  init() {}

  /// What was chosen before the story begins is no opt-out of it.
  init(for scenario: Scenario) {
    allowsDelivery = scenario.phone.notifications.allowsDelivery
    permissions = [(scenario.start, allowsDelivery)]
    for choice in scenario.preferences { take(choice) }
    account = OptOuts()
  }

  mutating func happened(_ event: ObservedEvent, at instant: Instant) {
    let before = account.total
    switch event.kind {
    case .preferencesChanged:
      if let choice = PreferenceChange(event) { take(choice) }
    case .permissionChanged:
      let permission = NotificationPermission(rawValue: UInt8(truncatingIfNeeded: event.value))
      let allows = permission?.allowsDelivery ?? false
      // Only a new installation forgets what was decided: nobody has decided against it.
      if allowsDelivery, !allows, permission != .notDetermined { account.permission += 1 }
      allowsDelivery = allows
      permissions.append((instant, allows))
    case .reinstalled: preferences = NotificationPreferences()
    default: break
    }
    if account.total > before { instants.append(instant) }
  }

  private mutating func take(_ choice: PreferenceChange) {
    switch choice {
    case .type(let type, isOn: true): preferences.disabledTypes.remove(type)
    case .type(let type, isOn: false):
      if !preferences.disabledTypes.contains(type) { account.types += 1 }
      preferences.disabledTypes.insert(type)
    case .all(let isOn):
      if preferences.isEnabled, !isOn { account.all += 1 }
      preferences.isEnabled = isOn
    case .dailyCap: break
    }
  }
}
