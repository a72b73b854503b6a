import DeterministicMath
import TriggerModel

/// The significant-change service (rule L12).
extension Phone {
  /// The phone has reached a fix: a change is significant far enough from the last one, and late enough
  /// after it.
  mutating func noticeMovement(at now: Instant, into out: inout PhoneOutput) {
    guard isOn, let fix = place.lastFix else { return }
    guard let last = lastSignificant else {
      lastSignificant = fix
      return
    }
    guard now - last.instant >= settings.significantChangeInterval,
      Self.isFartherApart(fix.coordinate, last.coordinate, than: settings.significantChangeDistance)
    else { return }
    lastSignificant = Fix(instant: now, coordinate: fix.coordinate)
    guard locationPermission == .always, process.state != .forceQuit else {
      out.outcomes.append(.missed(.woken, subject: 0, .notRunning))
      return
    }
    resume(at: now, into: &out)
  }

  /// On a plane with the meridian's 111 km to the degree: good to a per cent, as the service is not.
  private static func isFartherApart(_ a: Coordinate, _ b: Coordinate, than metres: Double) -> Bool {
    let metresPerDegree = 111_195.0
    let north = (a.latitude - b.latitude) * metresPerDegree
    var degreesEast = abs(a.longitude - b.longitude)
    if degreesEast > 180 { degreesEast = 360 - degreesEast }
    let east = degreesEast * metresPerDegree * DeterministicMath.cosDegrees(a.latitude)
    return north * north + east * east > metres * metres
  }
}
