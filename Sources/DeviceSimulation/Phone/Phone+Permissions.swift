import TriggerModel

/// The system's prompts, and the permissions that the person changes in the system settings.
extension Phone {
  /// Applies the person's answer to a prompt. Rules N9, L9 and D1 determine how often the system shows the
  /// prompt and which answers it offers.
  mutating func answerPrompt(_ answer: PromptAnswer, at now: Instant, into out: inout PhoneOutput) {
    // An app can only request a permission while it runs, and it knows its permissions.
    resume(at: now, into: &out)
    let obstacle = permissions.obstacle(toPrompt: answer, notifications: centre.permission, settings)
    if let obstacle { return out.remark(.ignored(obstacle)) }
    out.outcomes.append(.prompted(answer))
    let isForAlways = answer.kind == .location && permissions.location == .whenInUse
    if isForAlways { permissions.prompts.hasOfferedAlways = true }
    guard let grants = answer.grants else { return }
    if !grants, !isForAlways { permissions.prompts[answer.kind] += 1 }
    switch answer {
    case .notifications(let new): if new != centre.permission { setPermission(new, at: now, into: &out) }
    case .location(.denied) where isForAlways: break
    case .location(let new):
      permissions.isLocationOnce = new == .once
      permissions.location = new == .always ? .always : grants ? .whenInUse : .denied
      notifyPosition(at: now, into: &out)
    case .screenTime(let new): permissions.screenTime = new
    }
  }

  /// Sets the permission to notify.
  mutating func setPermission(
    _ new: NotificationPermission, at now: Instant, into out: inout PhoneOutput
  ) {
    guard new != centre.permission else { return out.remark(.ignored(.alreadySo)) }
    changingPending(at: now, into: &out) { phone, out in phone.centre.setPermission(new, into: &out) }
    recordTruth(.permissionChanged, value: Int64(new.rawValue), at: now, into: &out)
    stateChanged(.permissionChanged, at: now, into: &out)
  }

  /// Resets the app's permissions (rule N9). The new installation starts with the reset state.
  mutating func resetPermissions(at now: Instant, into out: inout PhoneOutput) {
    permissions.reset(settings)
    guard centre.permission != .notDetermined else { return }
    centre.setPermission(.notDetermined, into: &out)
    let permission = Int64(NotificationPermission.notDetermined.rawValue)
    recordTruth(.permissionChanged, value: permission, at: now, into: &out)
  }

  /// Turns the scheduled summary on or off.
  mutating func setSummary(_ isOn: Bool, into out: inout PhoneOutput) {
    guard settings.summaryHolds else { return out.remark(.ignored(.notOnThisPlatform)) }
    guard hasSummary != isOn else { return out.remark(.ignored(.alreadySo)) }
    hasSummary = isOn
  }

  /// Sets how a type of notifications is presented.
  mutating func setChannel(_ type: TypeID, _ importance: ChannelImportance, into out: inout PhoneOutput) {
    guard settings.channels else { return out.remark(.ignored(.notOnThisPlatform)) }
    guard channels[type] != importance else { return out.remark(.ignored(.alreadySo)) }
    channels[type] = importance
  }

  /// Switches location on or off for all apps (rules L10 and A8).
  mutating func switchLocation(_ isOn: Bool, at now: Instant, into out: inout PhoneOutput) {
    guard isOn != isLocationOn else { return out.remark(.ignored(.alreadySo)) }
    isLocationOn = isOn
    if !isOn, settings.locationOffRemovesRegions { monitoring.loseAll() }
  }

  /// Allows or forbids exact alarms. Allowing them reschedules pending alarms. Forbidding them removes the
  /// alarms and ends the process.
  mutating func allowExactAlarms(_ isAllowed: Bool, at now: Instant, into out: inout PhoneOutput) {
    guard settings.exactAlarms != .always else { return out.remark(.ignored(.notOnThisPlatform)) }
    guard isAllowed != permissions.exactAlarms else { return out.remark(.ignored(.alreadySo)) }
    permissions.exactAlarms = isAllowed
    if isAllowed {
      // The system notifies the app even if its process is not running.
      resumeIfAllowed(at: now, into: &out)
      updateLateness(into: &out)
      rescheduleAlarms(at: now, into: &out)
    } else {
      endProcess(as: .terminated, at: now, into: &out)
      losePending(to: .exactAlarmsRevoked, at: now, into: &out)
    }
  }
}
