package import CivilTime
package import TriggerModel

/// The planning state of one reminder.
package struct Ledger: Hashable, Sendable {
  /// The current snooze, or `nil` if there is none.
  package var snooze: Snooze?
  /// The undelivered request of an ended snooze, which is deferred by quiet hours or is a late alarm.
  package var deferredSnooze: Snooze.Deferred?
  /// The occurrence at which the app must be woken, if the schedule requests nothing in advance.
  package var wake: Instant?
  /// The occurrences at which the app was woken, or `nil` if there are none.
  package var served: ServedOccurrences?
  /// The day from which a relative schedule counts.
  package var countedFrom: DayOfFact?
  /// The lapse whose stages were requested.
  package var lapse: PlannedLapse?
  /// The occurrences that were requested in advance.
  package var occurrences: OccurrencePlan?
  /// The requests that the system repeats.
  package var repetitions: RepetitionPlan?
  /// The first occurrence for which the system has no room.
  package var leftOut: Instant?
  /// The failed or withdrawn requests to make again.
  package var retries: Retries?
  /// The mark of the declaration for which these plans were made, if an update of the app has changed the
  /// declaration.
  package var outdatedMark: UInt32?

  package init() {}

  /// Whether the ledger has no content.
  package var isEmpty: Bool {
    snooze == nil && deferredSnooze == nil && wake == nil && served == nil && countedFrom == nil
      && lapse == nil && occurrences == nil && repetitions == nil && leftOut == nil && retries == nil
      && outdatedMark == nil
  }

  /// Records that no wake-up is requested any longer.
  ///
  /// - Parameter served: The occurrences at which the app was woken, or `nil` to forget them.
  mutating func endWake(_ served: ServedOccurrences?) {
    wake = nil
    self.served = served
  }

  /// Discards all requests that were made or were to be made again.
  package mutating func forgetRequests() {
    occurrences = nil
    leftOut = nil
    retries = nil
    repetitions = nil
    deferredSnooze = nil
  }
}

extension Ledger: Packable {
  package mutating func pack(in parcel: inout Parcel) {
    var fields = fields
    parcel.carry(&fields)
    pack(\.snooze, Snooze(until: .distantPast), fields & 1, in: &parcel)
    pack(\.deferredSnooze, Snooze.Deferred(Snooze.Request(occurrence: 0, copy: 0)), fields & 2, in: &parcel)
    pack(\.wake, .distantPast, fields & 4, in: &parcel)
    if fields & 8 != 0 { parcel.carry(&countedFrom) }
    pack(\.lapse, PlannedLapse(since: CivilDate(dayNumber: 0)), fields & 16, in: &parcel)
    if fields & 32 != 0 {
      var plan = occurrences ?? OccurrencePlan()
      plan.pack(in: &parcel)
      occurrences = plan
    }
    if fields & 64 != 0 {
      var plan = repetitions ?? RepetitionPlan()
      plan.pack(in: &parcel)
      repetitions = plan
    }
    pack(\.leftOut, .distantPast, fields & 128, in: &parcel)
    if fields & 256 != 0 { parcel.keep(&retries, unless: false) }
    pack(\.outdatedMark, 0, fields & 512, in: &parcel)
    if fields & 1_024 != 0 {
      var occurrences = served ?? ServedOccurrences()
      occurrences.pack(in: &parcel)
      served = occurrences
    }
  }

  /// One bit for each property in order, set if the property is not `nil`.
  private var fields: UInt16 {
    let isThere = [
      snooze != nil, deferredSnooze != nil, wake != nil, countedFrom != nil, lapse != nil, occurrences != nil,
      repetitions != nil, leftOut != nil, retries != nil, outdatedMark != nil, served != nil,
    ]
    return isThere.enumerated().reduce(0) { $1.element ? $0 | 1 << UInt16($1.offset) : $0 }
  }

  private mutating func pack<Value: BitwiseCopyable>(
    _ property: WritableKeyPath<Self, Value?>, _ value: Value, _ isThere: UInt16, in parcel: inout Parcel
  ) {
    if isThere == 0 { return }
    var value = self[keyPath: property] ?? value
    parcel.carry(&value)
    self[keyPath: property] = value
  }
}
