package import DeviceSimulation
package import TriggerModel

/// Which records somebody makes something of, as far as it is worth while not to make the others.
package struct RecordInterest: Sendable {
  /// What the time line says.
  package enum Happenings: Sendable {
    case everything
    /// That our app is opened, and no more.
    case openings
    case nothing
  }

  package var happenings = Happenings.everything
  /// What really happens.
  package var truth = EventKinds.all
  /// What the app was not, or wrongly, told, and what came to nothing.
  package var remarks = true
  /// What the app is told. Otherwise it is recorded as far as the engine has to be told of it.
  package var observed = true

  package static let everything = RecordInterest()
  package static let nothing = RecordInterest(
    happenings: .nothing, truth: EventKinds(), remarks: false, observed: false)

  package init() {}

  package init(happenings: Happenings, truth: EventKinds, remarks: Bool, observed: Bool) {
    self.happenings = happenings
    self.truth = truth
    self.remarks = remarks
    self.observed = observed
  }

  @inline(__always)
  package func contains(_ event: PhoneEvent) -> Bool {
    switch happenings {
    case .everything: true
    case .openings: if case .openOwnApp = event { true } else { false }
    case .nothing: false
    }
  }

  package func union(_ other: RecordInterest) -> RecordInterest {
    var both = self
    switch (happenings, other.happenings) {
    case (.nothing, let theirs): both.happenings = theirs
    case (_, .everything): both.happenings = .everything
    case (.everything, _), (.openings, _): break
    }
    both.truth = truth.union(other.truth)
    both.remarks = remarks || other.remarks
    both.observed = observed || other.observed
    return both
  }
}
