public import TriggerModel

/// The steps with which an app obtains the permission to notify.
///
/// The app asks when it has a reason to, and explains its purpose first. After a denial, it shows once how
/// the person can change the decision.
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
/// The app stores this value whenever it changes, so that it survives a restart. The app reports a restart as
/// ``Event/launch``. A new installation starts with a new value.
public struct PermissionFlow: Hashable, Sendable, Codable, BitwiseCopyable {
  /// The state of the person's decision.
  public enum Phase: UInt8, Hashable, Sendable, CaseIterable, Codable, BitwiseCopyable {
    /// The person has not decided.
    case undecided
    /// The person has not decided, and the app's own explanation is visible.
    case primed
    /// The person has decided, at the prompt or in the system's settings.
    case granted, denied
  }

  /// An event in the app or the system.
  public enum Event: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
    /// The app has a reason to ask and wants to explain it first.
    case prime
    /// The person postpones the decision.
    case skip
    /// The system shows its prompt.
    case ask
    /// The person answers the prompt. Closing the prompt is not an answer.
    case grant, deny
    /// The person decides in the system's settings.
    case allowInSettings, forbidInSettings
    /// The system withdraws the permission, for example because the app was not used for months.
    case expire
    /// The app comes to the foreground.
    case open
    /// The app's process starts, so neither an explanation nor a prompt is visible.
    case launch
  }

  /// A step of the flow, as counted by the app's analytics.
  public enum Step: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
    /// The app shows its explanation, the person postpones it, the system shows its prompt, the person grants
    /// or denies, and the app shows the banner.
    case primingShown, primingSkipped, requested, granted, denied, bannerShown
  }

  /// The row in the app's settings.
  public enum Row: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
    /// Asks for the permission, after the explanation.
    case ask
    /// Shows that notifications are on.
    case on
    /// Opens the system's settings, because the decision can be changed only there.
    case openSettings

    /// The name used in files and reports.
    public var name: String { String(describing: self) }
  }

  /// The banner that links to the system's settings.
  enum Banner: UInt8, Hashable, Sendable, Codable, BitwiseCopyable {
    case notDue, due, shown
  }

  /// One row of the transition table.
  struct Transition: Hashable, Sendable {
    var from: Phase
    var event: Event
    var to: Phase
    var step: Step?
  }

  /// The state of the person's decision.
  public private(set) var phase: Phase
  private(set) var banner = Banner.notDue

  /// Creates a flow.
  ///
  /// - Parameter permission: The permission that the system reports when the app is started for the first
  ///   time.
  public init(_ permission: NotificationPermission = .notDetermined) {
    phase =
      switch permission {
      case .notDetermined: .undecided
      case .denied: .denied
      case .authorized, .provisional, .ephemeral: .granted
      }
  }

  /// The row that the app's settings currently show.
  public var row: Row {
    switch phase {
    case .undecided, .primed: .ask
    case .granted: .on
    case .denied: .openSettings
    }
  }

  /// Handles an event.
  ///
  /// - Returns: The resulting step, or `nil` if the event has no effect, such as priming after the decision.
  public mutating func take(_ event: Event) -> Step? {
    if event == .open { return showBanner() }
    guard let row = Self.transitions.first(where: { $0.from == phase && $0.event == event }) else {
      return nil
    }
    phase = row.to
    // Show the banner only after a denial at the prompt. A person who disables notifications in the settings
    // already knows where they are.
    if row.step == .denied, banner == .notDue { banner = .due }
    return row.step
  }

  /// Shows the banner once per installation, at the first opening after the denial.
  private mutating func showBanner() -> Step? {
    guard phase == .denied, banner == .due else { return nil }
    banner = .shown
    return .bannerShown
  }

  /// All transitions. An event without a row has no effect.
  static let transitions: [Transition] = [
    Transition(from: .undecided, event: .prime, to: .primed, step: .primingShown),
    Transition(from: .primed, event: .skip, to: .undecided, step: .primingSkipped),
    Transition(from: .primed, event: .launch, to: .undecided, step: nil),

    // After a denial, only a platform that prompts again sends `ask`.
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
