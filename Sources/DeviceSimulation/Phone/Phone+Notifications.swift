import CivilTime
import TriggerModel

/// Deliveries, responses and the permission to notify.
extension Phone {
  /// Runs something that may drop pending requests, tells the app of those as the rules say, and
  /// looks again when the next delivery is due.
  mutating func changingPending(
    at now: Instant, into out: inout PhoneOutput,
    _ change: (inout Phone, inout PhoneOutput) -> Void
  ) {
    let before = out.outcomes.count
    change(&self, &out)
    for index in before..<out.outcomes.count {
      guard case .removed(let id, let reason) = out.outcomes[index], reason != .superseded else { continue }
      // An occurrence was passed over, and the request goes on.
      guard isOn, !centre.isPending(id) else { continue }
      tell(.pendingDropped, of: id, settings.pendingDropSeen, at: now, into: &out)
    }
    awaitDelivery(at: now, into: &out)
  }

  /// The system loses everything that is pending, and the wishes to be woken where those are alarms, until the
  /// app runs again and hands them over anew.
  mutating func losePending(at now: Instant, into out: inout PhoneOutput) {
    if settings.backgroundWake == .alarm { areWakesLost = true }
    centre.losePending()
    dropDueWhileLost(at: now, into: &out)
  }

  /// A process that starts hands over again what the system has lost.
  mutating func restorePending(at now: Instant, into out: inout PhoneOutput) {
    dropDueWhileLost(at: now, into: &out)
    if centre.restorePending() { setAlarmsAnew(into: &out) }
    awaitDelivery(at: now, into: &out)
    guard areWakesLost else { return }
    areWakesLost = false
    timeWakes(at: now, into: &out)
  }

  /// What was due while the system had lost it will not be delivered: the app learns of it when it runs.
  private mutating func dropDueWhileLost(at now: Instant, into out: inout PhoneOutput) {
    let wall = clock.wall(at: now)
    while let position = centre.firstDue(at: wall, unless: { !$0.isLost }) {
      if centre.pending[position].request.repeats != nil {
        passOver(at: position, .cancelled, into: &out)
        continue
      }
      let id = centre.forget(at: position, into: &out)
      inbox.put(
        ObservedEvent(
          .pendingDropped, subject: id.reminder.rawValue, value: Int64(id.occurrence), at: moment(at: now)))
    }
  }

  /// Asks for a timer at the next delivery.
  mutating func awaitDelivery(at now: Instant, into out: inout PhoneOutput) {
    deliveryAlarm.require(nextDelivery, now: now, .delivery, into: &out)
  }

  mutating func deliverDue(at now: Instant, into out: inout PhoneOutput) {
    deliveryAlarm.fired(at: now)
    guard isOn else { return }
    let wall = clock.wall(at: now)
    dropDueWhileLost(at: now, into: &out)
    while let position = firstDue(at: now, wall) {
      if centre.pending[position].isAlarm { wentOff(at: now) }
      var request = centre.pending[position].request
      if request.repeats == nil { request = centre.take(at: position) }
      let presentation = presentation(of: request)
      centre.deliver(request, presentation, at: wall, into: &out)
      if presentation.isHeld { awaitSummary(at: now, into: &out) }
      if request.repeats != nil { goOn(at: position, wall, into: &out) }
      // A notification that meets the app in front goes through its code.
      let seen = isAppInFront ? .atOnce : settings.deliveredSeen
      tell(.delivered, of: request.id, seen, at: now, into: &out)
    }
    awaitDelivery(at: now, into: &out)
  }

  /// Apart from what delivers: a closure over a phone that is being changed would copy the phone for each request.
  private func firstDue(at now: Instant, _ wall: Instant) -> Int? {
    centre.firstDue(at: wall) { release($0) > now }
  }

  private func presentation(of request: NotificationRequest) -> Presentation {
    let importance = channels[request.type]
    if importance == .off { return .hidden(.channelOff) }
    if isAppInFront, !settings.presentsInForeground { return .hidden(.foreground) }
    let level = request.bucket == .critical ? settings.criticalLevel : .active
    if level == .active {
      if isFocused, settings.focusHidesList { return .hidden(.focus) }
      if isFocused, settings.focusHides { return .listed(.focus) }
      if hasSummary { return .hidden(.summary) }
    }
    if importance == .silent { return .listed(.channelSilent) }
    return centre.permission == .provisional && settings.provisionalIsQuiet ? .listed(.provisional) : .banner
  }

  /// Asks for a timer at the next summary, if there is anything to show: in another zone at its minute there.
  mutating func awaitSummary(isElsewhere: Bool = false, at now: Instant, into out: inout PhoneOutput) {
    guard centre.holdsForSummary else { return }
    let wall = clock.wall(at: now)
    let today = zone.local(at: wall).date
    let todays = zone.instant(of: today, minute: settings.summaryMinute)
    let next = todays > wall ? todays : zone.instant(of: today + 1, minute: settings.summaryMinute)
    summaryDue = isElsewhere ? next : min(summaryDue, next)
    summaryAlarm.require(clock.instant(ofWall: summaryDue), now: now, .summary, into: &out)
  }

  mutating func showSummary(at now: Instant, into out: inout PhoneOutput) {
    summaryAlarm.fired(at: now)
    guard clock.wall(at: now) >= summaryDue else { return awaitSummary(at: now, into: &out) }
    summaryDue = .distantFuture
    guard isOn else { return }
    centre.showSummary(at: clock.wall(at: now), into: &out)
  }

  // MARK: - Responses

  mutating func tap(
    _ reminder: ReminderID, isEndSaid: Bool, at now: Instant, into out: inout PhoneOutput
  ) {
    guard let id = centre.newestVisible(of: reminder) else { return out.remark(.ignored(.nothingToSee)) }
    tap(id, isEndSaid: isEndSaid, at: now, into: &out)
  }

  /// The notification is to be seen.
  mutating func tap(_ id: RequestID, isEndSaid: Bool, at now: Instant, into out: inout PhoneOutput) {
    centre.respond(to: id)
    // The response is delivered after the launch, which must not lose it (rule N15).
    bringToFront(at: now, into: &out)
    beginSession(isEndSaid: isEndSaid, at: now, into: &out)
    let subject = id.reminder.rawValue
    happened(.tapped, subject: subject, value: Int64(id.occurrence), at: now, into: &out)
    tell(.tapped, of: id, .atOnce, at: now, into: &out)
  }

  mutating func dismiss(_ reminder: ReminderID, at now: Instant, into out: inout PhoneOutput) {
    guard let id = centre.newestVisible(of: reminder) else { return out.remark(.ignored(.nothingToSee)) }
    dismiss(id, at: now, into: &out)
  }

  /// The notification is to be seen.
  mutating func dismiss(_ id: RequestID, at now: Instant, into out: inout PhoneOutput) {
    centre.respond(to: id)
    let subject = id.reminder.rawValue
    happened(.dismissed, subject: subject, value: Int64(id.occurrence), at: now, into: &out)
    tell(.dismissed, of: id, settings.dismissSeen, at: now, into: &out)
  }

  /// The person chooses an action: the app runs in the background for it, whoever has ended it, and does not come to
  /// the front (rule N15; Apple, "Handling Notifications and Notification-Related Actions"; on Android a broadcast).
  mutating func act(on reminder: ReminderID, at now: Instant, into out: inout PhoneOutput) {
    guard let id = centre.newestVisible(of: reminder) else { return out.remark(.ignored(.nothingToSee)) }
    centre.respond(to: id)
    let (subject, value) = (id.reminder.rawValue, Int64(id.occurrence))
    happened(.acted, subject: subject, value: value, at: now, into: &out)
    tellWaking(.acted, subject: subject, value: value, startsAnyway: true, at: now, into: &out)
  }

  // MARK: - Permission

  /// The user has notifications collected into the scheduled summary, or no longer.
  mutating func setSummary(_ isOn: Bool, into out: inout PhoneOutput) {
    guard settings.summaryHolds else { return out.remark(.ignored(.notOnThisPlatform)) }
    guard hasSummary != isOn else { return out.remark(.ignored(.alreadySo)) }
    hasSummary = isOn
  }

  /// In the system's settings the user decides on a type of our notifications.
  mutating func setChannel(_ type: TypeID, _ importance: ChannelImportance, into out: inout PhoneOutput) {
    guard settings.channels else { return out.remark(.ignored(.notOnThisPlatform)) }
    guard channels[type] != importance else { return out.remark(.ignored(.alreadySo)) }
    channels[type] = importance
  }

  mutating func setPermission(
    _ new: NotificationPermission, at now: Instant, into out: inout PhoneOutput
  ) {
    guard new != centre.permission else { return out.remark(.ignored(.alreadySo)) }
    changingPending(at: now, into: &out) { phone, out in phone.centre.setPermission(new, into: &out) }
    happened(.permissionChanged, value: Int64(new.rawValue), at: now, into: &out)
    stateChanged(.permissionChanged, at: now, into: &out)
  }
}
