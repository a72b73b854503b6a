/// One choice of a person in the app's settings: what it may notify of. The operating system's own
/// permission is another matter.
///
/// On the wire it is an ``ObservedEvent`` of the kind ``ObservedEvent/Kind/preferencesChanged``:
///
/// | `value` | `subject` | meaning |
/// |--:|---|---|
/// | 0 | a ``TypeID`` | this type off |
/// | 1 | a ``TypeID`` | this type on |
/// | 2 | 0 | all notifications off |
/// | 3 | 0 | all notifications on, but for the types that are off |
/// | 4 | 0 | no daily cap of the person's own |
/// | 5 + n | 0 | at most n standard notifications a local day |
public enum PreferenceChange: Hashable, Sendable, BitwiseCopyable {
  /// One type off or on; on shows nothing as long as the master switch is off.
  case type(TypeID, isOn: Bool)
  /// The master switch.
  case all(isOn: Bool)
  /// Of the standard bucket, per local day; 0 allows none, nil leaves it to the policy.
  case dailyCap(UInt32?)

  /// Reads an event; nil when it is of another kind, or its value has no meaning.
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
  /// The event that tells an engine of a choice, as the table above says.
  public init(_ change: PreferenceChange, at moment: Moment) {
    self.init(.preferencesChanged, subject: change.subject, value: change.value, at: moment)
  }
}
