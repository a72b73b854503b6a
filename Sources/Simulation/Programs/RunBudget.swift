/// How much one scenario may ask for. All are counts, never seconds: whether a file is too large does not depend on
/// the machine that reads it.
package struct RunBudget: Hashable, Sendable {
  /// Events of the time line and of recordings, but for their fixes.
  package var events = 1_000_000
  /// Notifications that reach the phone, and what else is kept one by one: endings that expectations ask about, and
  /// what the app shows and logs.
  package var fires = 500_000
  /// What the recordings that it names hold together.
  package var bytes = 2_147_483_648
  /// Events, and lines of a recording, that are held. Of more only what comes next is, and recordings are read again
  /// while the scenario runs. It changes no result.
  package var held = 500_000

  /// Records of a run for each event that is allowed: schedules that come to nothing are work too. A person
  /// with the reminders of the pack `fitme` takes 60: with 20 allowed `bench replay --mode person --events 365000`
  /// was broken off after 333,334 of them.
  private static let recordsPerEvent = 100

  package init() {}

  /// How many records a run may have.
  package var records: Int {
    let (records, isTooMany) = events.multipliedReportingOverflow(by: Self.recordsPerEvent)
    return isTooMany ? .max : records
  }
}
