package import TriggerModel

/// A row of AWARE's battery table.
package struct BatteryRow: Hashable, Sendable, BitwiseCopyable {
  package enum Status: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
    case unknown, charging, discharging, notCharging, full, shutdown, reboot

    /// Whether the phone is being charged, or has been.
    package var isChargingOrFull: Bool { self == .charging || self == .full }
  }

  package var instant: Instant
  /// The line in the file, counted from 1.
  package var line: Int
  /// Per cent, 0 … 100.
  package var level: Int
  package var status: Status
  /// 0 none, 1 AC, 2 USB, 4 wireless.
  package var adaptor: Int
}

/// A row of AWARE's screen table.
package struct ScreenRow: Hashable, Sendable, BitwiseCopyable {
  package enum Status: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
    case off, on, locked, unlocked
  }

  package var instant: Instant
  /// The line in the file, counted from 1.
  package var line: Int
  package var status: Status
}

/// A table of one phone, in time order.
package struct AwareTable<Row: Hashable & Sendable>: Hashable, Sendable {
  package enum TimeUnit: String, Hashable, Sendable {
    /// As niimpy exports it, with a fraction.
    case seconds
    /// As AWARE's own tables have it.
    case milliseconds
  }

  /// Ascending in time; rows of one time in the order of the file.
  package var rows: [Row]
  /// nil when there is no row.
  package var timeUnit: TimeUnit?
  package var summary: ImportSummary
}

extension BatteryRow.Status {
  /// What AWARE's `battery_status` says: Android's numbers, and two of AWARE's own.
  init?(code: Int, _ platform: AwareReader.Platform) {
    switch (code, platform) {
    case (-3, _): self = .reboot
    case (-1, _): self = .shutdown
    case (0, .iOSVersion1), (1, .android): self = .unknown
    case (1, .iOSVersion1): self = .discharging
    case (2, _): self = .charging
    case (3, .iOSVersion1), (5, _): self = .full
    case (3, .android): self = .discharging
    case (4, .android): self = .notCharging
    default: return nil
    }
  }
}
