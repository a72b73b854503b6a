import Geofencing
import TriggerModel

/// What the app learns of where it is, and the surroundings that it wants to be told of leaving.
extension Phone {
  /// Where the phone is: in the middle of a place that it entered by decree, otherwise where its fixes say; nil where
  /// nobody says.
  private func position(at now: Instant) -> Coordinate? {
    let circles = place.decreed.intersection(inside).regions.compactMap {
      blueprint.regions?.regions[$0.index]
    }
    let smallest = circles.min {
      ($0.radius, $0.center.latitude, $0.center.longitude) < (
        $1.radius, $1.center.latitude, $1.center.longitude
      )
    }
    return smallest?.center ?? place.position(at: now)
  }

  /// Tells the app, which runs, where it is: one that must choose what to have watched.
  func tellPosition(at now: Instant, into out: inout PhoneOutput) {
    guard blueprint.hasPlacesLeftOut, isLocationOn, isPreciseLocation || !settings.regionsNeedPrecise,
      locationPermission == .always || (locationPermission == .whenInUse && isAppInFront),
      let here = position(at: now)
    else { return }
    out.observed.append(ObservedEvent(locatedAt: Position(here), at: moment(at: now)))
  }

  // MARK: - Surroundings

  /// The app asks to be told when the phone has left a circle.
  mutating func watch(_ circle: Surroundings, at now: Instant, into out: inout PhoneOutput) {
    guard settings.regionReporting == .delayed else { return }
    if isMonitored(.surroundings), surroundings?.circle == circle { return }
    unwatch()
    let radius = Double(circle.radius)
    let center = circle.center.coordinate
    let here = Fix(instant: now, coordinate: position(at: now) ?? center)
    guard refusal(ofRegion: radius) == nil,
      let system = try? LoneCircle(
        center: center, radius: SystemRadii(radius: radius, settings).exit, from: here)
    else { return out.remark(.missed(.located, subject: 0, .noSign)) }
    surroundings = WatchedSurroundings(circle)
    place.watch(system)
    crossingAlarm.require(place.nextCrossing, now: now, .crossing, into: &out)
    reviewSurroundings(at: now, into: &out)
  }

  mutating func unwatch() {
    surroundings = nil
    place.watch(nil)
    reports.removeAll { $0.region == .surroundings }
  }

  /// The phone may be elsewhere without having gone there.
  mutating func reviewSurroundings(at now: Instant, into out: inout PhoneOutput) {
    guard surroundings != nil, let here = position(at: now), let isInside = place.isInSurroundings(here)
    else { return }
    crossSurroundings(isInside: isInside, at: now, into: &out)
  }

  mutating func crossSurroundings(isInside: Bool, at now: Instant, into out: inout PhoneOutput) {
    guard isOn, isMonitored(.surroundings),
      surroundings?.reporter.wentBeyond(isInside: isInside, at: now) == true
    else { return }
    awaitDwell(of: .surroundings, at: now, into: &out)
  }

  mutating func dwellBeyondSurroundings(at now: Instant, into out: inout PhoneOutput) {
    let dwell = settings.regionDwell
    guard isOn, isMonitored(.surroundings), surroundings?.reporter.hasDwelt(dwell, at: now) == false else {
      return
    }
    report(.surroundings, isInside: false, at: now, into: &out)
  }

  /// The app runs, and learns where it is.
  mutating func tellSurroundingsLeft(
    _ silence: RegionSuppression?, at now: Instant, into out: inout PhoneOutput
  ) {
    switch silence {
    case nil:
      resume(at: now, into: &out)
      tellPosition(at: now, into: &out)
    case .poweredOff: out.remark(.missed(.located, subject: 0, .poweredOff))
    case .forceQuit: out.remark(.missed(.located, subject: 0, .forceQuit))
    case .forceStopped: out.remark(.missed(.located, subject: 0, .forceStopped))
    case .notMonitored, .permission, .unavailable, .dwell, .cushion, .alreadyInside, .regionLimit:
      out.remark(.missed(.located, subject: 0, .noSign))
    }
  }
}
