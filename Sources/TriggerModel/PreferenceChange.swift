/// A choice that the person makes in the app's settings about the notifications that the app may show. It is
/// independent of the operating system's permission.
///
/// It is encoded as an ``ObservedEvent`` of the kind ``ObservedEvent/Kind/preferencesChanged``:
///
/// | `value` | `subject` | meaning |
/// |--:|---|---|
/// | 0 | a ``TypeID`` | disable this type |
/// | 1 | a ``TypeID`` | enable this type |
/// | 2 | 0 | disable all notifications |
/// | 3 | 0 | enable all notifications, except disabled types |
/// | 4 | 0 | remove the person's own daily cap |
/// | 5 + n | 0 | allow at most n standard notifications per local day |
public enum PreferenceChange: Hashable, Sendable, BitwiseCopyable {
  /// Enables or disables one type. While the master switch is off, even an enabled type shows nothing.
  case type(TypeID, isOn: Bool)
  /// Sets the master switch.
  case all(isOn: Bool)
  /// Sets the maximum number of standard notifications per local day. With 0, none are allowed. With `nil`,
  /// only the cap of the policy applies.
  case dailyCap(UInt32?)

  /// Decodes an event, or returns `nil` if it has another kind or an invalid value.
  public init?(_ event: ObservedEvent) {
    guard event.kind == .preferencesChanged else { return nil }
    switch event.value {
    case 0, 1: self = .type(TypeID(event.subject), isOn: event.value == 1)
    case 2, 3: self = .all(isOn: event.value == 3)
    case 4: self = .dailyCap(nil)
    case 5...:
      guard let cap = UInt32(exactly: event.value - 5) else { return nil }
      self = .dailyCap(cap)
    default: return nil
    }
  }

  /// The `subject` of the event.
  public var subject: UInt32 {
    if case .type(let type, _) = self { type.rawValue } else { 0 }
  }

  /// The `value` of the event.
  public var value: Int64 {
    switch self {
    case .type(_, let isOn): isOn ? 1 : 0
    case .all(let isOn): isOn ? 3 : 2
    case .dailyCap(let cap): cap.map { Int64($0) + 5 } ?? 4
    }
  }
}

extension ObservedEvent {
  /// Creates the event of a choice, encoded as in ``PreferenceChange``.
  public init(_ change: PreferenceChange, at moment: Moment) {
    self.init(.preferencesChanged, subject: change.subject, value: change.value, at: moment)
  }
}
