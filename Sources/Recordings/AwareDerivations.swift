/// Which rows of a screen table count as unlocks.
package enum UnlockRule: String, Hashable, Sendable, CaseIterable {
  /// Every row that says unlocked.
  case everyRow
  /// Rows that say unlocked and have a locked row since the previous unlock (or since the start).
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
    var hasLocked = false
    return rows.filter { row in
      if row.status == .locked { hasLocked = true }
      guard row.status == .unlocked else { return false }
      defer { hasLocked = false }
      return rule == .everyRow || hasLocked
    }
  }

  /// The rows that say locked, one for each time that the phone was locked: the first since an unlock.
  ///
  /// - Complexity: O(rows)
  package var locks: [ScreenRow] {
    var isLocked = false
    return rows.filter { row in
      switch row.status {
      case .locked:
        defer { isLocked = true }
        return !isLocked
      case .unlocked: isLocked = false
      case .on, .off: break
      }
      return false
    }
  }
}

/// A change that a battery table shows.
package struct BatteryChange: Hashable, Sendable, BitwiseCopyable {
  package enum Kind: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
    case chargingStarted, chargingStopped
    /// The level differs from the one before; also the first row.
    case level
    /// One for several shutdown rows in a row.
    case shutdown
    /// One for several reboot rows in a row.
    case reboot
  }

  package var kind: Kind
  package var row: BatteryRow
}

extension AwareTable<BatteryRow> {
  /// The changes from row to row, in time order.
  ///
  /// A first row that shows the phone plugged in is no start of charging: when it began is not known.
  /// Several changes of one row are in the order of ``BatteryChange/Kind``. A row that reports a
  /// shutdown or reboot is an Android broadcast like any other, and its status and adaptor count.
  ///
  /// - Complexity: O(rows)
  package func changes(_ rule: ChargingRule) -> [BatteryChange] {
    var changes: [BatteryChange] = []
    var last: BatteryRow?
    for row in rows {
      defer { last = row }
      if let last {
        let (before, now) = (last.isPowered(rule), row.isPowered(rule))
        if !before, now { changes.append(BatteryChange(kind: .chargingStarted, row: row)) }
        if before, !now { changes.append(BatteryChange(kind: .chargingStopped, row: row)) }
      }
      if row.level != last?.level { changes.append(BatteryChange(kind: .level, row: row)) }
      if row.status == .shutdown, last?.status != .shutdown {
        changes.append(BatteryChange(kind: .shutdown, row: row))
      }
      if row.status == .reboot, last?.status != .reboot {
        changes.append(BatteryChange(kind: .reboot, row: row))
      }
    }
    return changes
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
