package import TriggerModel

extension Phone: Packable {
  package mutating func pack(in parcel: inout Parcel) {
    parcel.carry(
      &self, \.clock, \.isOn, \.isLocked, \.isUsedSinceLock, \.isBeforeFirstUnlock, \.locationPermission,
      \.isPreciseLocation, \.isLocationOnce, \.screenTime, \.isLocationOn, \.isFocused, \.hasSummary,
      \.isInAirplaneMode, \.allowsBackgroundRefresh, \.isInLowPowerMode, \.idle, \.process, \.areWakesLost)
    parcel.carry(
      &self, \.refreshAlarm, \.returnsAtUnlock, \.sessionEnds, \.sessionAlarm, \.isUnlockUnseen,
      \.dataLocksAt, \.deliveryAlarm, \.prompts, \.summaryAlarm, \.summaryDue, \.mayUseExactAlarms,
      \.batteryAlarm,
      \.levelNoticeAlarm, \.lastLevelNotice, \.crossingAlarm, \.reportAlarm, \.surroundings)
    parcel.carry(&self, \.lastSignificant, \.usageAlarm, \.usageReportAlarm, \.usageDays)
    parcel.carry(&unchosenApps)
    battery.pack(in: &parcel)
    place.pack(in: &parcel)
    store.pack(in: &parcel)
    known.pack(in: &parcel)
    inbox.pack(in: &parcel)
    reading.pack(in: &parcel)
    wakes.pack(in: &parcel)
    centre.pack(in: &parcel)
    channels.pack(in: &parcel)
    parcel.carry(&reporters)
    parcel.carry(&reports)
    parcel.carry(&usageReports)
    parcel.keep(&usage, unless: usage == UsageTracker())
  }
}
