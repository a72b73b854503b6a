package import TriggerModel

/// What the person does with the phone beside what the story says word for word: the person of a model, or one who does
/// something to several things at once, to each of them.
package enum PersonAct: Hashable, Sendable, BitwiseCopyable {
  case tap(RequestID)
  case dismiss(RequestID)
  /// In the system's settings, the person takes the leave to notify away.
  case optOut
  /// The person opens our app unasked.
  case open
  /// In our app, a fact takes a value: one of several things is done.
  case set(FactID, FactValue)
}

extension Phone {
  /// Whether it can happen, and would change anything. A model says what the person would do if the phone gave them
  /// the chance: what cannot happen does not.
  package func canHappen(_ act: PersonAct) -> Bool {
    guard isOn else { return false }
    return switch act {
    case .tap(let id), .dismiss(let id): centre.isVisible(id)
    case .optOut: centre.permission.allowsDelivery
    case .open, .set: true
    }
  }

  /// Lets the person do something that can happen.
  package mutating func apply(_ act: PersonAct, at now: Instant, into out: inout PhoneOutput) {
    switch act {
    case .tap(let id): tap(id, isEndSaid: false, at: now, into: &out)
    case .dismiss(let id): dismiss(id, at: now, into: &out)
    case .optOut: setPermission(.denied, at: now, into: &out)
    case .open:
      bringToFront(at: now, into: &out)
      // Nobody says when it goes from the front.
      beginSession(isEndSaid: false, at: now, into: &out)
    case .set(let fact, let value): setFact(fact, value, at: now, into: &out)
    }
  }
}
