package import Statistics
import TriggerModel

/// The way from what should have been asked for to a tap that leads somewhere, with what is lost at each
/// step and why. Every step is the one before it minus its losses.
package struct Funnel: Hashable, Sendable {
  package struct Step: Hashable, Sendable {
    package var name: String
    package var count: Int
    /// What did not come through to this step, in the order of the reasons.
    package var losses: [Loss]
    package var evidence: Evidence
  }

  package struct Loss: Hashable, Sendable {
    package var reason: String
    package var count: Int
  }

  package var steps: [Step]

  package init(_ account: ReminderAccount) {
    // Requests that were due and not made; and, as a negative loss, those made of signs of what never
    // happened.
    let requested =
      account.notObserved.keys.sorted().map { Loss(reason: $0, count: account.notObserved[$0] ?? 0) }
      + account.unfoundedBecause.keys.sorted().map {
        Loss(reason: "unfounded, \($0)", count: -(account.unfoundedBecause[$0] ?? 0))
      }
      + [
        Loss(
          reason: "unfounded", count: account.unfoundedBecause.values.reduce(0, +) - account.unfounded)
      ]
    let admitted =
      account.denied.losses + account.dropped.losses
      + [
        Loss(reason: "addFailed", count: account.failed),
        Loss(reason: "held at the end", count: account.held),
      ]
    steps = [
      Step(name: "due", count: account.dueRequests, losses: [], evidence: .instrumented),
      Step(name: "requested", count: account.requests, losses: requested.present, evidence: .instrumented),
      Step(name: "admitted", count: account.admitted, losses: admitted.present, evidence: .instrumented),
      Step(
        name: "delivered", count: account.delivered,
        losses: (account.lost.losses + [Loss(reason: "pending at the end", count: account.pending)]).present,
        evidence: .instrumented),
      Step(
        name: "presented", count: account.presented,
        losses: [Loss(reason: "notPresented", count: account.delivered - account.presented)].present,
        evidence: .instrumented),
      Step(
        name: "tapped", count: account.tapped,
        losses: [
          Loss(reason: "dismissed", count: account.dismissed),
          Loss(reason: "no response", count: account.presented - account.tapped - account.dismissed),
        ].present, evidence: .declared),
      Step(
        name: "routed", count: account.links.routed,
        losses: (account.links.lost.losses + [
          Loss(reason: "not modelled", count: account.tapped - account.links.attempted),
          Loss(reason: "on the way at the end", count: account.links.onTheWay),
        ]).present, evidence: .instrumented),
    ]
  }
}

extension ReasonCounts {
  var losses: [Funnel.Loss] { nonZero.map { Funnel.Loss(reason: $0.reason.name, count: $0.count) } }
}

extension [Funnel.Loss] {
  /// Those that are not zero.
  var present: [Funnel.Loss] { filter { $0.count != 0 } }
}
