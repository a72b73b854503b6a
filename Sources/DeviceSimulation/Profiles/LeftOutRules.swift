extension PlatformRules {
  /// The lines of sections 1 to 4 of the platform facts that no profile has.
  package static let leftOut: [LeftOut] = [
    LeftOut(
      id: "N4", summary: "A time-interval trigger needs more than 0 s, and 60 s when it repeats.",
      reason: "Requests name the instant of their delivery; none repeats in the system."),
    LeftOut(
      id: "N5", summary: "A calendar trigger for 31 June fires on 1 July.",
      reason: "The engine computes occurrences itself, by RFC 7529, and hands over instants."),
    LeftOut(
      id: "N6", summary: "A repeating calendar trigger has no start date.",
      reason: "The engine computes occurrences itself and hands over instants."),
    LeftOut(
      id: "N8", summary: "A location notification needs When In Use only and shares the 20 regions.",
      reason: "The engine makes no location-triggered requests: it watches regions itself."),
    LeftOut(
      id: "N18", summary: "An empty identifier crashed the system on iOS 10.",
      reason: "Identifiers are made from the reminder's position and are never empty."),
    LeftOut(
      id: "L8", summary: "A fix may lie about its accuracy.",
      reason: "A fault of the recording: a track states the wrong fix and its accuracy as they came."),
    LeftOut(
      id: "L14", summary: "CLMonitor misses an enter in an app that a push launched.",
      reason: "The profile has circular regions of the location manager, and no push."),
    LeftOut(
      id: "D4", summary: "FamilyControls does not work in the Simulator.",
      reason: "A fact about a tool."),
    LeftOut(
      id: "H1", summary: "HealthKit hides whether reading is allowed.",
      reason: "Facts hold what the app believes; a scenario states the belief."),
    LeftOut(
      id: "S1", summary: "StoreKit has five states of a subscription.",
      reason: "Entitlement is a fact that the scenario sets."),
  ]
}
