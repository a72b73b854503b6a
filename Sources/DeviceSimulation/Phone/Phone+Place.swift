import Geofencing
package import TriggerModel

/// The phone's position, and how the system reports its regions to the app.
extension Phone {
  // MARK: - Fixes

  /// Places the phone at the first fix. It starts inside the regions that contain the fix, without an enter.
  package mutating func begin(at fix: Fix, _ watch: PlaceWatch?) {
    guard let watch else { return }
    place.inside = place.begin(at: fix, watch)
  }

  /// Starts moving to a fix. The first fix places the phone there.
  mutating func move(to fix: Fix, _ watch: PlaceWatch?, at now: Instant, into out: inout PhoneOutput) {
    guard let watch else { return }
    guard let last = place.lastFix else { return find(at: fix, watch, at: now, into: &out) }
    guard fix.instant >= last.instant else { return out.remark(.ignored(.onItsWay)) }
    // After a long gap, the path between the two fixes is unknown.
    if fix.instant == now, fix.isAfterGap(since: last, longerThan: Fix.defaultMaximumGap) {
      return find(at: fix, watch, at: now, into: &out)
    }
    if place.overridesEnd <= now { endOverrides(at: now, into: &out) }
    if settings.significantChangeWakes { noticeMovement(at: now, into: &out) }
    endRest(at: fix, at: now, into: &out)
    if place.setOut(for: fix, watch) {
      crossingAlarm.require(place.nextCrossing, now: now, .crossing, into: &out)
    }
    if !place.overridden.isEmpty { scheduleEndOfOverrides(fix.instant, at: now, into: &out) }
  }

  /// Places the phone at a fix that it reached on an unknown path.
  ///
  /// The phone is recorded as inside or outside each region that changed, but no crossing is. A region with
  /// an override is crossed now, because the scenario stated on which side of its boundary the phone was.
  mutating func find(at fix: Fix, _ watch: PlaceWatch?, at now: Instant, into out: inout PhoneOutput) {
    guard let watch else { return }
    if place.nextCrossing <= now { cross(at: now, into: &out) }
    if settings.significantChangeWakes { noticeMovement(at: now, into: &out) }
    endRest(at: fix, at: now, into: &out)
    let isFirst = !place.hasBegun
    let found = place.begin(at: fix, watch)
    for region in (0..<(blueprint.regions?.regions.count ?? 0)).map({ RegionID($0) })
    where !place.overridden.contains(region) && found.contains(region) != inside.contains(region) {
      find(region, isInside: found.contains(region), isFirst: isFirst, at: now, into: &out)
    }
    endOverrides(at: now, into: &out)
    reviewSurroundings(at: now, into: &out)
  }

  /// Follows the fixes of a recording until one may have an effect.
  ///
  /// That fix may cross a boundary or wake the app. Pass it to ``apply(_:at:using:hasDeclaredEnd:into:)``.
  ///
  /// - Parameters:
  ///   - range: The positions of fixes on one known path. The phone has reached the fix before the first one.
  ///   - limit: Follows only the fixes that the phone starts moving to before this instant.
  /// - Returns: The number of fixes followed.
  /// - Complexity: A few nanoseconds per fix.
  package mutating func follow(
    _ fixes: [Fix], _ range: Range<Int>, before limit: Instant, using watch: PlaceWatch?
  ) -> Int {
    guard watch != nil else { return range.prefix { fixes[$0 - 1].instant < limit }.count }
    guard place.hasBegun, place.overridden.isEmpty else { return 0 }
    let mayWake = settings.significantChangeWakes && isOn
    let rests = settings.dozeAfter > .zero && doze.isScreenOff
    var position = range.lowerBound
    while position < range.upperBound, fixes[position - 1].instant < limit {
      if mayWake,
        significantChanges.mayRecord(
          place.lastFix, at: fixes[position - 1].instant, interval: settings.significantChangeInterval,
          distance: settings.significantChangeDistance)
      {
        break
      }
      // Movement may end Doze and release an alarm.
      if rests, doze.isElsewhere(fixes[position].coordinate) { break }
      guard place.absorbs(fixes[position]) else { break }
      position += 1
    }
    if position > range.lowerBound { place.passed(fixes[position - 2]) }
    return position - range.lowerBound
  }

  /// Wakes the app if the fix that the phone just reached is a significant change (rule L12).
  private mutating func noticeMovement(at now: Instant, into out: inout PhoneOutput) {
    guard isOn, let fix = place.lastFix,
      significantChanges.record(
        fix, at: now, interval: settings.significantChangeInterval,
        distance: settings.significantChangeDistance)
    else { return }
    guard permissions.location == .always, process.state != .forceQuit, whyNotStarted == nil else {
      return out.remark(.missed(.woken, subject: 0, .notRunning))
    }
    resume(at: now, into: &out)
    notifyPosition(at: now, into: &out)
  }

  /// The position of the phone, or `nil` if it is unknown.
  ///
  /// The position is the centre of the smallest region that an override entered. Without such a region, it
  /// follows from the fixes.
  private func position(at now: Instant) -> Coordinate? {
    let circles = place.overridden.intersection(inside).regions.compactMap {
      blueprint.regions?.regions[$0.index]
    }
    let smallest = circles.min {
      ($0.radius, $0.center.latitude, $0.center.longitude) < (
        $1.radius, $1.center.latitude, $1.center.longitude
      )
    }
    return smallest?.center ?? place.position(at: now)
  }

  /// Notifies the running app of its position, if the app must select the places that the system monitors.
  func notifyPosition(at now: Instant, into out: inout PhoneOutput) {
    guard blueprint.hasPlacesLeftOut, isLocationOn,
      permissions.isPreciseLocation || !settings.regionsNeedPrecise,
      permissions.location == .always || (permissions.location == .whenInUse && isAppInFront),
      let here = position(at: now)
    else { return }
    out.observed.append(ObservedEvent(locatedAt: Position(here), at: moment(at: now)))
  }

  // MARK: - Crossings

  /// Applies the boundary crossings that are due.
  mutating func cross(at now: Instant, into out: inout PhoneOutput) {
    crossingAlarm.fired(at: now)
    while let next = place.takeCrossing(at: now) {
      let region = next.crossing.region
      let isEnter = next.crossing.kind == .enter
      switch next.circle {
      case .truth: setInside(region, isEnter, at: now, into: &out)
      case .systemEnter: crossSystemCircle(region, isInside: true, isBeyond: isEnter, at: now, into: &out)
      case .systemExit: crossSystemCircle(region, isInside: false, isBeyond: !isEnter, at: now, into: &out)
      case .surroundings: crossSurroundings(isInside: isEnter, at: now, into: &out)
      }
    }
    if place.overridesEnd <= now { endOverrides(at: now, into: &out) }
    crossingAlarm.require(min(place.nextCrossing, place.overridesEnd), now: now, .crossing, into: &out)
  }

  /// Enters or leaves a region that the scenario names. The phone also passes the system's cushion
  /// immediately, but the dwell time still applies. The override ends when the phone reaches the next fix.
  mutating func override(_ region: RegionID, isInside: Bool, at now: Instant, into out: inout PhoneOutput) {
    if min(place.nextCrossing, place.overridesEnd) <= now { cross(at: now, into: &out) }
    guard isInside != inside.contains(region) else { return out.remark(.ignored(.alreadySo)) }
    place.overridden.insert(region)
    if let last = place.lastFix, last.instant > now {
      scheduleEndOfOverrides(last.instant, at: now, into: &out)
    }
    if isInside, let table = blueprint.regions {
      // The phone leaves all regions that do not overlap this one.
      let left = inside.intersection(table.regions(apartFrom: region))
      place.overridden.formUnion(left)
      for other in left.regions { pass(other, isInside: false, at: now, into: &out) }
    }
    pass(region, isInside: isInside, at: now, into: &out)
    reviewSurroundings(at: now, into: &out)
  }

  private mutating func scheduleEndOfOverrides(_ end: Instant, at now: Instant, into out: inout PhoneOutput) {
    place.overridesEnd = end
    crossingAlarm.require(end, now: now, .crossing, into: &out)
  }

  /// Ends all overrides because the phone reached a fix. If an override contradicts the fix, the phone
  /// crosses the region's boundary again.
  private mutating func endOverrides(at now: Instant, into out: inout PhoneOutput) {
    let changed = place.overridden.intersection(place.insideByFix.symmetricDifference(inside))
    let wasElsewhere = !place.overridden.isEmpty
    place.overridden = RegionSet()
    place.overridesEnd = .distantFuture
    if wasElsewhere { reviewSurroundings(at: now, into: &out) }
    for region in changed.regions {
      pass(region, isInside: !inside.contains(region), at: now, into: &out)
    }
  }

  /// Crosses a region's boundary, and the system's circles around it, at an unknown point.
  private mutating func pass(_ region: RegionID, isInside: Bool, at now: Instant, into out: inout PhoneOutput)
  {
    setInside(region, isInside, at: now, into: &out)
    guard settings.regionReporting == .delayed else { return }
    crossSystemCircle(region, isInside: !isInside, isBeyond: false, at: now, into: &out)
    crossSystemCircle(region, isInside: isInside, isBeyond: true, at: now, into: &out)
  }

  private mutating func setInside(
    _ region: RegionID, _ isInside: Bool, at now: Instant, into out: inout PhoneOutput
  ) {
    // An override may have crossed the boundary already.
    guard isInside != place.inside.contains(region) else { return }
    if isInside { place.inside.insert(region) } else { place.inside.remove(region) }
    let kind: ObservedEvent.Kind = isInside ? .regionEntered : .regionExited
    recordTruth(kind, subject: region.rawValue, at: now, into: &out)
    resetIdleTime(at: now, into: &out)
    if settings.regionReporting == .geometric {
      stateChanged(kind, subject: region.rawValue, at: now, into: &out)
    } else {
      noteCrossing(region, isInside: isInside, into: &out)
    }
  }

  /// Records whether the phone is inside a region as a state, without an enter or an exit.
  ///
  /// - Parameter isFirst: Whether the phone's position was unknown before.
  private mutating func find(
    _ region: RegionID, isInside: Bool, isFirst: Bool, at now: Instant, into out: inout PhoneOutput
  ) {
    if isInside { place.inside.insert(region) } else { place.inside.remove(region) }
    let kind: ObservedEvent.Kind = isInside ? .regionEntered : .regionExited
    let value = isFirst && isInside ? initialValue : ObservedEvent.reportedState
    recordTruth(kind, subject: region.rawValue, value: value, at: now, into: &out)
    if settings.regionReporting == .geometric {
      if isInside { known.inside.insert(region) } else { known.inside.remove(region) }
      _ = notifyIfRunning(
        kind, subject: region.rawValue, value: ObservedEvent.reportedState, at: now, into: &out)
    } else if isOn, monitoring.isMonitored(region) {
      if let cause = monitoring[region].found(isInside: isInside) {
        out.remark(.regionSuppressed(region, entering: !isInside, cause))
      }
      if isFirst, isInside, settings.initialTrigger != .none {
        reportInitially(region, at: now, into: &out)
      }
    }
  }

  // MARK: - What the system detects

  /// Records true crossings that the system does not detect, or detects but will not report.
  private mutating func noteCrossing(_ region: RegionID, isInside: Bool, into out: inout PhoneOutput) {
    func suppress(_ cause: RegionSuppression, entering: Bool) {
      out.remark(.regionSuppressed(region, entering: entering, cause))
    }
    guard monitoring.isMonitored(region) else {
      return suppress(monitoring[region].whyUnwatched, entering: isInside)
    }
    guard isOn else { return suppress(.poweredOff, entering: isInside) }
    // The second crossing reverses the first before the system detected it, so the system reports neither.
    if let cause = monitoring[region].truthChanged(isInside: isInside) {
      suppress(cause, entering: !isInside)
      suppress(cause, entering: isInside)
    }
  }

  private mutating func crossSystemCircle(
    _ region: RegionID, isInside: Bool, isBeyond: Bool, at now: Instant, into out: inout PhoneOutput
  ) {
    guard isOn, monitoring.isMonitored(region) else { return }
    if !isBeyond {
      monitoring[region].cameBack(isInside: isInside)
    } else if monitoring[region].wentBeyond(isInside: isInside, at: now) {
      scheduleDwell(of: region, at: now, into: &out)
    }
  }

  private func scheduleDwell(of region: RegionID, at now: Instant, into out: inout PhoneOutput) {
    out.timers.append(
      ScheduledTimer(instant: now + settings.regionDwell, timer: .regionDwell(region)))
  }

  /// Accepts a crossing when its dwell time ends, and queues the report.
  mutating func dwell(in region: RegionID, at now: Instant, into out: inout PhoneOutput) {
    guard isOn, monitoring.isMonitored(region),
      let isInside = monitoring[region].hasDwelt(settings.regionDwell, at: now)
    else { return }
    // The app registered its surroundings for exits only.
    if region == .surroundings, isInside { return }
    report(region, isInside: isInside, at: now, into: &out)
  }

  /// Queues a report that the phone entered or left a region.
  ///
  /// - Parameter isInitial: Whether the phone was already inside at the system's first check.
  private mutating func report(
    _ region: RegionID, isInside: Bool, isInitial: Bool = false, at now: Instant, into out: inout PhoneOutput
  ) {
    let latency = draws.around(
      settings.regionLatency, .regionLatency, of: blueprint.names[region], at: now)
    // Latencies are drawn independently, but reports of one region must stay in order.
    let earlier = monitoring.reports.reports.last { $0.region == region }?.due ?? .distantPast
    let report = RegionReport(
      due: max(now + latency, earlier), region: region, isInside: isInside, crossed: now,
      isInitial: isInitial)
    monitoring.reports.add(report, now: now, into: &out)
  }

  /// Delivers the region reports that are due.
  mutating func deliverRegionReports(at now: Instant, into out: inout PhoneOutput) {
    monitoring.reports.timerFired(at: now)
    while let report = monitoring.reports.takeDue(at: now) {
      if report.region == .surroundings {
        notifyOfLeavingSurroundings(obstacle(to: report), at: now, into: &out)
      } else if let cause = obstacle(to: report) {
        out.remark(.regionSuppressed(report.region, entering: report.isInside, cause))
      } else {
        let kind: ObservedEvent.Kind = report.isInside ? .regionEntered : .regionExited
        // `obstacle(to:)` has checked that the process may start.
        notifyStarting(
          kind, subject: report.region.rawValue, value: report.isInitial ? ObservedEvent.initialEnter : 0,
          startsAnyway: true, at: now, into: &out)
        notifyPosition(at: now, into: &out)
      }
    }
    monitoring.reports.scheduleNext(now: now, into: &out)
  }

  /// Returns the reason that the system does not deliver a report now, or `nil` if it does (rules L4, L9, L10
  /// and L11).
  private func obstacle(to report: RegionReport) -> RegionSuppression? {
    if !isOn { return .poweredOff }
    if !monitoring.isMonitored(report.region) { return monitoring[report.region].whyUnwatched }
    if !mayMonitorRegions { return .permission }
    if !isLocationOn { return .unavailable }
    if settings.regionsNeedNetwork, isInAirplaneMode { return .unavailable }
    if settings.regionsNeedRefresh, !allowsBackgroundRefresh { return .unavailable }
    if process.state == .forceQuit {
      let isBlocked = draws.chance(
        percent: settings.forceQuitBlocksRegions, .regionAfterForceQuit, of: blueprint.names[report.region],
        at: report.crossed)
      if isBlocked { return .forceQuit }
    }
    if process.state == .stopped { return .forceStopped }
    return nil
  }

  // MARK: - What the app registers

  /// Registers a region (rules L1, L2 and L6).
  mutating func monitor(_ region: RegionID, at now: Instant, into out: inout PhoneOutput) {
    guard settings.regionReporting == .delayed, !monitoring.isMonitored(region) else { return }
    // An engine may register a region that is not in the program.
    let radius = blueprint.regions?.regions.dropFirst(region.index).first?.radius ?? 0
    if let refusal = monitoring.refusal(ofRadius: radius, isLocationOn: isLocationOn, settings) {
      monitoring[region].whyUnwatched = refusal
      return notifyStarting(.regionFailed, subject: region.rawValue, at: now, into: &out)
    }
    let isInside = place.inside.contains(region)
    var reporter = monitoring[region]
    if reporter.stoppedAt != now {
      reporter = RegionReporter()
      reporter.believesInside = isInside
    }
    reporter.isMonitored = true
    monitoring[region] = reporter
    if isInside, reporter.believesInside { reportInitially(region, at: now, into: &out) }
  }

  /// Whether the person allows the app to monitor regions (rule L9).
  var mayMonitorRegions: Bool {
    (!settings.regionsNeedAlways || permissions.location == .always)
      && (!settings.regionsNeedPrecise || permissions.isPreciseLocation)
  }

  /// The `value` of the true event for a phone that is already inside a region at the system's first check.
  /// The event counts as an enter if the platform reports one (rule L6).
  var initialValue: Int64 {
    settings.reportsInitialEnters ? ObservedEvent.initialEnter : ObservedEvent.reportedState
  }

  /// Reports that the phone is already inside a region at the system's first check.
  private mutating func reportInitially(_ region: RegionID, at now: Instant, into out: inout PhoneOutput) {
    switch settings.initialTrigger {
    case .none: out.remark(.regionSuppressed(region, entering: true, .alreadyInside))
    case .state:
      notifyStarting(
        .regionEntered, subject: region.rawValue, value: ObservedEvent.reportedState, at: now, into: &out)
    case .enter: report(region, isInside: true, isInitial: true, at: now, into: &out)
    }
  }

  /// Reports the registered regions that contain the phone when the person grants the permission, except
  /// those whose report is already queued.
  mutating func monitorUponGrant(at now: Instant, into out: inout PhoneOutput) {
    if settings.initialTrigger == .none { return }
    for region in monitoring.monitored where monitoring[region].believesInside {
      let isQueued = monitoring.reports.reports.contains { $0.region == region }
      if !isQueued { reportInitially(region, at: now, into: &out) }
    }
  }

  /// Registers the regions that the system lost again.
  mutating func restoreRegions(at now: Instant, into out: inout PhoneOutput) {
    for region in monitoring.lost { monitor(region, at: now, into: &out) }
    if let lost = monitoring.surroundings, !lost.reporter.isMonitored {
      watch(lost.circle, at: now, into: &out)
    }
  }

  /// Applies the effects of a boot: the system forgets the regions, or checks the phone's position again
  /// (rule L13).
  mutating func restartRegions(at now: Instant, into out: inout PhoneOutput) {
    for region in monitoring.monitored {
      if !settings.regionsSurviveReboot {
        monitoring[region].isMonitored = false
      } else if monitoring[region].wentBeyond(isInside: place.inside.contains(region), at: now) {
        scheduleDwell(of: region, at: now, into: &out)
      }
    }
    if settings.regionsSurviveReboot { reviewSurroundings(at: now, into: &out) } else { unwatch() }
  }

  // MARK: - Surroundings

  /// Registers a circle around the phone. The system notifies the app when the phone leaves it.
  mutating func watch(_ circle: Surroundings, at now: Instant, into out: inout PhoneOutput) {
    guard settings.regionReporting == .delayed else { return }
    if monitoring.isMonitored(.surroundings), monitoring.surroundings?.circle == circle { return }
    unwatch()
    let radius = Double(circle.radius)
    let center = circle.center.coordinate
    let here = Fix(instant: now, coordinate: position(at: now) ?? center)
    guard monitoring.refusal(ofRadius: radius, isLocationOn: isLocationOn, settings) == nil,
      let system = try? SingleCircle(
        center: center, radius: SystemRadii(radius: radius, settings).exit, from: here)
    else { return out.remark(.missed(.located, subject: 0, .noSign)) }
    monitoring.surroundings = WatchedSurroundings(circle)
    place.watch(system)
    crossingAlarm.require(place.nextCrossing, now: now, .crossing, into: &out)
    reviewSurroundings(at: now, into: &out)
  }

  mutating func unwatch() {
    monitoring.surroundings = nil
    place.watch(nil)
    monitoring.reports.removeAll { $0.region == .surroundings }
  }

  /// Checks whether the phone is still in its surroundings after its position changed without a known path.
  private mutating func reviewSurroundings(at now: Instant, into out: inout PhoneOutput) {
    guard monitoring.surroundings != nil, let here = position(at: now),
      let isInside = place.isInSurroundings(here)
    else { return }
    crossSurroundings(isInside: isInside, at: now, into: &out)
  }

  private mutating func crossSurroundings(isInside: Bool, at now: Instant, into out: inout PhoneOutput) {
    guard isOn, monitoring.isMonitored(.surroundings),
      monitoring[.surroundings].wentBeyond(isInside: isInside, at: now)
    else { return }
    scheduleDwell(of: .surroundings, at: now, into: &out)
  }

  /// Runs the app and reports the phone's position to it, because the phone left its surroundings.
  private mutating func notifyOfLeavingSurroundings(
    _ obstacle: RegionSuppression?, at now: Instant, into out: inout PhoneOutput
  ) {
    switch obstacle {
    case nil:
      resume(at: now, into: &out)
      notifyPosition(at: now, into: &out)
    case .poweredOff: out.remark(.missed(.located, subject: 0, .poweredOff))
    case .forceQuit: out.remark(.missed(.located, subject: 0, .forceQuit))
    case .forceStopped: out.remark(.missed(.located, subject: 0, .forceStopped))
    case .notMonitored, .permission, .unavailable, .dwell, .cushion, .alreadyInside, .regionLimit:
      out.remark(.missed(.located, subject: 0, .noSign))
    }
  }
}
