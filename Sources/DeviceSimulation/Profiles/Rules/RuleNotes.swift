extension PlatformRules {
  /// What the phone does under every profile, because no source doubts it.
  package static let builtIn: [Note] = [
    Note(
      id: "P2", summary: "Full is plugged in and at 100 %; charging is plugged in and below.",
      reason: "Part of the battery's states; from charging to full is no new start of charging."),
    Note(
      id: "P7",
      summary: "A phone of whose charger and level a story says nothing does not save power by itself.",
      reason: "Nobody knows how empty it is, and nothing would ever end the saving."),
    Note(
      id: "A2", summary: "What an app posts now is shown now, and takes no place among those that wait.",
      reason: "Only a request for later is an alarm: developer.android.com, schedule alarms."),
    Note(
      id: "N9", summary: "Revoking the permission takes pending requests away.",
      reason: "Part of the permission's states; only the prompt's rule is a knob."),
    Note(
      id: "N15", summary: "A tap on a notification starts the app and is told after the launch.",
      reason: "A response that came before the launch would be lost; nobody reports that of the system."),
    Note(
      id: "U5", summary: "What an app has scheduled is delivered though its user swiped it away.",
      reason: "The notification centre delivers, not the app."),
    Note(
      id: "L10", summary: "Regions may be registered while not allowed, and start when they are.",
      reason: "The permission is looked at when a report is due."),
  ]

  /// The lines of sections 1 to 4 of the platform facts that no profile has.
  package static let leftOut: [Note] = [
    Note(
      id: "N4", summary: "A time-interval trigger needs more than 0 s, and 60 s when it repeats.",
      reason: "Requests name the instant of their delivery; none repeats in the system."),
    Note(
      id: "N5", summary: "A calendar trigger for 31 June fires on 1 July.",
      reason: "The engine computes occurrences itself, by RFC 7529, and hands over instants."),
    Note(
      id: "N8", summary: "A location notification needs When In Use only and shares the 20 regions.",
      reason: "The engine makes no location-triggered requests: it watches regions itself."),
    Note(
      id: "N18", summary: "An empty identifier crashed the system on iOS 10.",
      reason: "Identifiers are made from the reminder's position and are never empty."),
    Note(
      id: "L8", summary: "A fix may lie about its accuracy.",
      reason: "A fault of the recording: a track states the wrong fix and its accuracy as they came."),
    Note(
      id: "L14", summary: "CLMonitor misses an enter in an app that a push launched.",
      reason: "The profile has circular regions of the location manager, and no push."),
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
