import CivilTime
package import TriggerModel

/// All that the gateway goes on with, but for what it makes anew: the outlook, and what it found in calendars.
extension NotificationGateway: Packable {
  package mutating func pack(in parcel: inout Parcel) {
    // Zones may have been stored since it was made.
    parcel.keep(&zones)
    parcel.carry(&alarmsMayBeLate)
    state.pack(in: &parcel)
    memory.pack(in: &parcel)
    if parcel.isUnpacking { memory.cursor = ZoneCursor(zones[state.zone ?? ZoneID(0)]) }
  }
}

extension GatewayState: Packable {
  package mutating func pack(in parcel: inout Parcel) {
    parcel.carry(&types)
    parcel.keep(&retiredTypes, unless: retiredTypes.isEmpty)
    parcel.carry(&collected)
    parcel.carry(&unconfirmed)
    parcel.carry(&pending)
    parcel.carry(&held)
    parcel.carry(&released)
    parcel.carry(&fixed)
    parcel.keep(&preempting, unless: preempting == nil)
    parcel.carry(&uncounted)
    parcel.carry(
      &self, \.announcedRelease, \.lapse, \.lastStandard, \.lastCritical, \.clocks, \.zone,
      \.preferences.isEnabled, \.preferences.dailyCap)
    preferences.disabledTypes.pack(in: &parcel)
    days.pack(in: &parcel)
  }
}

extension NotificationGateway.Memory {
  fileprivate mutating func pack(in parcel: inout Parcel) {
    parcel.carry(
      &self, \.permission, \.isSorted, \.lastStandardByClock, \.lastCriticalByClock, \.asksAgain, \.isDirty,
      \.isDirtyOfRequests, \.looksForReleases)
    unregistered.pack(in: &parcel)
    parcel.keep(&ended, unless: ended.isEmpty)
    parcel.carry(&looked)
    parcel.carry(&ready)
    parcel.carry(&takenBack)
  }
}
