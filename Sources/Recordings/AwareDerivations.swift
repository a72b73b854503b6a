/// The rule for the rows of a screen table that count as unlocks.
package enum UnlockRule: String, Hashable, Sendable, CaseIterable {
  /// Every row with the status unlocked.
  case everyRow
  /// An unlocked row, if there was a locked row since the last unlock. If the table starts with an unlocked
  /// row, that row counts too, because the phone must have been locked before it.
  case lockedSince
}

/// The rule for the rows of a battery table at which charging starts.
package enum ChargingRule: String, Hashable, Sendable, CaseIterable {
  /// A row whose `battery_adaptor` is not 0, if it was 0 in the previous row.
  case adaptor
  /// A row whose `battery_status` is charging or full, if it was neither in the previous row.
  case status
}

extension AwareTable<ScreenRow> {
  /// Returns the rows that count as unlocks.
  ///
  /// - Complexity: O(rows)
  package func unlocks(_ rule: UnlockRule) -> [ScreenRow] {
    changes(rule).lazy.filter { $0.kind == .unlocked }.map(\.row)
  }

  /// The rule that suits the table. Some phones never record locks. Each of their unlocked rows is then an
  /// unlock, and implies that the phone was locked before it.
  package var unlockRule: UnlockRule {
    rows.contains { $0.status == .locked } ? .lockedSince : .everyRow
  }

  /// Returns the locks and unlocks in chronological order. They alternate.
  ///
  /// With ``UnlockRule/lockedSince``, the first locked row after an unlock is a lock. With
  /// ``UnlockRule/everyRow``, the first off row after an unlock is a lock. If there is no off row, the next
  /// unlock implies the lock.
  ///
  /// - Complexity: O(rows)
  package func changes(_ rule: UnlockRule) -> [ScreenChange] {
    rule == .lockedSince ? statedChanges : impliedChanges
  }

  private var statedChanges: [ScreenChange] {
    var changes: [ScreenChange] = []
    // Whether the phone is locked, or `nil` before the first row that states it. If that row is unlocked, the
    // phone was locked before it.
    var isLocked: Bool?
    for row in rows {
      switch row.status {
      case .locked:
        if isLocked != true { changes.append(ScreenChange(kind: .locked, row: row)) }
        isLocked = true
      case .unlocked:
        if isLocked != false { changes.append(ScreenChange(kind: .unlocked, row: row)) }
        isLocked = false
      case .on, .off: break
      }
    }
    return changes
  }

  private var impliedChanges: [ScreenChange] {
    var changes: [ScreenChange] = []
    for row in rows {
      let isUnlocked = changes.last?.kind == .unlocked
      switch row.status {
      case .locked, .off:
        if isUnlocked { changes.append(ScreenChange(kind: .locked, row: row)) }
      case .unlocked:
        if isUnlocked { changes.append(ScreenChange(kind: .locked, row: row)) }
        changes.append(ScreenChange(kind: .unlocked, row: row))
      case .on: break
      }
    }
    return changes
  }
}

/// A change that a screen table states or implies.
package struct ScreenChange: Hashable, Sendable, BitwiseCopyable {
  package enum Kind: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
    case locked, unlocked
  }

  package var kind: Kind
  /// The row that states or implies the change.
  package var row: ScreenRow
}

/// A change that a battery table states or implies.
package struct BatteryChange: Hashable, Sendable, BitwiseCopyable {
  package enum Kind: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
    case chargingStarted, chargingStopped
    /// The level differs from that of the previous row, or there is no previous row.
    case level
    /// The first of consecutive shutdown rows.
    case shutdown
    /// The first of consecutive reboot rows. If no reboot row follows a shutdown, the next row implies the
    /// reboot.
    case reboot
  }

  package var kind: Kind
  package var row: BatteryRow
}

extension AwareTable<BatteryRow> {
  /// Returns the changes between consecutive rows, in chronological order.
  ///
  /// A phone that is plugged in at the first row does not start charging there, because it was plugged in
  /// before. Several changes at the same row are in the order of ``BatteryChange/Kind``. The status and the
  /// adaptor of shutdown and reboot rows count too, because Android broadcasts them like those of all other
  /// rows.
  ///
  /// - Complexity: O(rows)
  package func changes(_ rule: ChargingRule) -> [BatteryChange] {
    var changes: [BatteryChange] = []
    var last: BatteryRow?
    // Whether the phone is off, and no row in the table states the reboot that must follow.
    var isRebootImplied = false
    for (index, row) in rows.enumerated() {
      defer { last = row }
      if let last {
        let (before, now) = (last.isPowered(rule), row.isPowered(rule))
        if !before, now { changes.append(BatteryChange(kind: .chargingStarted, row: row)) }
        if before, !now { changes.append(BatteryChange(kind: .chargingStopped, row: row)) }
      }
      if row.level != last?.level { changes.append(BatteryChange(kind: .level, row: row)) }
      if row.status == .shutdown, last?.status != .shutdown {
        changes.append(BatteryChange(kind: .shutdown, row: row))
        isRebootImplied = !hasReboot(after: index)
      }
      if row.status == .reboot ? last?.status != .reboot : isRebootImplied && row.status != .shutdown {
        changes.append(BatteryChange(kind: .reboot, row: row))
        isRebootImplied = false
      }
    }
    return changes
  }

  /// Returns whether a reboot row precedes the next shutdown.
  private func hasReboot(after shutdown: Int) -> Bool {
    var isOn = false
    for row in rows[(shutdown + 1)...] {
      switch row.status {
      case .reboot: return true
      case .shutdown: if isOn { return false }
      default: isOn = true
      }
    }
    return false
  }
}

extension BatteryRow {
  /// Returns whether the rule considers the phone plugged in at this row.
  package func isPowered(_ rule: ChargingRule) -> Bool {
    switch rule {
    case .adaptor: adaptor != 0
    case .status: status.isChargingOrFull
    }
  }
}
