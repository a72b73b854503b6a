public import TriggerModel

/// What the person has chosen in the app's settings comes before every cap.
extension NotificationGateway {
  /// Part of the state: it survives a restart, and goes when the app is deleted.
  public var preferences: NotificationPreferences { state.preferences }

  /// Takes note of a choice, as ``process(_:into:)`` does of an event that tells one.
  ///
  /// What is switched off is taken back at once where it is pending or held, because of
  /// ``TriggerModel/Reason/userDisabled``, and what it took is given back; a request of the present instant is denied
  /// when it is decided. Switching on brings nothing back by itself: whoever asked may ask
  /// again. A lower daily cap recalls nothing.
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
      // Nothing is ever asked for of a type that nobody knows.
      if type.index < state.types.count { state.preferences.disabledTypes.insert(type) }
    case .dailyCap(let cap): state.preferences.dailyCap = cap.map { Int($0) }
    }
    memory.isDirty = true
    let preferences = state.preferences
    withdrawHeld(because: .userDisabled, into: &effects) { !preferences.allow($0.type) }
    withdrawPending(because: .userDisabled, into: &effects) { !preferences.allow($0.type) }
  }
}
