/// The limits on the size of a scenario. All of them are counts, not times, so that the result does not
/// depend on the machine.
package struct RunBudget: Hashable, Sendable {
  /// The maximum number of events of the time line and of recordings, without fixes.
  package var events = 1_000_000
  /// The maximum number of delivered notifications, and of other items that are kept individually: outcomes
  /// that expectations name, and app events.
  package var fires = 500_000
  /// The maximum size of all recordings, in bytes.
  package var bytes = 2_147_483_648
  /// The maximum number of events, and of lines of a recording, that are held in memory. Beyond it,
  /// recordings are read again during the run. The limit affects no result.
  package var held = 500_000

  /// The number of records allowed per event, because schedules without requests are work, too. A person with
  /// the reminders of the pack `fitme` needs 60: with 20, `bench replay --mode person --events 365000`
  /// stopped after 333,334 of them.
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
  /// Only what affects the phone, the app and the person. The run omits records of the truth track's
  /// requests, of links, of app events and of each percent of the battery. If the sink does not need observed
  /// events, it also omits those that the engine does not need. Everything else is unchanged.
  case acts
}
