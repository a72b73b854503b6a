/// The limits on the size of a scenario. They are counts rather than durations, so the result does not depend
/// on the machine.
package struct RunBudget: Hashable, Sendable {
  /// The maximum number of events of the time line and the recordings, excluding fixes.
  package var events = 1_000_000
  /// The maximum number of delivered notifications. The same limit applies to app events and to outcomes that
  /// expectations name, because they are also stored individually.
  package var fires = 500_000
  /// The maximum size of all recordings, in bytes.
  package var bytes = 2_147_483_648
  /// The maximum number of events in memory, and of lines in memory per recording. The run reads larger
  /// recordings again. The limit does not affect results.
  package var held = 500_000

  /// The number of records allowed per event.
  ///
  /// Schedules without requests also produce records. A person with the reminders of the pack `fitme` needs
  /// 60 records per event. With a limit of 20, `bench replay --mode person --events 365000` stopped after
  /// 333,334 events.
  private static let recordsPerEvent = 100

  package init() {}

  /// The maximum number of records of a run.
  package var records: Int {
    let (records, isTooMany) = events.multipliedReportingOverflow(by: Self.recordsPerEvent)
    return isTooMany ? .max : records
  }
}

/// The part of a run that is simulated.
package enum RunScope: Sendable {
  /// Everything.
  case everything
  /// Only the state of the phone, the app and the person. The run omits records of requests on the truth
  /// track, links, app events and single battery percentages. It also omits observed events that neither the
  /// sink nor the engine needs.
  case acts
}
