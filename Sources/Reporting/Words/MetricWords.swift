package import ScenarioModel

/// What each metric counts, or is a share of.
package enum MetricWords {
  /// In the middle of a sentence: `admitted ÷ requests`. Every case is named, so that a new metric does not compile
  /// without its words.
  package static func phrase(_ metric: Metric) -> String {
    switch metric {
    case .fires: "notifications that were exposed, as a banner or in the list only"
    case .requests: "requests that the reminder engine made, and plans that were not replaced"
    case .admitted: "requests that the scheduler let through"
    case .denied: "requests that the scheduler refused for good"
    case .deferred: "how often a request was put off"
    case .failed: "admitted requests that the system refused to take"
    case .delivered: "notifications that the system delivered"
    case .exposed: "notifications that the person could see"
    case .tapped: "notifications that the person tapped"
    case .dismissed: "notifications that the person cleared away"
    case .acted: "notifications of which the person chose an action, such as 'done'"
    case .snoozed: "how often the person put the reminder off"
    case .routed: "links of taps that were shown"
    case .doubled: "notifications that were seen for an occasion for which one was seen on another device"
    case .beyondCaps:
      "notifications beyond a cap of a day or a week, counted over all devices of the person"
    case .fireRate: "admitted ÷ requests"
    case .admittedPerDay:
      "admitted for a time within the run ÷ days of the run, of which a begun one counts whole"
    case .firesPerDay: "fires ÷ days of the run, of which a begun one counts whole"
    case .tapThrough: "tapped ÷ exposed, of the reminders of which it is known how the person responds"
    case .acknowledgement: "tapped, dismissed or acted on ÷ exposed, of the same reminders"
    case .deliveryRate: "delivered ÷ due: requests that should have been made, and were delivered"
    case .routingSuccess: "routed ÷ tapped, of the taps whose way is modelled"
    case .optIn:
      "persons who gave the permission after the app had primed them for it ÷ persons whom it primed"
    case .disableRate:
      "months of 30 days in which the person turned notifications off ÷ months begun with the permission"
    }
  }
}
