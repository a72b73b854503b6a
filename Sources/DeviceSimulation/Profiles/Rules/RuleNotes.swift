extension PlatformRules {
  /// Behaviour that all profiles share, because no source disputes it.
  package static let builtIn: [Note] = [
    Note(
      id: "P2", summary: "Full means plugged in at 100 %; charging means plugged in below 100 %.",
      reason: "Part of the battery's states; from charging to full is not a new start of charging."),
    Note(
      id: "P7",
      summary: "A phone whose battery the scenario does not mention never enters low power mode by itself.",
      reason: "Its level is unknown, and nothing would end low power mode."),
    Note(
      id: "A2", summary: "A request for now is shown immediately and does not count as pending.",
      reason: "Only a request for later is an alarm: developer.android.com, schedule alarms."),
    Note(
      id: "N9", summary: "Revoking the permission removes pending requests.",
      reason: "Part of the permission's states; only the prompt's rule is a knob."),
    Note(
      id: "N15", summary: "A tap on a notification starts the app and is reported after the launch.",
      reason: "A response before the launch would be lost; no source reports that."),
    Note(
      id: "U5", summary: "Pending requests are delivered although the user swiped the app away.",
      reason: "The notification centre delivers, not the app."),
    Note(
      id: "L10", summary: "Regions may be registered without the permission and start when it is granted.",
      reason: "The permission is checked when a report is due."),
  ]

  /// The facts from sections 1 to 4 of the platform facts that no profile models.
  package static let leftOut: [Note] = [
    Note(
      id: "N4", summary: "A time-interval trigger needs more than 0 s, and 60 s when it repeats.",
      reason: "Requests state their instant, and the spans between repetitions are whole minutes."),
    Note(
      id: "N5", summary: "A calendar trigger for 31 June fires on 1 July.",
      reason: "The engine computes occurrences itself, by RFC 7529, and requests instants."),
    Note(
      id: "N8", summary: "A location notification needs When In Use only and shares the 20 regions.",
      reason: "The engine makes no location-triggered requests: it registers regions itself."),
    Note(
      id: "N18", summary: "An empty identifier crashed the system on iOS 10.",
      reason: "Identifiers are derived from the reminder's position and are never empty."),
    Note(
      id: "L8", summary: "A fix may lie about its accuracy.",
      reason: "A fault of the recording: a track states the wrong fix and its accuracy as recorded."),
    Note(
      id: "L14", summary: "CLMonitor misses an enter in an app that a push launched.",
      reason: "The profile models circular regions of the location manager, and no push."),
    Note(
      id: "D4", summary: "FamilyControls does not work in the Simulator.",
      reason: "A fact about a tool."),
    Note(
      id: "H1", summary: "HealthKit hides whether reading is allowed.",
      reason: "Facts hold what the app believes; a scenario states the belief."),
    Note(
      id: "S1", summary: "StoreKit has five states of a subscription.",
      reason: "Entitlement is a fact that the scenario sets."),
  ]
}
