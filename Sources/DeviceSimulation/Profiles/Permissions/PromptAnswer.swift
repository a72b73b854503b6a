package import TriggerModel

/// What the system asks a person for in an app's name.
package enum PermissionKind: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
  case notifications
  /// Where the phone is.
  case location
  /// The use of other apps.
  case screenTime
}

/// What a person answers to the system's prompt.
package enum PromptAnswer: Hashable, Sendable, BitwiseCopyable {
  case notifications(NotificationPermission)
  case location(LocationAnswer)
  case screenTime(ScreenTimePermission)

  package var kind: PermissionKind {
    switch self {
    case .notifications: .notifications
    case .location: .location
    case .screenTime: .screenTime
    }
  }

  /// Whether the app may do what it asked for; nil: the prompt was closed without an answer.
  package var grants: Bool? {
    switch self {
    case .notifications(.notDetermined), .location(.notDetermined), .screenTime(.notDetermined): nil
    case .notifications(let permission): permission.allowsDelivery
    case .location(let answer): answer != .denied
    case .screenTime(let permission): permission == .approved
    }
  }
}

/// An answer to the prompt for the place; `notDetermined`: it was closed without one.
package enum LocationAnswer: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
  case notDetermined
  /// At the prompt for always it leaves the app what it may know while it is in use.
  case denied
  /// Until our app is left.
  case once
  case whenInUse, always
}

/// Whether a person lets an app know of the use of other apps.
package enum ScreenTimePermission: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
  case notDetermined, denied, approved
}
