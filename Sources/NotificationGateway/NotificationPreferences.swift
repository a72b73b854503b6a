public import TriggerModel

/// The person's choices in the app's settings.
///
/// Preferences are checked before the caps. A request that they block is reported as disabled by the person,
/// not as capped.
public struct NotificationPreferences: Hashable, Sendable {
  /// The master switch. `false` blocks every bucket.
  public var isEnabled = true
  /// The types that are disabled, in every bucket.
  public var disabledTypes = TypeSet()
  /// The maximum number of standard notifications per local day that the person has chosen, or `nil` to use
  /// the policy's cap.
  public var dailyCap: Int?

  /// Creates preferences that enable all types and set no daily cap.
  public init() {}

  func allow(_ type: TypeID) -> Bool {
    isEnabled && !disabledTypes.contains(type)
  }
}

/// Applies the person's choices in the app's settings.
extension NotificationGateway {
  /// The person's choices. They are part of the state: they survive a restart and are deleted with the app.
  public var preferences: NotificationPreferences { state.preferences }

  /// Applies a choice, as ``process(_:into:)`` does for an event that contains one.
  ///
  /// Disabling a type immediately cancels its pending and deferred requests with
  /// ``TriggerModel/Reason/userDisabled`` and reverts their counts. Undecided requests are denied when they
  /// are decided. Enabling a type does not restore its requests, but the caller may make them again. A lower
  /// daily cap cancels nothing.
  public mutating func change(
    _ change: PreferenceChange, at now: Moment, into effects: inout [EngineEffect]
  ) {
    advance(to: now)
    apply(change, into: &effects)
    finish(at: now, into: &effects)
  }

  mutating func apply(_ change: PreferenceChange, into effects: inout [EngineEffect]) {
    switch change {
    case .all(let isOn): state.preferences.isEnabled = isOn
    case .type(let type, isOn: true): state.preferences.disabledTypes.remove(type)
    case .type(let type, isOn: false):
      // Ignore an unknown type, because no one requests it.
      if type.index < state.types.count { state.preferences.disabledTypes.insert(type) }
    case .dailyCap(let cap): state.preferences.dailyCap = cap.map { Int($0) }
    }
    memory.isDirty = true
    let preferences = state.preferences
    withdrawDeferred(because: .userDisabled, into: &effects) { !preferences.allow($0.type) }
    withdrawPending(because: .userDisabled, into: &effects) { !preferences.allow($0.type) }
  }
}

/// A set of notification types, with one bit for each. An empty set allocates no memory.
public struct TypeSet: Hashable, Sendable {
  private var words: [UInt64] = []

  /// Creates an empty set.
  public init() {}

  var isEmpty: Bool { words.isEmpty }

  /// Returns whether a type is a member.
  ///
  /// - Complexity: O(1)
  public func contains(_ type: TypeID) -> Bool {
    let word = type.index >> 6
    return word < words.count && words[word] >> UInt64(type.index & 63) & 1 == 1
  }

  /// The members in ascending order.
  var members: [TypeID] {
    var members: [TypeID] = []
    forEach { members.append($0) }
    return members
  }

  func forEach(_ body: (TypeID) -> Void) {
    for word in words.indices {
      var rest = words[word]
      while rest != 0 {
        body(TypeID(word << 6 + rest.trailingZeroBitCount))
        rest &= rest - 1
      }
    }
  }

  /// Inserts a type. The set takes eight bytes for every 64 types up to the highest member.
  public mutating func insert(_ type: TypeID) {
    let word = type.index >> 6
    while words.count <= word { words.append(0) }
    words[word] |= 1 << UInt64(type.index & 63)
  }

  /// Removes a type, if it is a member.
  public mutating func remove(_ type: TypeID) {
    let word = type.index >> 6
    guard word < words.count else { return }
    words[word] &= ~(1 << UInt64(type.index & 63))
    // Remove empty words, so that equal sets have equal words.
    while words.last == 0 { words.removeLast() }
  }
}

extension TypeSet: Packable {
  package mutating func pack(in parcel: inout Parcel) { parcel.carry(&words) }
}
