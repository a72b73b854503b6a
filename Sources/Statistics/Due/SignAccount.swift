package import TriggerModel

/// Something that the app under test wants to know of, and which the platform may tell late, not at all,
/// or without cause.
package struct Sign: Hashable, Sendable {
  package enum Kind: Int, Hashable, Sendable, CaseIterable {
    case unlock, chargingStarted, chargingStopped, appOpened, regionEntered, regionExited

    /// The name used in files and reports.
    package var name: String { String(describing: self) }
  }

  /// What is told.
  var event: ObservedEvent.Kind
  /// Which app or region; 0 for the others.
  package var subject: UInt32

  /// The sign that an event is, if it is one; a state that was found so is none.
  init?(_ event: ObservedEvent) {
    guard event.kind.isSign, !event.isFoundSo else { return nil }
    self.event = event.kind
    subject = event.subject
  }
}

extension Sign.Kind {
  var event: ObservedEvent.Kind {
    switch self {
    case .unlock: .unlock
    case .chargingStarted: .chargingStarted
    case .chargingStopped: .chargingStopped
    case .appOpened: .appOpened
    case .regionEntered: .regionEntered
    case .regionExited: .regionExited
    }
  }
}

extension ObservedEvent.Kind {
  /// Whether it is news from outside that a platform may keep to itself: why a reminder that waits for it was
  /// not asked for is then said by the platform. What the app does itself, what concerns one request and what
  /// facts say has other causes.
  var isSign: Bool {
    switch self {
    case .unlock, .lock, .chargingStarted, .chargingStopped, .appOpened, .regionEntered, .regionExited: true
    case .batteryLevel, .opened, .backgrounded, .regionFailed, .factChanged, .factFound, .launched,
      .storeAvailable, .woken, .zoneChanged, .clockChanged, .permissionChanged, .reinstalled, .addFailed,
      .pendingDropped, .delivered, .tapped, .dismissed, .acted, .snooze, .cancel, .create, .edit, .cancelAll,
      .preferencesChanged, .located, .deliveredElsewhere:
      false
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
  /// How late the matched ones were told.
  package var delays = DelayCounts()

  package init() {}

  /// How often the app was told of what had not happened.
  package var falseSigns: Int { observed - matched }

  package mutating func add(_ other: SignAccount) {
    truth += other.truth
    observed += other.observed
    matched += other.matched
    missed.merge(other.missed, uniquingKeysWith: +)
    delays.add(other.delays)
  }
}

extension ObservedEvent {
  /// It tells a state and not a change.
  package var isFoundSo: Bool {
    switch kind {
    case .chargingStarted, .chargingStopped, .regionEntered, .regionExited: value == Self.foundSo
    default: false
    }
  }
}
