import TriggerModel

/// Charger, place, zone and clock.
extension Phone {
  mutating func setPluggedIn(_ isIn: Bool, at now: Instant, into out: inout PhoneOutput) {
    guard isIn != isPluggedIn else {
      out.outcomes.append(.ignored(.alreadySo))
      return
    }
    isPluggedIn = isIn
    let kind: ObservedEvent.Kind = isIn ? .chargingStarted : .chargingStopped
    happened(kind, at: now, into: &out)
    stateChanged(kind, at: now, into: &out)
  }

  mutating func imposeLevel(_ thousandths: Int32, at now: Instant, into out: inout PhoneOutput) {
    let percent = Int64(thousandths / 10)
    happened(.batteryLevel, value: percent, at: now, into: &out)
    _ = tell(.batteryLevel, value: percent, at: now, into: &out)
  }

  mutating func move(to fix: Fix, at now: Instant, into out: inout PhoneOutput) {}

  mutating func setInside(
    _ region: RegionID, _ isInside: Bool, at now: Instant, into out: inout PhoneOutput
  ) {
    guard isInside != inside.contains(region) else {
      out.outcomes.append(.ignored(.alreadySo))
      return
    }
    if isInside { inside.insert(region) } else { inside.remove(region) }
    let kind: ObservedEvent.Kind = isInside ? .regionEntered : .regionExited
    happened(kind, subject: region.rawValue, at: now, into: &out)
    if settings.regionReporting == .geometric { stateChanged(kind, at: now, into: &out) }
  }

  mutating func travel(to zone: ZoneID, at now: Instant, into out: inout PhoneOutput) {
    guard zone != clock.zone else {
      out.outcomes.append(.ignored(.alreadySo))
      return
    }
    clock.zone = zone
    happened(.zoneChanged, at: now, into: &out)
    if settings.floatingMoves {
      centre.zoneChanged(to: self.zone, into: &out)
      awaitDelivery(at: now, into: &out)
    }
    stateChanged(.zoneChanged, at: now, into: &out)
  }

  mutating func setClock(ahead: TimeSpan, at now: Instant, into out: inout PhoneOutput) {
    guard ahead != clock.ahead else {
      out.outcomes.append(.ignored(.alreadySo))
      return
    }
    clock.ahead = ahead
    happened(.clockChanged, at: now, into: &out)
    awaitDelivery(at: now, into: &out)
    timeWakes(at: now, into: &out)
    stateChanged(.clockChanged, at: now, into: &out)
  }
}
