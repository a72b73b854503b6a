/// Which rows of a screen table count as unlocks.
package enum UnlockRule: String, Hashable, Sendable, CaseIterable {
  /// Every row that says unlocked.
  case everyRow
  /// Rows that say unlocked and have a locked row since the previous unlock; and the first that says either, as what
  /// is unlocked first was locked.
  case lockedSince
}

/// What tells that charging has started.
package enum ChargingRule: String, Hashable, Sendable, CaseIterable {
  /// `battery_adaptor` goes from 0 to another value.
  case adaptor
  /// `battery_status` goes into charging or full from anything else.
  case status
}

extension AwareTable<ScreenRow> {
  /// The rows that count as unlocks.
  ///
  /// - Complexity: O(rows)
  package func unlocks(_ rule: UnlockRule) -> [ScreenRow] {
    changes(rule).lazy.filter { $0.kind == .unlocked }.map(\.row)
  }

  /// The rule that suits the table. One that never says locked, as some phones record, still says when it was
  /// unlocked: there each unlocked row is an unlock, and the lock before it is implied.
  package var unlockRule: UnlockRule {
    rows.contains { $0.status == .locked } ? .lockedSince : .everyRow
  }

  /// The locks and unlocks in time order, of which two of a kind never follow each other.
  ///
  /// With ``UnlockRule/lockedSince`` a phone is locked by the first row that says so since an unlocked row.
  /// With ``UnlockRule/everyRow`` it is locked by the first row since the last unlock that says off, or else
  /// just before it is unlocked again.
  ///
  /// - Complexity: O(rows)
  package func changes(_ rule: UnlockRule) -> [ScreenChange] {
    rule == .lockedSince ? statedChanges : impliedChanges
  }

  private var statedChanges: [ScreenChange] {
    var changes: [ScreenChange] = []
    // Nil: no row has said it. What is unlocked first was locked.
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

/// A change that a screen table shows, or implies.
package struct ScreenChange: Hashable, Sendable, BitwiseCopyable {
  package enum Kind: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
    case locked, unlocked
  }

  package var kind: Kind
  /// Where it is implied, the row that implies it.
  package var row: ScreenRow
}

/// A change that a battery table shows.
package struct BatteryChange: Hashable, Sendable, BitwiseCopyable {
  package enum Kind: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
    case chargingStarted, chargingStopped
    /// The level differs from the one before; also the first row.
    case level
    /// One for several shutdown rows in a row.
    case shutdown
    /// One for several reboot rows in a row. After a shutdown that no reboot row follows, the next row.
    case reboot
  }

  package var kind: Kind
  package var row: BatteryRow
}

extension AwareTable<BatteryRow> {
  /// The changes from row to row, in time order.
  ///
  /// A first row that shows the phone plugged in is no start of charging: it was on the charger before.
  /// Several changes of one row are in the order of ``BatteryChange/Kind``. A row that reports a
  /// shutdown or reboot is an Android broadcast like any other, and its status and adaptor count.
  ///
  /// - Complexity: O(rows)
  package func changes(_ rule: ChargingRule) -> [BatteryChange] {
    var changes: [BatteryChange] = []
    var last: BatteryRow?
    // Off, and no row will say reboot.
    var isOffUnsaid = false
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
        isOffUnsaid = !isRebootSaid(after: index)
      }
      if row.status == .reboot ? last?.status != .reboot : isOffUnsaid && row.status != .shutdown {
        changes.append(BatteryChange(kind: .reboot, row: row))
        isOffUnsaid = false
      }
    }
    return changes
  }

  /// Whether a reboot row comes before the phone is shut down again.
  private func isRebootSaid(after shutdown: Int) -> Bool {
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
  /// Whether the row shows a phone on the charger, by the rule.
  package func isPowered(_ rule: ChargingRule) -> Bool {
    switch rule {
    case .adaptor: adaptor != 0
    case .status: status.isChargingOrFull
    }
  }
}
