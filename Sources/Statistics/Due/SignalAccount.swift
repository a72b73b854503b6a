package import TriggerModel

/// An event that the platform may report to the app late, not at all, or without cause.
package struct PlatformSignal: Hashable, Sendable {
  package enum Kind: Int, Hashable, Sendable, CaseIterable {
    case unlock, chargingStarted, chargingStopped, appOpened, regionEntered, regionExited

    /// The name in files and reports.
    package var name: String { String(describing: self) }
  }

  /// The kind of the event.
  var event: ObservedEvent.Kind
  /// The app or region of the event, or 0 for other events.
  package var subject: UInt32

  /// Creates the signal of an event, or returns `nil` if the platform reports no such event or the event
  /// reports a state instead of a change.
  init?(_ event: ObservedEvent) {
    guard event.kind.isSignal, !event.isFoundSo else { return nil }
    self.event = event.kind
    subject = event.subject
  }
}

extension PlatformSignal.Kind {
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
  /// Whether the platform may fail to report an event of this kind and thereby cause a missed request. Events
  /// of the app itself, of requests and of facts are missed for other causes.
  var isSignal: Bool {
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

/// A comparison between the reports of one signal, or of all signals of a kind, and the truth track.
package struct SignalAccount: Hashable, Sendable {
  /// The number of events that happened.
  package var truth = 0
  /// The number of events that the app observed.
  package var observed = 0
  /// The number of observed events that were matched with actual events.
  package var matched = 0
  /// The number of events that the app never observed, by cause.
  package var missed: [String: Int] = [:]
  /// The delays of the matched events.
  package var delays = DelayCounts()

  package init() {}

  /// The number of observed events that had not happened.
  package var falseSigns: Int { observed - matched }

  package mutating func add(_ other: SignalAccount) {
    truth += other.truth
    observed += other.observed
    matched += other.matched
    missed.merge(other.missed, uniquingKeysWith: +)
    delays.add(other.delays)
  }
}

extension ObservedEvent {
  /// Whether the event reports a state instead of a change.
  package var isFoundSo: Bool {
    switch kind {
    case .chargingStarted, .chargingStopped, .regionEntered, .regionExited: value == Self.reportedState
    default: false
    }
  }
}

/// A histogram of delays in milliseconds. Its size depends on the number of distinct delays.
package struct DelayCounts: Hashable, Sendable {
  /// The number of delays of 0, stored separately because they are the most frequent.
  private var atOnce = 0
  private var others: [Int64: Int] = [:]

  package mutating func add(_ milliseconds: Int64) {
    if milliseconds == 0 { atOnce += 1 } else { others[milliseconds, default: 0] += 1 }
  }

  package mutating func add(_ other: DelayCounts) {
    atOnce += other.atOnce
    others.merge(other.others, uniquingKeysWith: +)
  }

  /// The median in milliseconds, or `nil` if there are no delays. For an even number of delays, it is the
  /// lower of the middle two.
  ///
  /// - Complexity: O(d log d) for d distinct delays.
  package var median: Int64? {
    let counts = counts
    var before = (counts.reduce(0) { $0 + $1.count } - 1) / 2
    for (milliseconds, count) in counts {
      if before < count { return milliseconds }
      before -= count
    }
    return nil
  }

  /// The longest delay in milliseconds, or `nil` if there are no delays.
  package var longest: Int64? { counts.last?.milliseconds }

  /// The number of occurrences of each delay, in ascending order of delays.
  package var counts: [(milliseconds: Int64, count: Int)] {
    let all = others.merging(atOnce > 0 ? [0: atOnce] : [:], uniquingKeysWith: +)
    return all.map { (milliseconds: $0.key, count: $0.value) }.sorted { $0.milliseconds < $1.milliseconds }
  }
}

/// The causes of missed and unfounded requests that the accounts determine. The phone states the other
/// causes.
package enum KnowledgeGap: String, Hashable, Sendable, CaseIterable {
  /// The app observed the event too late.
  case toldLate
  /// The cause is unknown: the run ended too early, or the phone does not state causes for such events.
  case notTold
  /// The app observed the trigger, but not the change of a condition.
  case conditionUnseen
  /// The app was not running at a scheduled time.
  case notWoken
  /// The app restored an old state from the store.
  case storeStale
  /// A request was made although nothing was due.
  case unfounded
  /// The engine under test made a request that its observations did not call for.
  case uncalledFor
}
