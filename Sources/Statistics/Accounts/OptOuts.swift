import NotificationGateway
import ScenarioModel
import TriggerModel

/// The numbers of opt-outs of a person. Each change from on to off is one opt-out.
package struct OptOuts: Hashable, Sendable {
  /// The number of times that a notification type was disabled in the app's settings.
  package var types = 0
  /// The number of times that the app's master switch was turned off.
  package var all = 0
  /// The number of times that the system's permission was revoked.
  package var permission = 0

  package init() {}

  package var total: Int { types + all + permission }

  package mutating func add(_ other: OptOuts) {
    types += other.types
    all += other.all
    permission += other.permission
  }
}

/// Counts the opt-outs of the truth track, even if the app does not observe them.
struct OptOutLedger: Sendable {
  private(set) var account = OptOuts()
  /// The instants of the opt-outs.
  private(set) var instants: [Instant] = []
  /// Whether the system allowed notifications, at the start and after each change.
  private(set) var permissions: [(from: Instant, allows: Bool)]
  private var preferences = NotificationPreferences()
  private var allowsDelivery: Bool

  /// Creates a ledger with the person's initial choices, which are not opt-outs.
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
      // A new installation resets the permission, which is not an opt-out.
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
