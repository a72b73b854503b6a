/// The limits on the size of a scenario. They are counts rather than times, so that the result does not
/// depend on the machine.
package struct RunBudget: Hashable, Sendable {
  /// The maximum number of events from the time line and recordings, excluding fixes.
  package var events = 1_000_000
  /// The maximum number of delivered notifications. It also limits the other items that are kept
  /// individually: app events, and outcomes that expectations name.
  package var fires = 500_000
  /// The maximum size of all recordings, in bytes.
  package var bytes = 2_147_483_648
  /// The maximum number of events held in memory, and of held lines per recording. Larger recordings are read
  /// again during the run. The limit affects no result.
  package var held = 500_000

  /// The number of records allowed per event.
  ///
  /// Schedules without requests also produce records. A person with the reminders of the pack `fitme` needs
  /// 60 per event. With a limit of 20, `bench replay --mode person --events 365000` stopped after 333,334
  /// events.
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
  /// Only the state of the phone, the app and the person. The run omits the records of the truth track's
  /// requests, of links, of app events and of each per cent of the battery. It also omits the observed events
  /// that neither the sink nor the engine needs.
  case acts
}
