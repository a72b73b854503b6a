import CivilTime
import TriggerModel

/// Pending requests, deliveries, the scheduled summary and responses.
extension Phone {
  // MARK: - Pending requests

  mutating func add(_ request: NotificationRequest, at now: Instant, into out: inout PhoneOutput) {
    changingPending(at: now, into: &out) { phone, out in
      let taken = phone.withFirstRepeat(request, at: phone.clock.wall(at: now))
      // A request for immediate delivery is not an alarm.
      let isAlarm = taken.deliverAt > phone.clock.wall(at: now)
      let lateness = isAlarm ? phone.lateness(ofAlarm: request.id.reminder, at: taken.deliverAt) : nil
      let home = phone.settings.floatingMoves || request.repeats == nil ? nil : phone.clock.zone
      let refusal = phone.centre.add(
        taken, lateness: lateness, zone: phone.zone, home: home,
        isFit: !phone.blueprint.refused.contains(request.id.reminder), into: &out)
      if refusal != nil { return phone.notify(.addFailed, of: request.id, .atOnce, at: now, into: &out) }
      guard taken.scheduledFor != request.scheduledFor, phone.centre.isPending(request.id) else { return }
      out.outcomes.append(
        .repeated(request.id, for: taken.deliverAt, due: taken.deliverAt + (lateness ?? .zero)))
    }
  }

  /// Makes a change that may drop pending requests, and schedules the next delivery again.
  ///
  /// Reports dropped requests to the app when the rules say so.
  mutating func changingPending(
    at now: Instant, into out: inout PhoneOutput,
    _ change: (inout Phone, inout PhoneOutput) -> Void
  ) {
    let before = out.outcomes.count
    change(&self, &out)
    for index in before..<out.outcomes.count {
      guard case .removed(let id, let reason) = out.outcomes[index], reason != .superseded else { continue }
      // A repeated request that is still pending lost only one occurrence.
      guard isOn, !centre.isPending(id) else { continue }
      notify(.pendingDropped, of: id, settings.pendingDropSeen, at: now, into: &out)
    }
    scheduleDelivery(at: now, into: &out)
  }

  /// Marks all pending requests as lost until the app runs and makes them again. If wake requests are alarms,
  /// they are lost too.
  mutating func losePending(to cause: Reason, at now: Instant, into out: inout PhoneOutput) {
    if settings.backgroundWake == .alarm { wakes.areLost = true }
    centre.losePending(to: cause)
    dropDueWhileLost(at: now, into: &out)
  }

  /// Restores lost requests, because a starting process makes them again.
  mutating func restorePending(at now: Instant, into out: inout PhoneOutput) {
    dropDueWhileLost(at: now, into: &out)
    if centre.restorePending() { updateLateness(into: &out) }
    scheduleDelivery(at: now, into: &out)
    guard wakes.areLost else { return }
    wakes.areLost = false
    scheduleWakes(at: now, into: &out)
  }

  /// Drops requests that fell due while they were lost. The app observes the drop when it runs.
  private mutating func dropDueWhileLost(at now: Instant, into out: inout PhoneOutput) {
    let wall = clock.wall(at: now)
    while let position = centre.firstLost(at: wall), let cause = centre.pending[position].lostTo {
      if centre.pending[position].request.repeats != nil {
        skipOccurrence(at: position, cause, into: &out)
        continue
      }
      let id = centre.removeLost(at: position, cause, into: &out)
      inbox.append(
        ObservedEvent(
          .pendingDropped, subject: id.reminder.rawValue, value: Int64(id.occurrence), at: moment(at: now)))
    }
  }

  // MARK: - Requests that the system repeats (rules N1, N4 to N7, R1)

  // One pending request represents all occurrences and does not need the app's process. If a reboot or a stop
  // loses it, the app must request it again.

  /// Returns a request with the date that the system will use.
  ///
  /// If the system ignores the first date, the request starts at the next time that matches its pattern (rule
  /// N6).
  private func withFirstRepeat(_ request: NotificationRequest, at wall: Instant) -> NotificationRequest {
    guard settings.repeatsIgnoreStart, let first = request.repeats?.next(after: wall, in: zone) else {
      return request
    }
    var taken = request
    taken.scheduledFor = first
    taken.deliverAt = first
    return taken
  }

  /// Returns the next occurrence of a pending request and its lateness, in the zone that the request keeps
  /// (rule N7).
  private func next(at position: Int) -> (occurrence: Instant, lateness: TimeSpan)? {
    let entry = centre.pending[position]
    let zone = entry.home.map { blueprint.zones[$0] } ?? zone
    let next = entry.request.repeats?.next(after: entry.request.deliverAt, in: zone)
    return next.map { ($0, lateness(ofAlarm: entry.request.id.reminder, at: $0)) }
  }

  /// Advances a repeated request to its next occurrence after a delivery. Occurrences that passed while the
  /// phone was off, or while the alarm was late, are not delivered separately.
  private mutating func advanceRepeat(at position: Int, _ wall: Instant, into out: inout PhoneOutput) {
    let reminder = centre.pending[position].request.id.reminder
    centre.advance(at: position, to: next(at: position), into: &out)
    while settings.missedRepeatsOnce, isPast(position, reminder, wall) {
      skipOccurrence(at: position, .expiredAtRelease, into: &out)
    }
  }

  private func isPast(_ position: Int, _ reminder: ReminderID, _ wall: Instant) -> Bool {
    guard position < centre.pending.count else { return false }
    let request = centre.pending[position].request
    return request.id.reminder == reminder && request.repeats != nil && request.deliverAt <= wall
  }

  private mutating func skipOccurrence(at position: Int, _ reason: Reason, into out: inout PhoneOutput) {
    centre.skipOccurrence(at: position, reason, to: next(at: position), into: &out)
  }

  /// Skips the occurrences of repeated requests that the phone missed while it was off.
  mutating func skipMissed(at wall: Instant, into out: inout PhoneOutput) {
    for position in centre.pending.indices.reversed() {
      while isPast(position, centre.pending[position].request.id.reminder, wall) {
        skipOccurrence(at: position, .expiredAtRelease, into: &out)
      }
    }
  }

  /// Moves floating repeated requests to the current zone and to their next matching local time there.
  mutating func moveRepeats(at wall: Instant, into out: inout PhoneOutput) {
    for position in centre.pending.indices {
      let request = centre.pending[position].request
      // An occurrence that fell due while the phone was off is shown once the phone is on again.
      guard request.isFloating, request.deliverAt > wall,
        let next = request.repeats?.next(after: wall, in: zone)
      else { continue }
      let lateness = lateness(ofAlarm: request.id.reminder, at: next)
      centre.reschedule(at: position, for: next, lateness, into: &out)
    }
  }

  /// Shifts requests that were scheduled with a time interval after the wall clock was set, because intervals
  /// run on the monotonic clock (`UNTimeIntervalNotificationTrigger`, `AlarmManager.ELAPSED_REALTIME`).
  mutating func shiftSpans(by delta: TimeSpan, into out: inout PhoneOutput) {
    for position in centre.pending.indices {
      let entry = centre.pending[position]
      guard entry.request.followsClock else { continue }
      if entry.request.repeats == nil {
        centre.shift(at: position, by: delta, into: &out)
      } else {
        centre.reschedule(at: position, for: entry.request.deliverAt + delta, entry.lateness, into: &out)
      }
    }
  }

  // MARK: - Deliveries

  /// Schedules a timer for the next delivery.
  mutating func scheduleDelivery(at now: Instant, into out: inout PhoneOutput) {
    deliveryAlarm.require(nextDelivery, now: now, .delivery, into: &out)
  }

  /// Delivers the requests that are due.
  ///
  /// When one alarm goes off, all alarms of the app whose time has passed go off too, in the order of their
  /// times. Alarms therefore never overtake each other (AOSP, `LazyAlarmStore.removePendingAlarms`).
  ///
  /// - Parameter goesOff: Whether a wake request, which is also an alarm, goes off now.
  mutating func deliverDue(goesOff: Bool = false, at now: Instant, into out: inout PhoneOutput) {
    deliveryAlarm.fired(at: now)
    guard isOn else { return }
    let wall = clock.wall(at: now)
    dropDueWhileLost(at: now, into: &out)
    var goesOff = goesOff
    while true {
      goesOff = goesOff || hasReleasedAlarm(at: now)
      let alarmsMayGoOff = goesOff && !mustWaitInDoze(at: now)
      let position = centre.nextDelivery(at: wall, goesOff: alarmsMayGoOff)
      if alarmsMayGoOff, markWakeOverdue(before: position, at: wall) {
        alarmWentOff(at: now)
        serveOverdueWake(at: now, into: &out)
      } else if let position {
        deliver(position, at: now, into: &out)
      } else {
        break
      }
    }
    scheduleDelivery(at: now, into: &out)
  }

  private mutating func deliver(_ position: Int, at now: Instant, into out: inout PhoneOutput) {
    let wall = clock.wall(at: now)
    if centre.pending[position].isAlarm { alarmWentOff(at: now) }
    var request = centre.pending[position].request
    if request.repeats == nil { request = centre.take(at: position) }
    let presentation = presentation(of: request)
    centre.deliver(request, presentation, at: wall, into: &out)
    if presentation.isHeld { scheduleSummary(at: now, into: &out) }
    if request.repeats != nil { advanceRepeat(at: position, wall, into: &out) }
    // An app in the foreground always handles its notifications.
    let seen = isAppInFront ? .atOnce : settings.deliveredSeen
    let isPresented = presentation != .hidden(.foreground)
    notify(.delivered, of: request.id, seen, isPresented: isPresented, at: now, into: &out)
  }

  private func presentation(of request: NotificationRequest) -> Presentation {
    let importance = channels[request.type]
    if importance == .off { return .hidden(.channelOff) }
    if isAppInFront, !settings.presentsInForeground { return .hidden(.foreground) }
    if centre.refuses(request) { return .hidden(.tooMany) }
    let level = request.bucket == .critical ? settings.criticalLevel : .active
    if level == .active {
      if isFocused, settings.focusHidesList { return .hidden(.focus) }
      if isFocused, settings.focusHides { return .listed(.focus) }
      if hasSummary { return .hidden(.summary) }
    }
    if importance == .silent { return .listed(.channelSilent) }
    return centre.permission == .provisional && settings.provisionalIsQuiet ? .listed(.provisional) : .banner
  }

  // MARK: - Scheduled summary (rule N12)

  /// Schedules the next summary if any notification waits for it.
  ///
  /// - Parameter replaces: Whether to replace a due instant that was computed in another zone.
  mutating func scheduleSummary(replaces: Bool = false, at now: Instant, into out: inout PhoneOutput) {
    guard centre.holdsForSummary else { return }
    let wall = clock.wall(at: now)
    let today = zone.local(at: wall).date
    let todays = zone.instant(of: today, minute: settings.summaryMinute)
    let next = todays > wall ? todays : zone.instant(of: today + 1, minute: settings.summaryMinute)
    summary.schedule(next, replaces: replaces, clock, now: now, into: &out)
  }

  mutating func showSummary(at now: Instant, into out: inout PhoneOutput) {
    let wall = clock.wall(at: now)
    guard summary.timerFired(at: now, wall: wall) else { return scheduleSummary(at: now, into: &out) }
    if isOn { centre.showSummary(at: wall, into: &out) }
  }

  // MARK: - Responses

  /// Returns the newest visible notification of a reminder. If there is none, records an ignored event and
  /// returns `nil`.
  func newestVisible(of reminder: ReminderID, into out: inout PhoneOutput) -> RequestID? {
    let id = centre.newestVisible(of: reminder)
    if id == nil { out.remark(.ignored(.nothingToSee)) }
    return id
  }

  /// Taps a notification, which brings the app to the foreground.
  ///
  /// - Precondition: The notification is visible.
  mutating func tap(_ id: RequestID, hasDeclaredEnd: Bool, at now: Instant, into out: inout PhoneOutput) {
    centre.respond(to: id)
    // The response must follow the launch, which would otherwise discard it (rule N15).
    bringToFront(at: now, into: &out)
    beginSession(hasDeclaredEnd: hasDeclaredEnd, at: now, into: &out)
    recordTruth(.tapped, of: id, at: now, into: &out)
    notify(.tapped, of: id, .atOnce, at: now, into: &out)
  }

  /// Dismisses a notification.
  ///
  /// - Precondition: The notification is visible.
  mutating func dismiss(_ id: RequestID, at now: Instant, into out: inout PhoneOutput) {
    centre.respond(to: id)
    recordTruth(.dismissed, of: id, at: now, into: &out)
    notify(.dismissed, of: id, settings.dismissSeen, at: now, into: &out)
  }

  /// Performs an action that the person chose on a notification.
  ///
  /// The app handles the action in the background, even if the user had ended its process (rule N15; Apple,
  /// "Handling Notifications and Notification-Related Actions"; on Android, a broadcast).
  mutating func act(on id: RequestID, at now: Instant, into out: inout PhoneOutput) {
    centre.respond(to: id)
    recordTruth(.acted, of: id, at: now, into: &out)
    notifyStarting(
      .acted, subject: id.reminder.rawValue, value: Int64(id.occurrence), startsAnyway: true, at: now,
      into: &out)
  }
}
