import TriggerModel

/// How long the phone has lain untouched, which is what Doze waits for (rule A3).
struct IdleState: Hashable, Sendable, BitwiseCopyable {
  /// The story has said that the screen was switched off: a phone of which nobody says how it is used does not
  /// doze.
  var isScreenOff = false
  /// When it was last locked, unplugged or moved.
  var since = Instant.distantPast
  /// Where it rests; nil: nobody says.
  private var place: Coordinate?
  /// When an alarm last went off in Doze.
  var lastAlarm = Instant.distantPast

  /// How far a resting phone's fixes may lie from one another, in degrees: about 100 m along the meridian.
  private static let jitter = 0.000_9

  /// Whether a coordinate is not where the phone rests.
  func isElsewhere(_ coordinate: Coordinate) -> Bool {
    guard let place else { return true }
    let north = abs(coordinate.latitude - place.latitude)
    let east = abs(coordinate.longitude - place.longitude)
    return north > Self.jitter || east * DeterministicMath.cosDegrees(place.latitude) > Self.jitter
  }

  /// The phone is, or is on its way to, a coordinate.
  /// - Returns: Whether it has moved for that.
  mutating func isMoved(to coordinate: Coordinate, at now: Instant) -> Bool {
    guard isElsewhere(coordinate) else { return false }
    defer { place = coordinate }
    if place == nil { return false }
    since = now
    return true
  }
}
