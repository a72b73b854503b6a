package import TriggerModel

/// The location permission of an app.
package enum LocationPermission: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
  case notDetermined, denied, whenInUse, always
}

/// The permission of an app to monitor the use of other apps.
package enum ScreenTimePermission: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
  case notDetermined, denied, approved
}

/// A permission for which the system prompts the person on behalf of an app.
package enum PermissionKind: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
  case notifications
  case location
  /// The permission to monitor the use of other apps.
  case screenTime
}

/// A person's answer to the system's prompt.
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

  /// Whether the answer grants the permission, or `nil` if the prompt was closed without an answer.
  package var grants: Bool? {
    switch self {
    case .notifications(.notDetermined), .location(.notDetermined), .screenTime(.notDetermined): nil
    case .notifications(let permission): permission.allowsDelivery
    case .location(let answer): answer != .denied
    case .screenTime(let permission): permission == .approved
    }
  }
}

/// An answer to the location prompt. `notDetermined` means that the person closed the prompt without an
/// answer.
package enum LocationAnswer: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
  case notDetermined
  /// The app gets no additional access. If the prompt offered Always, the app keeps When In Use.
  case denied
  /// Access ends when the person leaves the app.
  case once
  case whenInUse, always
}

/// The history of the system's prompts.
struct PromptHistory: Hashable, Sendable, BitwiseCopyable {
  private var notifications: UInt32 = 0
  private var location: UInt32 = 0
  private var screenTime: UInt32 = 0
  /// Whether a prompt has offered Always.
  var hasOfferedAlways = false

  /// The number of times the person denied a permission at the prompt.
  subscript(kind: PermissionKind) -> UInt32 {
    get { self[keyPath: Self.path(kind)] }
    set { self[keyPath: Self.path(kind)] = newValue }
  }

  private static func path(_ kind: PermissionKind) -> WritableKeyPath<PromptHistory, UInt32> {
    switch kind {
    case .notifications: \.notifications
    case .location: \.location
    case .screenTime: \.screenTime
    }
  }
}
