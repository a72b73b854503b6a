package import Statistics
import TriggerModel

/// The way from what should have been asked for to a tap that leads somewhere, with what is lost at each
/// step and why. Every step is the one before it minus its losses, and with what came to it besides; no number is
/// negative. What was planned anew counts once: a plan whose place another took is in no step.
package struct Funnel: Hashable, Sendable {
  package struct Step: Hashable, Sendable {
    package var name: String
    package var count: Int
    /// What did not come through to this step, in the order of the reasons.
    package var losses: [Loss]
    /// What came to it that was not in the step before, and why.
    package var gains: [Loss] = []
    package var evidence: Evidence
  }

  package struct Loss: Hashable, Sendable {
    package var reason: String
    package var count: Int

    /// "3 dwell"
    var words: String { "\(count) \(reason)" }
  }

  package var steps: [Step]

  /// - Parameter isModelled: A model answers notifications.
  package init(_ account: ReminderAccount, isModelled: Bool) {
    let notMade = account.notObserved.keys.sorted().map {
      Loss(reason: $0, count: account.notObserved[$0] ?? 0)
    }
    // Requests that were made of signs of what never happened, or for a time that did not come.
    let notDue =
      account.unfoundedBecause.keys.sorted().map {
        Loss(reason: "\(KnowledgeGap.unfounded.rawValue), \($0)", count: account.unfoundedBecause[$0] ?? 0)
      }
      + [
        Loss(
          reason: KnowledgeGap.unfounded.rawValue,
          count: account.unfounded - account.unfoundedBecause.values.reduce(0, +)),
        Loss(reason: FunnelWord.plannedAndNotDue.rawValue, count: account.early),
      ]
    let admitted =
      account.denied.losses + account.dropped.losses
      + [
        Loss(reason: Reason.addFailed.name, count: account.failed),
        Loss(reason: FunnelWord.heldAtTheEnd.rawValue, count: account.held),
      ]
    steps = [
      Step(name: "due", count: account.dueRequests, losses: [], evidence: .instrumented),
      Step(
        name: "requested", count: account.requests, losses: notMade.present, gains: notDue.present,
        evidence: .instrumented),
      Step(name: "admitted", count: account.admitted, losses: admitted.present, evidence: .instrumented),
      Step(
        name: "delivered", count: account.delivered,
        losses: (account.lost.losses + [
          Loss(reason: FunnelWord.pendingAtTheEnd.rawValue, count: account.pending)
        ]).present,
        evidence: .instrumented),
      Step(
        name: "exposed", count: account.exposed,
        losses: [Loss(reason: Reason.notPresented.name, count: account.delivered - account.exposed)].present,
        evidence: .instrumented),
      Step(
        name: "tapped", count: account.tapped,
        losses: [
          Loss(reason: FunnelWord.dismissed.rawValue, count: account.dismissed),
          Loss(reason: FunnelWord.acted.rawValue, count: account.acted),
          Loss(reason: FunnelWord.ignored.rawValue, count: account.ignored),
          Loss(reason: FunnelWord.responseNotStated.rawValue, count: account.exposed - account.answerable),
        ].present, evidence: isModelled ? .assumed : .declared),
      Step(
        name: "routed", count: account.links.routed,
        losses: (account.links.lost.losses + [
          Loss(reason: FunnelWord.notModelled.rawValue, count: account.tapped - account.links.attempted),
          Loss(reason: FunnelWord.onTheWayAtTheEnd.rawValue, count: account.links.onTheWay),
        ]).present, evidence: isModelled ? .assumed : .instrumented),
    ]
  }
}

extension Funnel.Step {
  /// "3 dwell, 1 notRunning; besides 2 unfounded".
  var changes: String {
    let lost = losses.map(\.words).joined(separator: ", ")
    if gains.isEmpty { return lost }
    let gained = "besides " + gains.map(\.words).joined(separator: ", ")
    return lost.isEmpty ? gained : "\(lost); \(gained)"
  }
}

extension ReasonCounts {
  var losses: [Funnel.Loss] { nonZero.map { Funnel.Loss(reason: $0.reason.name, count: $0.count) } }
}

extension [Funnel.Loss] {
  /// Those that are not zero.
  var present: [Funnel.Loss] { filter { $0.count != 0 } }
}
