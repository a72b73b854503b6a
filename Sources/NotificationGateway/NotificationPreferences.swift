import TriggerModel

/// What the person has chosen in the app's settings. It comes before every cap, and a request that it
/// stops is reported as such, not as capped.
public struct NotificationPreferences: Hashable, Sendable {
  /// The master switch: false stops every bucket.
  public var isEnabled = true
  /// The types switched off, in every bucket.
  public var disabledTypes = TypeSet()
  /// The person's own limit of standard notifications per local day; nil leaves it to the policy.
  public var dailyCap: Int?

  /// Everything is on, and no limit is set.
  public init() {}

  func allow(_ type: TypeID) -> Bool {
    isEnabled && !disabledTypes.contains(type)
  }
}
