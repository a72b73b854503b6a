package import TriggerModel

/// Long ways, and the significant-change service (rule L12).
extension Phone {
  /// Follows the fixes of a recording for as long as nothing comes of them. The one after those may cross
  /// a boundary or wake the app, and is for ``apply(_:at:using:into:)``.
  ///
  /// - Parameters:
  ///   - range: Positions of fixes on one known way; the one before the first has been reached.
  ///   - limit: Only fixes that the phone sets out for before this instant.
  /// - Returns: How many were followed.
  /// - Complexity: some nanoseconds a fix.
  package mutating func follow(
    _ fixes: [Fix], _ range: Range<Int>, before limit: Instant, using watch: PlaceWatch?
  ) -> Int {
    guard watch != nil else { return range.prefix { fixes[$0 - 1].instant < limit }.count }
    guard place.hasBegun, place.decreed.isEmpty else { return 0 }
    let mayWake = settings.significantChangeWakes && isOn
    let rests = settings.dozeAfter > .zero && idle.isScreenOff
    var position = range.lowerBound
    while position < range.upperBound, fixes[position - 1].instant < limit {
      if mayWake, isSignificantChange(at: fixes[position - 1].instant) { break }
      // An alarm may wait for the phone to be moved.
      if rests, idle.isElsewhere(fixes[position].coordinate) { break }
      guard place.absorbs(fixes[position]) else { break }
      position += 1
    }
    if position > range.lowerBound { place.passed(fixes[position - 2]) }
    return position - range.lowerBound
  }

  /// Whether the place reached now is worth a word to the service, be it only the first one.
  private func isSignificantChange(at now: Instant) -> Bool {
    guard let last = lastSignificant, let fix = place.lastFix else { return true }
    return now - last.instant >= settings.significantChangeInterval
      && Self.isFartherApart(fix.coordinate, last.coordinate, than: settings.significantChangeDistance)
  }

  /// The phone has reached a fix: a change is significant far enough from the last one, and late enough
  /// after it.
  mutating func noticeMovement(at now: Instant, into out: inout PhoneOutput) {
    guard isOn, let fix = place.lastFix else { return }
    guard lastSignificant != nil else {
      lastSignificant = fix
      return
    }
    guard isSignificantChange(at: now) else { return }
    lastSignificant = Fix(instant: now, coordinate: fix.coordinate)
    guard locationPermission == .always, process.state != .forceQuit, whyNotStarted == nil else {
      return out.remark(.missed(.woken, subject: 0, .notRunning))
    }
    resume(at: now, into: &out)
    tellPosition(at: now, into: &out)
  }

  /// On a plane: good to a per cent, as the service is not.
  private static func isFartherApart(_ a: Coordinate, _ b: Coordinate, than metres: Double) -> Bool {
    let north = (a.latitude - b.latitude) * Earth.metresPerDegree
    var degreesEast = abs(a.longitude - b.longitude)
    if degreesEast > 180 { degreesEast = 360 - degreesEast }
    let east = degreesEast * Earth.metresPerDegree * DeterministicMath.cosDegrees(a.latitude)
    return north * north + east * east > metres * metres
  }
}
