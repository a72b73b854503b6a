public import TriggerModel

/// What an app does around the permission to notify: it says what notifications are good for before it
/// asks, asks when there is a reason, and after a denial shows once where the person can change their mind.
///
/// ```swift
/// var flow = PermissionFlow()
/// flow.take(.prime)   // .primingShown
/// flow.take(.ask)     // .requested
/// flow.take(.deny)    // .denied
/// flow.take(.open)    // .bannerShown, and never again
/// flow.row            // .openSettings
/// ```
///
/// A value that the app stores whenever it changes. It survives a restart, after which the app says
/// ``Event/launch``; a new install begins with a new one.
public struct PermissionFlow: Hashable, Sendable, Codable, BitwiseCopyable {
  /// How far the permission is decided.
  public enum Phase: UInt8, Hashable, Sendable, CaseIterable, Codable, BitwiseCopyable {
    /// Nobody has decided anything.
    case undecided
    /// The same, and the app's own view is on the screen.
    case primed
    /// The person has decided: at the prompt, or in the settings of the system.
    case granted, denied
  }

  /// What happens to the app.
  public enum Event: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
    /// The app has a reason to ask, and would say first what for.
    case prime
    /// The person puts that off.
    case skip
    /// The system shows its prompt.
    case ask
    /// The answers to the prompt; closing it without one is none.
    case grant, deny
    /// The same decided in the system's settings.
    case allowInSettings, forbidInSettings
    /// The system took the decision back, as it does for an app that is not used for months.
    case expire
    /// The app came to the front.
    case open
    /// The process was started: what was on the screen is gone.
    case launch
  }

  /// What the app does, and what its analytics count.
  public enum Step: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
    /// The app's own view, and its answer; the system's prompt, and its two answers; the way to the settings.
    case primingShown, primingSkipped, requested, granted, denied, bannerShown
  }

  /// The row in the app's settings.
  public enum Row: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
    /// Asks, with priming.
    case ask
    /// Says that notifications are on.
    case on
    /// Leads to the system's settings, where alone it can be changed.
    case openSettings

    /// The name used in files and reports.
    public var name: String { String(describing: self) }
  }

  /// The banner that leads to the system's settings.
  enum Banner: UInt8, Hashable, Sendable, Codable, BitwiseCopyable {
    case notDue, due, shown
  }

  /// One row of the table of transitions.
  struct Transition: Hashable, Sendable {
    var from: Phase
    var event: Event
    var to: Phase
    var step: Step?
  }

  /// How far the permission is decided.
  public private(set) var phase: Phase
  private(set) var banner = Banner.notDue

  /// - Parameter permission: What the system says when the app is started for the first time.
  public init(_ permission: NotificationPermission = .notDetermined) {
    phase =
      switch permission {
      case .notDetermined: .undecided
      case .denied: .denied
      case .authorized, .provisional, .ephemeral: .granted
      }
  }

  /// What the settings of the app show at present.
  public var row: Row {
    switch phase {
    case .undecided, .primed: .ask
    case .granted: .on
    case .denied: .openSettings
    }
  }

  /// Takes an event.
  ///
  /// - Returns: What the app does; nil when there is nothing to do, as for priming when the permission is
  ///   decided.
  public mutating func take(_ event: Event) -> Step? {
    if event == .open { return showBanner() }
    guard let row = Self.transitions.first(where: { $0.from == phase && $0.event == event }) else {
      return nil
    }
    phase = row.to
    // Who switches notifications off in the settings knows the way there; who denies at the prompt is
    // shown it.
    if row.step == .denied, banner == .notDue { banner = .due }
    return row.step
  }

  /// Once per install, at the first opening that finds the denial in force.
  private mutating func showBanner() -> Step? {
    guard phase == .denied, banner == .due else { return nil }
    banner = .shown
    return .bannerShown
  }

  /// Everything that changes the phase or asks for something; what has no row changes nothing.
  static let transitions: [Transition] = [
    Transition(from: .undecided, event: .prime, to: .primed, step: .primingShown),
    Transition(from: .primed, event: .skip, to: .undecided, step: .primingSkipped),
    Transition(from: .primed, event: .launch, to: .undecided, step: nil),

    // A platform that asks once says so by not showing its prompt again.
    Transition(from: .undecided, event: .ask, to: .undecided, step: .requested),
    Transition(from: .primed, event: .ask, to: .undecided, step: .requested),
    Transition(from: .denied, event: .ask, to: .denied, step: .requested),

    Transition(from: .undecided, event: .grant, to: .granted, step: .granted),
    Transition(from: .denied, event: .grant, to: .granted, step: .granted),
    Transition(from: .undecided, event: .deny, to: .denied, step: .denied),
    Transition(from: .denied, event: .deny, to: .denied, step: .denied),

    Transition(from: .undecided, event: .allowInSettings, to: .granted, step: nil),
    Transition(from: .primed, event: .allowInSettings, to: .granted, step: nil),
    Transition(from: .denied, event: .allowInSettings, to: .granted, step: nil),
    Transition(from: .undecided, event: .forbidInSettings, to: .denied, step: nil),
    Transition(from: .primed, event: .forbidInSettings, to: .denied, step: nil),
    Transition(from: .granted, event: .forbidInSettings, to: .denied, step: nil),

    Transition(from: .granted, event: .expire, to: .undecided, step: nil),
    Transition(from: .denied, event: .expire, to: .undecided, step: nil),
  ]
}
