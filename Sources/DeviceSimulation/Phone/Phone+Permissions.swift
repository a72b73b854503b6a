import TriggerModel

/// What the system asks the person in our app's name, and what follows from the answer.
extension Phone {
  /// The app asks; the system shows its prompt as often, and with such answers, as the rules N9, L9 and D1 say.
  mutating func answerPrompt(_ answer: PromptAnswer, at now: Instant, into out: inout PhoneOutput) {
    // Who asks runs, and knows what is allowed.
    resume(at: now, into: &out)
    if let cause = whyNotAsked(answer) { return out.remark(.ignored(cause)) }
    out.outcomes.append(.prompted(answer))
    let isForAlways = answer.kind == .location && locationPermission == .whenInUse
    if isForAlways { prompts.hasOfferedAlways = true }
    guard let grants = answer.grants else { return }
    if !grants, !isForAlways { prompts[answer.kind] += 1 }
    switch answer {
    case .notifications(let new): if new != centre.permission { setPermission(new, at: now, into: &out) }
    case .location(.denied) where isForAlways: break
    case .location(let new):
      isLocationOnce = new == .once
      locationPermission = new == .always ? .always : grants ? .whenInUse : .denied
      tellPosition(at: now, into: &out)
    case .screenTime(let new): screenTime = new
    }
  }

  /// Why there is no prompt that this could be the answer to.
  private func whyNotAsked(_ answer: PromptAnswer) -> IgnoreCause? {
    if case .location(let answer) = answer, locationPermission == .whenInUse {
      return whyNotAskedForAlways(answer)
    }
    let (rule, isDecided, isAllowed) =
      switch answer {
      case .notifications:
        (notificationPrompt, centre.permission != .notDetermined, centre.permission.allowsDelivery)
      case .location:
        (settings.locationPrompt, locationPermission != .notDetermined, locationPermission == .always)
      case .screenTime: (settings.screenTimePrompt, screenTime != .notDetermined, screenTime == .approved)
      }
    if rule == .never { return .settingsOnly }
    guard rule.isShown(isDecided: isDecided, isAllowed: isAllowed, denials: prompts[answer.kind]) else {
      return .promptAlreadyAnswered
    }
    guard answer == .location(.always) else { return nil }
    return switch settings.alwaysPrompt {
    case .atOnce: nil
    case .afterWhenInUse: .notOffered
    case .inSettings: .settingsOnly
    }
  }

  /// The app may know the place while it is in use, and asks for more.
  private func whyNotAskedForAlways(_ answer: LocationAnswer) -> IgnoreCause? {
    if isLocationOnce { return .promptAlreadyAnswered }
    switch settings.alwaysPrompt {
    case .inSettings: return answer == .always ? .settingsOnly : .promptAlreadyAnswered
    case .afterWhenInUse where prompts.hasOfferedAlways: return .promptAlreadyAnswered
    case .atOnce, .afterWhenInUse: return answer == .once || answer == .whenInUse ? .notOffered : nil
    }
  }

  /// Apps for Android 13 ask themselves; for older ones the system asks, and takes a denial as final (rule A9).
  private var notificationPrompt: PermissionPrompt {
    let rule = settings.permissionPrompt
    return rule == .twice && settings.targetVersion < 33 ? .once : rule
  }

  /// Our app is left: what was allowed for once is so no longer.
  mutating func endLocationOnce() {
    guard isLocationOnce else { return }
    isLocationOnce = false
    locationPermission = .notDetermined
  }

  /// Why our app does not learn of another app's use; nil: it may.
  func whyUnwatched(_ app: AppID) -> MissCause? {
    if screenTime != .approved { return .screenTimeDenied }
    if unchosenApps.contains(app) { return .appNotChosen }
    return settings.usageAppLimit > 0 && app.index >= settings.usageAppLimit ? .usageLimit : nil
  }
}
