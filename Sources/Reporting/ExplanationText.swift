import ReminderEngine
package import TestBench
package import TextFormats
import TriggerModel

/// An explanation to read, and as a document.
package struct ExplanationText {
  private let answer: Explainer.Answer
  private let sentence: String

  /// - Parameter sentence: The reminder in words.
  package init(_ answer: Explainer.Answer, sentence: String) {
    self.answer = answer
    self.sentence = sentence
  }

  package var text: String {
    var lines = ["\(answer.reminder) at \(answer.local)", "  \(Printable.text(sentence))"]
    if answer.happened.isEmpty {
      lines.append("  none of its triggers came in this minute")
    } else {
      lines += answer.happened.map { "  \($0)" }
    }
    lines.append("  status      \(status)")
    lines += Self.lines("  conditions  ", answer.conditions)
    lines += Self.lines("  critical if ", answer.criticalConditions)
    if let pending = answer.pending { lines.append("  pending     for \(pending)") }
    lines.append("  scheduler   \(scheduler)")
    lines += answer.usedUp.map { "  used up by  \($0)" }
    lines += answer.askedFor.map { "  asked for   \($0)" }
    if let last = answer.lastFire { lines.append("  last fire   \(last)") }
    if let last = answer.lastTrigger { lines.append("  last look   \(last)") }
    if let next = answer.nextTrigger { lines.append("  next look   \(next)") }
    if let next = answer.nextAllHold {
      lines.append("  all hold    \(next)" + (next == "now" ? "" : ", if the world stays as it is"))
    }
    if case .edits(let edits) = answer.change {
      lines += edits.map { "  change      \($0.words)" }
      if let later = answer.firesLater { lines.append("              \(later)") }
    } else {
      lines.append("  change      \(answer.smallestChange)")
    }
    return lines.joined(separator: "\n")
  }

  /// Two columns: what the app was told, and what is true.
  private static func lines(_ head: String, _ conditions: [Explainer.ConditionAnswer]) -> [String] {
    if conditions.isEmpty { return [] }
    func verdict(_ holds: Bool?) -> String { holds.map { $0 ? "holds  " : "FAILS  " } ?? "-      " }
    let indent = String(repeating: " ", count: head.count)
    return [head + "app    truth"]
      + conditions.map { condition in
        indent + verdict(condition.holds) + verdict(condition.holdsInTruth) + condition.words
          + (condition.known.map { "  (\($0))" } ?? "")
      }
  }

  private static func documents(_ conditions: [Explainer.ConditionAnswer]) -> JSONValue {
    .array(
      conditions.map { condition in
        var members: [JSONValue.Member] = [
          .init("condition", .string(condition.words)), .init("holds", .truth(condition.holds)),
        ]
        if let holds = condition.holdsInTruth { members.append(.init("holdsInTruth", .truth(holds))) }
        if let known = condition.known { members.append(.init("known", .string(known))) }
        return .object(members)
      })
  }

  package var document: JSONValue {
    var members: [JSONValue.Member] = [
      .init("reminder", .string(answer.reminder)), .init("sentence", .string(sentence)),
      .init("at", .string(answer.local)),
      .init("happened", .array(answer.happened.map { .string($0) })), .init("status", .string(status)),
      .init("conditions", Self.documents(answer.conditions)),
      .init("bucket", .string(answer.bucket.name)),
      .init(
        "decision",
        [
          "decision": .string(answer.decision.outcome.name),
          "blockedBy": .array(answer.blockers.map { .string($0.name) }),
        ]),
    ]
    if !answer.criticalConditions.isEmpty {
      members.append(.init("criticalIf", Self.documents(answer.criticalConditions)))
    }
    if let pending = answer.pending { members.append(.init("pendingFor", .string(pending))) }
    if let last = answer.lastTrigger { members.append(.init("lastLook", .string(last))) }
    if let next = answer.nextTrigger { members.append(.init("nextLook", .string(next))) }
    if let next = answer.nextAllHold { members.append(.init("allHoldAt", .string(next))) }
    if let last = answer.lastFire { members.append(.init("lastFire", .string(last))) }
    if !answer.usedUp.isEmpty {
      members.append(.init("usedUpBy", .array(answer.usedUp.map { .string($0) })))
    }
    if !answer.askedFor.isEmpty {
      members.append(.init("askedFor", .array(answer.askedFor.map { .string($0) })))
    }
    if case .edits(let edits) = answer.change {
      members.append(
        .init("edits", .array(edits.map { ["do": .string($0.verb), "text": .string($0.text)] })))
    }
    if let time = answer.firesAt { members.append(.init("firesAt", .string(time))) }
    members.append(.init("smallestChange", .string(answer.smallestChange)))
    return .object(members)
  }

  private var status: String {
    switch answer.explanation.status {
    case .waiting: "waiting"
    case .snoozed: "snoozed"
    // It fires when it is shown: until then it has had its turn, and no more.
    case .alreadyFired:
      answer.pending != nil ? "pending" : answer.hasFired ? "alreadyFired" : "spent"
    case .expired: "expired"
    case .cancelled: "cancelled"
    }
  }

  private var scheduler: String {
    let blockers = answer.blockers.map(\.name).joined(separator: ", ")
    // Where it depends on the facts.
    let noun = answer.pending == nil ? "a request" : "another request"
    let request = answer.criticalConditions.isEmpty ? noun : "\(noun), bucket \(answer.bucket.name)"
    return switch answer.decision.outcome {
    case .admit: "would admit \(request)"
    case .deny: "would deny \(request): \(blockers)"
    case .defer: "would hold \(request): \(blockers)"
    case .fail: "would fail"
    }
  }
}
