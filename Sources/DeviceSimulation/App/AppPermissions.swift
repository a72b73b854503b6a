package import TriggerModel

/// The permissions that the person grants the app under test, except the permission to notify, which
/// ``NotificationCentre`` stores.
package struct AppPermissions: Hashable, Sendable {
  package internal(set) var location: LocationPermission
  package internal(set) var isPreciseLocation: Bool
  /// Whether the person chose Allow Once. The location permission then ends when the app leaves the
  /// foreground.
  var isLocationOnce = false
  package internal(set) var screenTime: ScreenTimePermission
  /// The other apps whose use the person does not allow the app under test to monitor.
  var unchosenApps: Set<AppID>
  var exactAlarms: Bool
  var prompts = PromptHistory()

  /// Returns the reason that the app cannot monitor the use of another app, or `nil` if it can.
  ///
  /// - Parameter limit: The number of apps that the system monitors, or 0 if there is no limit.
  func obstacle(toMonitoring app: AppID, limit: Int) -> MissCause? {
    if screenTime != .approved { return .screenTimeDenied }
    if unchosenApps.contains(app) { return .appNotChosen }
    return limit > 0 && app.index >= limit ? .usageLimit : nil
  }

  /// Revokes a location permission that was granted for one use of the app.
  mutating func endLocationOnce() {
    guard isLocationOnce else { return }
    isLocationOnce = false
    location = .notDetermined
  }

  /// Resets the permissions that a reinstall resets (rule N9).
  mutating func reset(_ settings: ProfileSettings) {
    prompts = PromptHistory()
    location = .notDetermined
    isLocationOnce = false
    screenTime = .notDetermined
    exactAlarms = settings.exactAlarms == .granted
  }

  // MARK: - Prompts

  /// Returns the reason that a system prompt cannot produce this answer, or `nil` if it can (rules N9, L9 and
  /// D1).
  ///
  /// - Parameter notifications: The current permission to notify.
  func obstacle(
    toPrompt answer: PromptAnswer, notifications: NotificationPermission, _ settings: ProfileSettings
  ) -> IgnoreCause? {
    if case .location(let answer) = answer, location == .whenInUse {
      return obstacle(toPromptForAlways: answer, settings)
    }
    let (rule, isDecided, isAllowed) =
      switch answer {
      case .notifications:
        (settings.notificationPrompt, notifications != .notDetermined, notifications.allowsDelivery)
      case .location: (settings.locationPrompt, location != .notDetermined, location == .always)
      case .screenTime: (settings.screenTimePrompt, screenTime != .notDetermined, screenTime == .approved)
      }
    if rule == .never { return .settingsOnly }
    guard rule.isShown(isDecided: isDecided, isAllowed: isAllowed, denials: prompts[answer.kind]) else {
      return .promptAlreadyAnswered
    }
    guard answer == .location(.always) else { return nil }
    return switch settings.alwaysPrompt {
    case .atOnce: nil
    case .afterWhenInUse: .notOffered
    case .inSettings: .settingsOnly
    }
  }

  /// Returns the obstacle if the app has the When In Use permission and requests Always.
  private func obstacle(
    toPromptForAlways answer: LocationAnswer, _ settings: ProfileSettings
  ) -> IgnoreCause? {
    if isLocationOnce { return .promptAlreadyAnswered }
    switch settings.alwaysPrompt {
    case .inSettings: return answer == .always ? .settingsOnly : .promptAlreadyAnswered
    case .afterWhenInUse where prompts.hasOfferedAlways: return .promptAlreadyAnswered
    case .atOnce, .afterWhenInUse: return answer == .once || answer == .whenInUse ? .notOffered : nil
    }
  }
}

extension AppPermissions: Packable {
  package mutating func pack(in parcel: inout Parcel) {
    parcel.carry(
      &self, \.location, \.isPreciseLocation, \.isLocationOnce, \.screenTime, \.exactAlarms, \.prompts)
    parcel.carry(&unchosenApps)
  }
}
