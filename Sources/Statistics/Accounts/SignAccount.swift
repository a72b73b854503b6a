import TriggerModel

/// Something that the app under test wants to know of, and which the platform may tell late, not at all,
/// or without cause.
package struct Sign: Hashable, Sendable {
  package enum Kind: Int, Hashable, Sendable, CaseIterable {
    case unlock, chargingStarted, chargingStopped, appOpened, regionEntered, regionExited

    /// The name used in files and reports.
    package var name: String { String(describing: self) }
  }

  package var kind: Kind
  /// Which app or region; 0 for the others.
  package var subject: UInt32

  /// The sign that an event is, if it is one; a state that was found so is none.
  init?(_ event: ObservedEvent) {
    guard let kind = Kind(event.kind) else { return nil }
    if event.value == ObservedEvent.foundSo, kind != .unlock, kind != .appOpened { return nil }
    self.kind = kind
    subject = event.subject
  }
}

extension Sign.Kind {
  init?(_ kind: ObservedEvent.Kind) {
    switch kind {
    case .unlock: self = .unlock
    case .chargingStarted: self = .chargingStarted
    case .chargingStopped: self = .chargingStopped
    case .appOpened: self = .appOpened
    case .regionEntered: self = .regionEntered
    case .regionExited: self = .regionExited
    default: return nil
    }
  }
}

/// How well one sign, or all of a kind, stand for what really happened.
package struct SignAccount: Hashable, Sendable {
  /// How often it really happened.
  package var truth = 0
  /// How often the app was told so.
  package var observed = 0
  /// Of both, those that belong together.
  package var matched = 0
  /// What the app was never told, by why.
  package var missed: [String: Int] = [:]
  /// How late the matched ones were told, in milliseconds, ascending.
  package var delays: [Int64] = []

  package init() {}

  /// How often the app was told of what had not happened.
  package var falseSigns: Int { observed - matched }

  /// Milliseconds; of an even number the lower middle one. Nil when nothing was matched.
  package var medianDelay: Int64? { delays.isEmpty ? nil : delays[(delays.count - 1) / 2] }

  /// Milliseconds; nil when nothing was matched.
  package var longestDelay: Int64? { delays.last }

  package mutating func add(_ other: SignAccount) {
    truth += other.truth
    observed += other.observed
    matched += other.matched
    missed.merge(other.missed, uniquingKeysWith: +)
    delays = (delays + other.delays).sorted()
  }
}
