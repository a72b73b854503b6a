import ReminderEngine
package import TestBench
package import TextFormats
import TriggerModel

/// The explanation of a reminder's state at a given time, as text and as JSON.
package struct ExplanationText {
  private let answer: Explainer.Answer
  private let sentence: String

  /// - Parameter sentence: The reminder's declaration as a sentence.
  package init(_ answer: Explainer.Answer, sentence: String) {
    self.answer = answer
    self.sentence = sentence
  }

  package var text: String {
    var lines = answer.expectation.map { ["expectation failed: \($0)"] } ?? []
    lines += ["\(answer.reminder) at \(answer.local)", "  \(Printable.text(sentence))"]
    if answer.happened.isEmpty || answer.nearest != nil {
      let nearest = answer.nearest.map { "; the nearest occurred at \($0)" } ?? ""
      lines.append("  none of its triggers occurred in this minute\(nearest)")
    }
    lines += answer.happened.map { "  \($0)" }
    lines += answer.because.map { "  because     \(Printable.text($0))" }
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
      lines.append("  all hold    \(next)" + (next == "now" ? "" : ", if nothing else changes"))
    }
    if case .edits(let edits) = answer.change {
      lines += edits.map { "  change      \($0.words)" }
      if let later = answer.firesLater { lines.append("              \(later)") }
    } else {
      lines.append("  change      \(answer.smallestChange)")
    }
    return lines.joined(separator: "\n")
  }

  /// Returns the conditions in two columns: as the app observed them, and as they truly were.
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
        .present([
          "condition": .string(condition.words), "holds": .truth(condition.holds),
          "holdsInTruth": condition.holdsInTruth.map(JSONValue.truth),
          "known": condition.known.map(JSONValue.string),
        ])
      })
  }

  package var document: JSONValue {
    let critical = answer.criticalConditions
    var edits: JSONValue?
    if case .edits(let found) = answer.change {
      edits = .array(found.map { ["do": .string($0.verb), "text": .string($0.text)] })
    }
    return .present([
      "reminder": .string(answer.reminder), "sentence": .string(sentence), "at": .string(answer.local),
      "expectation": answer.expectation.map(JSONValue.string),
      "nearestTrigger": answer.nearest.map(JSONValue.string), "happened": .strings(answer.happened),
      "because": answer.because.isEmpty ? nil : .strings(answer.because), "status": .string(status),
      "conditions": Self.documents(answer.conditions), "bucket": .string(answer.bucket.name),
      "decision": [
        "decision": .string(answer.decision.outcome.name), "blockedBy": .strings(answer.blockers.map(\.name)),
      ],
      "criticalIf": critical.isEmpty ? nil : Self.documents(critical),
      "pendingFor": answer.pending.map(JSONValue.string),
      "lastLook": answer.lastTrigger.map(JSONValue.string),
      "nextLook": answer.nextTrigger.map(JSONValue.string),
      "allHoldAt": answer.nextAllHold.map(JSONValue.string),
      "lastFire": answer.lastFire.map(JSONValue.string),
      "usedUpBy": answer.usedUp.isEmpty ? nil : .strings(answer.usedUp),
      "askedFor": answer.askedFor.isEmpty ? nil : .strings(answer.askedFor), "edits": edits,
      "firesAt": answer.firesAt.map(JSONValue.string), "smallestChange": .string(answer.smallestChange),
    ])
  }

  private var status: String {
    switch answer.explanation.status {
    case .waiting: "waiting"
    case .snoozed: "snoozed"
    // A reminder fires when its notification is exposed. Until then, an admitted occurrence is reported as
    // spent.
    case .alreadyFired:
      answer.pending != nil ? "pending" : answer.hasFired ? "alreadyFired" : "spent"
    case .expired: "expired"
    case .cancelled: "cancelled"
    }
  }

  private var scheduler: String {
    let blockers = answer.blockers.map(\.name).joined(separator: ", ")
    let noun = answer.pending == nil ? "a request" : "another request"
    // The text names the bucket only if the reminder has critical conditions, because only they can change
    // it.
    let request = answer.criticalConditions.isEmpty ? noun : "\(noun), bucket \(answer.bucket.name)"
    return switch answer.decision.outcome {
    case .admit: "would admit \(request)"
    case .deny: "would deny \(request): \(blockers)"
    case .defer: "would defer \(request): \(blockers)"
    case .fail: "would fail"
    }
  }
}
