package import CivilTime

/// What a phone recorded in one day, as it can be lived again: from four in the morning of its date until four of the
/// next, because then fewest people use their phones.
package struct RecordedDay: Hashable, Sendable {
  /// What happened to the phone.
  package enum Change: UInt8, Hashable, Sendable, BitwiseCopyable {
    case unlocked, locked, pluggedIn, unplugged
  }

  package struct Event: Hashable, Sendable, BitwiseCopyable {
    /// Local time in whole seconds after the midnight with which the date begins: ``RecordedDay/start`` ..<
    /// ``RecordedDay/end``.
    package var second: Int32
    package var change: Change

    package init(second: Int32, change: Change) {
      self.second = second
      self.change = change
    }
  }

  /// How the phone is found.
  package struct State: Hashable, Sendable, BitwiseCopyable {
    package var isUnlocked: Bool
    package var isPlugged: Bool

    package init(isUnlocked: Bool = false, isPlugged: Bool = false) {
      self.isUnlocked = isUnlocked
      self.isPlugged = isPlugged
    }

    package mutating func apply(_ change: Change) {
      switch change {
      case .unlocked: isUnlocked = true
      case .locked: isUnlocked = false
      case .pluggedIn: isPlugged = true
      case .unplugged: isPlugged = false
      }
    }

    /// What has to happen to a phone in this state, so that it is in the other one.
    package func changes(to other: State) -> [Change] {
      var changes: [Change] = []
      if isPlugged != other.isPlugged { changes.append(other.isPlugged ? .pluggedIn : .unplugged) }
      if isUnlocked != other.isUnlocked { changes.append(other.isUnlocked ? .unlocked : .locked) }
      return changes
    }
  }

  /// Seconds after midnight at which a day begins.
  package static let start: Int32 = 4 * 3_600
  /// At which it ends.
  package static let end: Int32 = 86_400 + start

  package var date: CivilDate
  package var beginning: State
  /// In the order of happening: what is locked is unlocked next, what is plugged in is unplugged next.
  package var events: [Event]

  package init(date: CivilDate, beginning: State, events: [Event]) {
    self.date = date
    self.beginning = beginning
    self.events = events
  }
}
