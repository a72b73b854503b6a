package import DeviceSimulation

/// How a delivery met the person.
package enum Exposure: String, Hashable, Sendable, CaseIterable {
  /// Exposed as a banner.
  case banner
  /// Exposed in the list only: in a focus, with provisional permission, a silent channel, or the scheduled
  /// summary.
  case list
  /// Hidden so far: held for the scheduled summary.
  case held
  /// Hidden for good: the app was in front, and did not ask to have it shown, or the person has switched it off.
  case hidden

  package init(_ presentation: Presentation) {
    switch presentation.surface {
    case .banner: self = .banner
    case .list: self = .list
    case .none: self = presentation.isHeld ? .held : .hidden
    }
  }

  /// Whether the person can see it, and respond.
  package var isExposed: Bool { self == .banner || self == .list }
}

/// What the person did with an exposed notification.
package enum Response: String, Hashable, Sendable, CaseIterable {
  case tapped, dismissed, acted
}
