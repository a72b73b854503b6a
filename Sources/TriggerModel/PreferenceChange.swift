/// A person's choice in the app's settings about which notifications the app may show. It is independent of
/// the operating system's permission.
///
/// The choice is encoded as an ``ObservedEvent`` of the kind ``ObservedEvent/Kind/preferencesChanged``:
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
  /// Enables or disables one type. While the master switch is off, enabled types show nothing either.
  case type(TypeID, isOn: Bool)
  /// Sets the master switch.
  case all(isOn: Bool)
  /// Sets the maximum number of standard notifications per local day. 0 allows none. With `nil`, only the
  /// policy's cap applies.
  case dailyCap(UInt32?)

  /// Decodes an event. Returns `nil` if the event has another kind or an invalid value.
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
  /// Creates the event that represents a choice.
  public init(_ change: PreferenceChange, at moment: Moment) {
    self.init(.preferencesChanged, subject: change.subject, value: change.value, at: moment)
  }
}
