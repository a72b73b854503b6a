import ScenarioModel
import Statistics
import TriggerModel

extension ReminderAccount {
  /// Returns the losses that occur before the step that a metric counts, most frequent first.
  func losses(before metric: Metric) -> [String] {
    var lost: [String: Int] = [:]
    func add(_ reasons: ReasonCounts) {
      for (reason, count) in reasons.nonZero { lost[reason.name, default: 0] += count }
    }
    let step: Int
    switch metric {
    case .requests: step = 0
    case .fireRate, .admitted, .admittedPerDay: step = 1
    case .delivered, .deliveryRate: step = 2
    case .fires, .firesPerDay, .exposed, .dismissed, .acted: step = 3
    case .tapped: step = 4
    case .routed: step = 5
    case .tapThrough:
      return Self.line(
        "exposed, not tapped", [("dismissed", dismissed), ("acted on", acted), ("ignored", ignored)])
    case .acknowledgement: return Self.line("exposed, not acknowledged", [("ignored", ignored)])
    case .routingSuccess:
      return Self.line("lost on the way", links.lost.nonZero.map { ($0.reason.name, $0.count) })
    case .optIn, .disableRate, .denied, .deferred, .failed, .snoozed, .doubled, .beyondCaps: return []
    }
    // The denominator of the fire rate contains every request, so only unmade requests are losses.
    if metric != .fireRate { lost = unmadeBecause }
    if step >= 1 {
      add(denied)
      add(dropped)
      lost[Reason.addFailed.name, default: 0] += failed
      lost["held at the end"] = held
    }
    // A notification that is still pending has no day of delivery, so it is listed as a loss.
    if metric == .admittedPerDay { lost["pending at the end"] = ahead }
    if step >= 2 {
      add(self.lost)
      lost["pending at the end"] = pending
    }
    if step >= 3 { lost[Reason.notPresented.name, default: 0] += delivered - exposed }
    if step >= 4 {
      lost["dismissed"] = dismissed
      lost["acted on"] = acted
      lost["ignored"] = ignored
      lost["response not stated"] = exposed - answerable
    }
    if step >= 5 { add(links.lost) }
    let unasked = noRequest.nonZero.map { ($0.reason.name, $0.count) }
    return Self.line("lost on the way", lost.map { ($0, $1) })
      + (metric.isRatio ? [] : Self.line("trigger observed, no request", unasked))
  }

  /// Returns the losses that reduced the denominator of a rate to 0.
  func losses(beforeWholeOf metric: Metric) -> [String] {
    switch metric {
    case .tapThrough, .acknowledgement: losses(before: .exposed)
    case .routingSuccess: losses(before: .tapped)
    default: losses(before: .requests)
    }
  }

  private static func line(_ head: String, _ counts: [(String, Int)]) -> [String] {
    let words = counts.filter { $0.1 > 0 }.sorted { ($1.1, $0.0) < ($0.1, $1.0) }.map { "\($0.1) \($0.0)" }
    return words.isEmpty ? [] : [head + ": " + words.joined(separator: ", ")]
  }
}
