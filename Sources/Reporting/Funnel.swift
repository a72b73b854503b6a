package import Statistics
import TriggerModel

/// The steps from a due request to a routed link, with the losses at each step and their causes.
///
/// Each count is nonnegative and equals the previous count minus the losses plus the gains. The funnel does
/// not count requests of a plan that was replaced.
package struct Funnel: Hashable, Sendable {
  package struct Step: Hashable, Sendable {
    package var name: String
    package var count: Int
    /// The requests lost since the previous step, in the order of the reasons.
    package var losses: [Loss]
    /// The requests added at this step.
    package var gains: [Loss] = []
    package var evidence: Evidence

    /// The losses and gains by culprit, for example "3 phone; added: 1 engine".
    var attribution: String {
      let lost = Self.culprits(of: losses)
      let gained = Self.culprits(of: gains)
      return gained.isEmpty
        ? lost : [lost, "added: " + gained].filter { !$0.isEmpty }.joined(separator: "; ")
    }

    private static func culprits(of losses: [Loss]) -> String {
      Culprit.allCases.compactMap { culprit in
        let count = losses.reduce(0) { $0 + ($1.culprit == culprit ? $1.count : 0) }
        return count == 0 ? nil : "\(count) \(culprit.rawValue)"
      }.joined(separator: ", ")
    }

    /// The losses and gains by reason, for example "3 dwell, 1 notRunning; added: 2 unfounded".
    var changes: String {
      let lost = losses.map(\.words).joined(separator: ", ")
      if gains.isEmpty { return lost }
      let gained = "added: " + gains.map(\.words).joined(separator: ", ")
      return lost.isEmpty ? gained : "\(lost); \(gained)"
    }
  }

  package struct Loss: Hashable, Sendable {
    package var reason: String
    package var count: Int
    /// The culprit that the loss is attributed to, or `nil` if there is none: the run ended, or the scenario
    /// states no response.
    package var culprit: Culprit?

    init(_ reason: String, _ count: Int, _ culprit: Culprit?) {
      self.reason = reason
      self.count = count
      self.culprit = culprit
    }

    fileprivate init(_ reason: Reason, _ count: Int) { self.init(reason.name, count, reason.culprit) }

    fileprivate init(_ word: UnexplainedLoss, _ count: Int) { self.init(word.rawValue, count, word.culprit) }

    /// The count with its reason, for example "3 dwell".
    var words: String { "\(count) \(reason)" }
  }

  package var steps: [Step]

  /// - Parameter isModelled: Whether a person model responds to notifications.
  package init(_ account: ReminderAccount, isModelled: Bool) {
    // The events that the phone reported determine which requests a correct engine would make.
    let notObserved = account.notObserved.sorted { $0.key < $1.key }.map { Loss($0.key, $0.value, .phone) }
    let notRequested = account.notRequested.sorted { $0.key < $1.key }.map {
      Loss($0.key, $0.value, Reason(name: $0.key)?.culprit)
    }
    // The cause of an unfounded request is an event that did not occur, or a time that was not reached.
    let unfounded = KnowledgeGap.unfounded.rawValue
    let causes = account.unfoundedBecause.sorted { $0.key < $1.key }.map {
      Loss("\(unfounded), \($0.key)", $0.value, KnowledgeGap(rawValue: $0.key)?.culprit ?? .phone)
    }
    let other = account.unfounded - account.unfoundedBecause.values.reduce(0, +)
    let falseSigns =
      causes.filter { $0.culprit == .phone } + [Loss(unfounded, other, KnowledgeGap.unfounded.culprit)]
    let superfluous = causes.filter { $0.culprit != .phone }
    func count(_ losses: [Loss]) -> Int { losses.reduce(0) { $0 + $1.count } }
    let responses: Evidence = isModelled ? .assumed : .declared
    func step(
      _ name: String, _ count: Int, _ losses: [Loss], gains: [Loss] = [], _ evidence: Evidence = .instrumented
    ) -> Step {
      Step(
        name: name, count: count, losses: losses.filter { $0.count != 0 },
        gains: gains.filter { $0.count != 0 }, evidence: evidence)
    }
    steps = [
      step("due", account.dueRequests, []),
      step(
        "observed", account.dueRequests - count(notObserved) + count(falseSigns), notObserved,
        gains: falseSigns),
      step(
        "requested", account.requests, notRequested,
        gains: superfluous + [Loss(.plannedAndNotDue, account.early)]),
      step(
        "admitted", account.admitted,
        account.denied.losses + account.dropped.losses
          + [Loss(Reason.addFailed, account.failed), Loss(.heldAtTheEnd, account.held)]),
      step("delivered", account.delivered, account.lost.losses + [Loss(.pendingAtTheEnd, account.pending)]),
      step(
        "exposed", account.exposed, [Loss(Reason.notPresented, account.delivered - account.exposed)]),
      step(
        "tapped", account.tapped,
        [
          Loss(.dismissed, account.dismissed), Loss(.acted, account.acted), Loss(.ignored, account.ignored),
          Loss(.responseNotStated, account.exposed - account.answerable),
        ], responses),
      step(
        "routed", account.links.routed,
        account.links.lost.losses + [
          Loss(.notModelled, account.tapped - account.links.attempted),
          Loss(.onTheWayAtTheEnd, account.links.onTheWay),
        ], isModelled ? .assumed : .instrumented),
    ]
  }

  var table: ReportTable {
    ReportTable(
      columns: [
        .text("step"), .number("count"), .text("losses"), .text("attributed to"), .text("evidence"),
      ],
      rows: steps.map { [$0.name, "\($0.count)", $0.changes, $0.attribution, $0.evidence.rawValue] })
  }
}

extension ReasonCounts {
  var losses: [Funnel.Loss] { nonZero.map { Funnel.Loss($0.reason, $0.count) } }
}

extension UnexplainedLoss {
  /// The culprit that the loss is attributed to, or `nil` if there is none.
  fileprivate var culprit: Culprit? {
    switch self {
    case .dismissed, .acted, .ignored: .person
    case .plannedAndNotDue, .heldAtTheEnd, .pendingAtTheEnd, .responseNotStated, .notModelled,
      .onTheWayAtTheEnd:
      nil
    }
  }
}
