import CivilTime
import ReminderMatching
package import TriggerModel

/// Packs the engine without derived state: the rows of failing fact conditions, the order of left-out
/// occurrences, and calendar caches.
///
/// No reconciliation is in progress between two instants.
extension ReminderEngine: Packable {
  package mutating func pack(in parcel: inout Parcel) {
    // The program and the zones may have grown since the parcel was created.
    parcel.keep(&program)
    parcel.keep(&zones)
    // Unpacking marks the state as changed, so restore the flags afterwards.
    var (mustPersist, hasChanged) = (mustPersist, matcher.hasChanged)
    persisted.pack(in: &parcel)
    matcher.pack(program, in: &parcel)
    parcel.carry(&mustPersist)
    parcel.carry(&hasChanged)
    (self.mustPersist, matcher.hasChanged) = (mustPersist, hasChanged)
    parcel.carry(
      &self, \.pendingCapacity, \.regionCapacity, \.alarmsMayBeLate, \.releasesPending, \.countsInBulk)
    parcel.keep(&held, unless: held.isEmpty)
    parcel.carry(&counted)
    memory.pack(zones, in: &parcel)
    if parcel.isUnpacking { matcher.zone = zones[memory.viewpoint.zone] }
  }
}

extension ReminderEngine.Memory {
  fileprivate mutating func pack(_ zones: ZoneTable, in parcel: inout Parcel) {
    var (zone, isCharging) = (viewpoint.zone, viewpoint.isCharging)
    parcel.carry(&zone)
    parcel.carry(&isCharging)
    if parcel.isUnpacking { viewpoint = Viewpoint(zone, of: zones, isCharging: isCharging) }
    parcel.carry(&self, \.plannedAt, \.fullUntil)
    undecided.pack(in: &parcel)
    parcel.carry(&fresh)
    parcel.carry(&entered)
    parcel.keep(&ended, unless: ended.isEmpty)
  }
}

extension Matcher {
  fileprivate mutating func pack(_ program: ReminderProgram, in parcel: inout Parcel) {
    if parcel.isUnpacking { use(program, MatcherState(of: program)) } else { flushRequestCounts() }
    state.pack(in: &parcel)
    facts.pack(in: &parcel)
    factSync.forget()
    parcel.keep(&turns, unless: turns.isEmpty)
    parcel.carry(&shownNumbers)
    parcel.carry(&reportedRows.words)
    parcel.carry(&totals)
  }
}

extension FactStore {
  fileprivate mutating func pack(in parcel: inout Parcel) {
    parcel.carry(&values)
    parcel.carry(&setTimes)
    parcel.carry(&days)
    farRegions.pack(in: &parcel)
  }
}
