/// How a delivered notification met the person.
package struct Presentation: Hashable, Sendable, BitwiseCopyable {
  /// Where it can be seen.
  package enum Surface: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
    /// With a banner, and in the list.
    case banner
    /// In the list only.
    case list
    /// Nowhere: for good, or until the scheduled summary comes that it is held for.
    case none
  }

  /// Why it is not shown, or only quietly.
  package enum Cause: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
    /// Our app was in front and had not asked to have it shown.
    case foreground
    case focus
    /// Held for the scheduled summary.
    case summary
    /// The person allowed quiet notifications only.
    case provisional
    /// Its channel is switched off.
    case channelOff
    /// Its channel is silent.
    case channelSilent

    /// The name used in files and reports.
    package var name: String { String(describing: self) }
  }

  package var surface: Surface
  package var cause: Cause?

  package static let banner = Presentation(surface: .banner, cause: nil)

  package static func listed(_ cause: Cause) -> Presentation { Presentation(surface: .list, cause: cause) }

  package static func hidden(_ cause: Cause) -> Presentation { Presentation(surface: .none, cause: cause) }

  /// Whether the person can see it, and respond: it is exposed, and its reminder fires. What is in the list only
  /// is exposed, whatever kept the banner away; what is hidden is lost to `notPresented`.
  package var isExposed: Bool { surface != .none }

  /// Whether it is hidden until the next scheduled summary (rule N12).
  package var isHeld: Bool { surface == .none && cause == .summary }
}
