/// What the system remembers of its prompts.
package struct PromptHistory: Hashable, Sendable, BitwiseCopyable {
  private var notifications: UInt32 = 0
  private var location: UInt32 = 0
  private var screenTime: UInt32 = 0
  /// The prompt that offers to know the place at all times was shown.
  package var hasOfferedAlways = false

  package init() {}

  /// How often the person has denied.
  package subscript(kind: PermissionKind) -> UInt32 {
    get {
      switch kind {
      case .notifications: notifications
      case .location: location
      case .screenTime: screenTime
      }
    }
    set {
      switch kind {
      case .notifications: notifications = newValue
      case .location: location = newValue
      case .screenTime: screenTime = newValue
      }
    }
  }
}
