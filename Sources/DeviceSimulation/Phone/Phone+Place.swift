import Geofencing
package import TriggerModel

/// Where the phone is, and what the system tells of it.
extension Phone {
  // MARK: - The truth

  /// The phone sets out for a fix, is there now, or is found at its first one.
  mutating func move(to fix: Fix, _ watch: PlaceWatch?, at now: Instant, into out: inout PhoneOutput) {
    guard let watch else { return }
    guard let last = place.lastFix else { return find(at: fix, watch, at: now, into: &out) }
    guard fix.instant >= last.instant else { return out.remark(.ignored(.onItsWay)) }
    // That it is there by now says nothing of the way, long after it was elsewhere.
    if fix.instant == now, fix.isAfterGap(since: last, longerThan: Fix.usualLongestGap) {
      return find(at: fix, watch, at: now, into: &out)
    }
    if place.decreesEnd <= now { endDecrees(at: now, into: &out) }
    if settings.significantChangeWakes { noticeMovement(at: now, into: &out) }
    noticeRest(fix, at: now, into: &out)
    if place.setOut(for: fix, watch) {
      crossingAlarm.require(place.nextCrossing, now: now, .crossing, into: &out)
    }
    if !place.decreed.isEmpty { awaitEndOfDecrees(fix.instant, at: now, into: &out) }
  }

  /// The phone is found at a fix, and nothing is known of the way there: what changed is found so, and
  /// no boundary is crossed. A region that was entered or left by decree the phone leaves or enters now:
  /// where it was before is known there.
  mutating func find(at fix: Fix, _ watch: PlaceWatch?, at now: Instant, into out: inout PhoneOutput) {
    guard let watch else { return }
    if place.nextCrossing <= now { cross(at: now, into: &out) }
    if settings.significantChangeWakes { noticeMovement(at: now, into: &out) }
    noticeRest(fix, at: now, into: &out)
    let found = place.begin(at: fix, watch)
    for region in regions
    where !place.decreed.contains(region) && found.contains(region) != inside.contains(region) {
      find(region, isInside: found.contains(region), at: now, into: &out)
    }
    endDecrees(at: now, into: &out)
    reviewSurroundings(at: now, into: &out)
  }

  /// The phone begins at a fix: it is in the regions there before anything happens.
  package mutating func begin(at fix: Fix, _ watch: PlaceWatch?) {
    guard let watch else { return }
    place.inside = place.begin(at: fix, watch)
  }

  /// The regions of the program, in order.
  private var regions: [RegionID] {
    (0..<(blueprint.regions?.regions.count ?? 0)).map { RegionID($0) }
  }

  /// Boundaries are crossed on the way.
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
    if place.decreesEnd <= now { endDecrees(at: now, into: &out) }
    crossingAlarm.require(min(place.nextCrossing, place.decreesEnd), now: now, .crossing, into: &out)
  }

  /// A region is entered or left by decree: with its cushion, but not with its dwell time. It holds until the
  /// next fix is reached.
  mutating func decree(_ region: RegionID, isInside: Bool, at now: Instant, into out: inout PhoneOutput) {
    if min(place.nextCrossing, place.decreesEnd) <= now { cross(at: now, into: &out) }
    guard isInside != inside.contains(region) else { return out.remark(.ignored(.alreadySo)) }
    place.decreed.insert(region)
    if let last = place.lastFix, last.instant > now { awaitEndOfDecrees(last.instant, at: now, into: &out) }
    if isInside, let table = blueprint.regions {
      // Nobody is in two places.
      let left = inside.intersection(table.regions(apartFrom: region))
      place.decreed.formUnion(left)
      for other in left.regions { pass(other, isInside: false, at: now, into: &out) }
    }
    pass(region, isInside: isInside, at: now, into: &out)
    reviewSurroundings(at: now, into: &out)
  }

  private mutating func awaitEndOfDecrees(_ end: Instant, at now: Instant, into out: inout PhoneOutput) {
    place.decreesEnd = end
    crossingAlarm.require(end, now: now, .crossing, into: &out)
  }

  /// A fix is reached: it says where the phone is, and where a decree said otherwise the phone enters or
  /// leaves now.
  private mutating func endDecrees(at now: Instant, into out: inout PhoneOutput) {
    let changed = place.decreed.intersection(place.insideByFix.symmetricDifference(inside))
    let wasElsewhere = !place.decreed.isEmpty
    place.decreed = RegionSet()
    place.decreesEnd = .distantFuture
    if wasElsewhere { reviewSurroundings(at: now, into: &out) }
    for region in changed.regions {
      pass(region, isInside: !inside.contains(region), at: now, into: &out)
    }
  }

  /// A boundary is passed nobody knows where.
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
    // What a decree said already the way need not say again.
    guard isInside != place.inside.contains(region) else { return }
    if isInside { place.inside.insert(region) } else { place.inside.remove(region) }
    let kind: ObservedEvent.Kind = isInside ? .regionEntered : .regionExited
    happened(kind, subject: region.rawValue, at: now, into: &out)
    touch(at: now, into: &out)
    if settings.regionReporting == .geometric {
      stateChanged(kind, subject: region.rawValue, at: now, into: &out)
    } else {
      noteCrossing(region, isInside: isInside, into: &out)
    }
  }

  /// The phone is found inside a region, or outside one that it was in: a state, not an enter or exit.
  private mutating func find(
    _ region: RegionID, isInside: Bool, at now: Instant, into out: inout PhoneOutput
  ) {
    if isInside { place.inside.insert(region) } else { place.inside.remove(region) }
    let kind: ObservedEvent.Kind = isInside ? .regionEntered : .regionExited
    happened(kind, subject: region.rawValue, value: ObservedEvent.foundSo, at: now, into: &out)
    if settings.regionReporting == .geometric {
      if isInside { known.inside.insert(region) } else { known.inside.remove(region) }
      _ = tell(kind, subject: region.rawValue, value: ObservedEvent.foundSo, at: now, into: &out)
    } else if isOn, isMonitored(region), let cause = reporters[region.index].found(isInside: isInside) {
      out.remark(.regionSuppressed(region, entering: !isInside, cause))
    }
  }

  // MARK: - What the system sees

  /// What happens to a region that the system does not see, or not any more.
  private mutating func noteCrossing(_ region: RegionID, isInside: Bool, into out: inout PhoneOutput) {
    func suppress(_ cause: RegionSuppression, entering: Bool) {
      out.remark(.regionSuppressed(region, entering: entering, cause))
    }
    guard isMonitored(region) else { return suppress(whyUnwatched(region), entering: isInside) }
    guard isOn else { return suppress(.poweredOff, entering: isInside) }
    // The system believes what it did before both crossings, and will report neither.
    if let cause = reporters[region.index].truthChanged(isInside: isInside) {
      suppress(cause, entering: !isInside)
      suppress(cause, entering: isInside)
    }
  }

  private mutating func crossSystemCircle(
    _ region: RegionID, isInside: Bool, isBeyond: Bool, at now: Instant, into out: inout PhoneOutput
  ) {
    guard isOn, isMonitored(region) else { return }
    if !isBeyond {
      reporters[region.index].cameBack(isInside: isInside)
    } else if reporters[region.index].wentBeyond(isInside: isInside, at: now) {
      awaitDwell(of: region, at: now, into: &out)
    }
  }

  func awaitDwell(of region: RegionID, at now: Instant, into out: inout PhoneOutput) {
    out.timers.append(
      ScheduledTimer(instant: now + settings.regionDwell, timer: .regionDwell(region)))
  }

  /// The dwell time of a crossing may be over: the system believes it, and will report it some time.
  mutating func dwell(in region: RegionID, at now: Instant, into out: inout PhoneOutput) {
    if region == .surroundings { return dwellBeyondSurroundings(at: now, into: &out) }
    guard isOn, isMonitored(region),
      let isInside = reporters[region.index].hasDwelt(settings.regionDwell, at: now)
    else { return }
    report(region, isInside: isInside, at: now, into: &out)
  }

  mutating func report(
    _ region: RegionID, isInside: Bool, at now: Instant, into out: inout PhoneOutput
  ) {
    let latency = luck.around(
      settings.regionLatency, .regionLatency, of: blueprint.names[region], at: now)
    // Latencies are drawn one by one, but what is told of one region keeps its order.
    let earlier = reports.last { $0.region == region }?.due ?? .distantPast
    let report = RegionReport(
      due: max(now + latency, earlier), region: region, isInside: isInside, crossed: now)
    reports.insert(report, at: reports.partition { $0.due <= report.due })
    reportAlarm.require(report.due, now: now, .regionReport, into: &out)
  }

  /// The system gets round to its reports.
  mutating func tellReports(at now: Instant, into out: inout PhoneOutput) {
    reportAlarm.fired(at: now)
    while let report = reports.first, report.due <= now {
      reports.removeFirst()
      if report.region == .surroundings {
        tellSurroundingsLeft(whySilent(about: report), at: now, into: &out)
      } else if let cause = whySilent(about: report) {
        out.remark(.regionSuppressed(report.region, entering: report.isInside, cause))
      } else {
        let kind: ObservedEvent.Kind = report.isInside ? .regionEntered : .regionExited
        // What may start a process was asked above.
        tellWaking(kind, subject: report.region.rawValue, startsAnyway: true, at: now, into: &out)
        tellPosition(at: now, into: &out)
      }
    }
    if let next = reports.first { reportAlarm.require(next.due, now: now, .regionReport, into: &out) }
  }

  /// Why the system does not report a region now (rules L4, L9, L10 and L11).
  private func whySilent(about report: RegionReport) -> RegionSuppression? {
    if !isOn { return .poweredOff }
    if !isMonitored(report.region) { return whyUnwatched(report.region) }
    if !mayWatchRegions { return .permission }
    if !isLocationOn { return .unavailable }
    if settings.regionsNeedNetwork, isInAirplaneMode { return .unavailable }
    if settings.regionsNeedRefresh, !allowsBackgroundRefresh { return .unavailable }
    if process.state == .forceQuit {
      let isBlocked = luck.chance(
        percent: settings.forceQuitBlocksRegions, .regionAfterForceQuit, of: blueprint.names[report.region],
        at: report.crossed)
      if isBlocked { return .forceQuit }
    }
    if process.state == .stopped { return .forceStopped }
    return nil
  }

  // MARK: - What the app asks for

  /// The app asks for a region (rules L1, L2 and L6).
  mutating func monitor(_ region: RegionID, at now: Instant, into out: inout PhoneOutput) {
    guard settings.regionReporting == .delayed, !isMonitored(region) else { return }
    let missing = region.index + 1 - reporters.count
    if missing > 0 { reporters.append(contentsOf: repeatElement(RegionReporter(), count: missing)) }
    // An engine may ask for what the program does not have.
    let radius = blueprint.regions?.regions.dropFirst(region.index).first?.radius ?? 0
    if let refusal = refusal(ofRegion: radius) {
      reporters[region.index].whyUnwatched = refusal
      return tellWaking(.regionFailed, subject: region.rawValue, at: now, into: &out)
    }
    let isInside = place.inside.contains(region)
    reporters[region.index] = RegionReporter()
    reporters[region.index].isMonitored = true
    reporters[region.index].believesInside = isInside
    if isInside { tellInitially(region, at: now, into: &out) }
  }

  /// The system begins to watch a region that the phone is in.
  private mutating func tellInitially(_ region: RegionID, at now: Instant, into out: inout PhoneOutput) {
    switch settings.initialTrigger {
    case .none: out.remark(.regionSuppressed(region, entering: true, .alreadyInside))
    case .state:
      tellWaking(.regionEntered, subject: region.rawValue, value: ObservedEvent.foundSo, at: now, into: &out)
    case .enter: report(region, isInside: true, at: now, into: &out)
    }
  }

  /// Whether the person lets our app have regions watched (rule L9).
  var mayWatchRegions: Bool {
    (!settings.regionsNeedAlways || locationPermission == .always)
      && (!settings.regionsNeedPrecise || isPreciseLocation)
  }

  /// Our app registers its regions upon the person's grant. What the system has not got round to yet it reports by
  /// itself.
  mutating func watchUponGrant(at now: Instant, into out: inout PhoneOutput) {
    if settings.initialTrigger == .none { return }
    for (index, reporter) in reporters.enumerated() where reporter.isMonitored && reporter.believesInside {
      let isToCome = reports.contains { $0.region.index == index }
      if !isToCome { tellInitially(RegionID(index), at: now, into: &out) }
    }
  }

  /// Why the system does not watch one more region, with a radius in metres (rules L1 and L2); nil: it does. It watches
  /// so many of an app, its surroundings among them.
  func refusal(ofRegion radius: Double) -> RegionSuppression? {
    if settings.maximumRadius > 0 && radius > settings.maximumRadius { return .notMonitored }
    if !isLocationOn, settings.locationOffRemovesRegions { return .notMonitored }
    let monitored = reporters.count { $0.isMonitored } + (isMonitored(.surroundings) ? 1 : 0)
    return settings.regionLimit > 0 && monitored >= settings.regionLimit ? .regionLimit : nil
  }

  /// Why the system reports nothing of a region that it does not watch.
  private func whyUnwatched(_ region: RegionID) -> RegionSuppression {
    region.index < reporters.count ? reporters[region.index].whyUnwatched : .notMonitored
  }

  mutating func unmonitor(_ region: RegionID) {
    guard region.index < reporters.count else { return }
    reporters[region.index].isMonitored = false
    reporters[region.index].whyUnwatched = .notMonitored
  }

  /// A boot: the system may have forgotten the regions; otherwise it looks where it is (rule L13).
  mutating func restartRegions(at now: Instant, into out: inout PhoneOutput) {
    for index in reporters.indices where reporters[index].isMonitored {
      let isInside = place.inside.contains(RegionID(index))
      if !settings.regionsSurviveReboot {
        reporters[index].isMonitored = false
      } else if reporters[index].wentBeyond(isInside: isInside, at: now) {
        awaitDwell(of: RegionID(index), at: now, into: &out)
      }
    }
    if settings.regionsSurviveReboot { reviewSurroundings(at: now, into: &out) } else { unwatch() }
  }

  /// Whether the system watches a region for the app; the table grows with those it is asked for.
  func isMonitored(_ region: RegionID) -> Bool {
    if region == .surroundings { return surroundings?.reporter.isMonitored ?? false }
    return region.index < reporters.count && reporters[region.index].isMonitored
  }
}
