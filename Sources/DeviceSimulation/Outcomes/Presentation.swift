/// How a delivered notification met the person.
package struct Presentation: Hashable, Sendable, BitwiseCopyable {
  /// Where it can be seen.
  package enum Surface: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
    /// With a banner, and in the list.
    case banner
    /// In the list only.
    case list
    /// Nowhere.
    case none
  }

  /// Why it was not shown, or only quietly.
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
  package static let quiet = Presentation(surface: .list, cause: .provisional)

  package static func notPresented(_ cause: Cause) -> Presentation {
    Presentation(surface: cause == .foreground ? .none : .list, cause: cause)
  }

  /// Whether it counts as presented; if not, the reason is `notPresented`.
  package var isPresented: Bool { cause == nil || cause == .provisional || cause == .channelSilent }
}
