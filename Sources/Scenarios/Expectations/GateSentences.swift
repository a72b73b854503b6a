package import ScenarioModel
package import TextFormats
import TriggerModel

extension Grammar<Measure> {
  /// What a gate judges, as a phrase.
  static var measure: Grammar {
    Grammar(
      meaning: "something that a gate judges",
      phrases: [
        Phrase("conversion of", .reminderGroup, "to", .truthFact, "within", .duration) {
          .conversion(of: $0, goal: $1, within: $2)
        },
        Phrase("lift of", .numberFact, "by", .reminderGroup) { .lift($0, by: $1) },
        Phrase("weeklyActive") { .weeklyActive(of: nil) },
        Phrase("weeklyActive of", .reminderGroup) { .weeklyActive(of: $0) },
        Phrase("", .share, "of", .reminderGroup) { .share($0, of: $1) },
        Phrase("", .share) { .share($0, of: nil) },
      ])
  }
}

/// Gates as sentences: `tapThrough of trainingDay >= 25 %, kill < 10 % after 30 days`.
package enum GateSentences {
  static let example = "tapThrough >= 25 %, kill < 5 % after 30 days"

  /// The parts of a sentence that have meant something.
  package struct Parts {
    package var measure: Measure
    package var words: String
    package var target: Bound
    package var kill: Gate.KillCriterion?
  }

  package static func parse(_ sentence: Words, _ reader: Reader) -> Parts? {
    let (head, clauses) = sentence.clauses(at: ["kill", "after"])
    let signs = Bound.Side.allCases.map(\.rawValue)
    guard let split = head.texts.firstIndex(where: signs.contains), split > 0 else {
      reader.error(
        "a gate says what it measures and the target", at: sentence.position,
        hint: "such as '\(example)'")
      return nil
    }
    let measured = head.prefix(split)
    let measure = Grammar<Measure>.measure.parse(measured, reader)
    let target = Atom<Bound>.bound.parse(withoutComma(head.dropFirst(split).joined), reader)
    var kill: Gate.KillCriterion?
    if let first = clauses.first {
      kill = killCriterion(first, clauses.dropFirst(), reader)
      if kill == nil { return nil }
    }
    guard let measure, let target else { return nil }
    return Parts(measure: measure, words: measured.joined.text, target: target, kill: kill)
  }

  private static func killCriterion(
    _ first: (keyword: Word, body: Words), _ others: ArraySlice<(keyword: Word, body: Words)>,
    _ reader: Reader
  ) -> Gate.KillCriterion? {
    let isInOrder = first.keyword.text == "kill" && others.allSatisfy { $0.keyword.text == "after" }
    guard isInOrder, others.count <= 1 else {
      reader.error(
        "'\(first.keyword.text)' does not stand where it belongs", at: first.keyword.position,
        hint: "such as '\(example)'")
      return nil
    }
    guard !first.body.isEmpty else {
      reader.error(
        "a bound is missing behind 'kill'", at: first.keyword.position, hint: "such as 'kill < 5 %'")
      return nil
    }
    guard let bound = Atom<Bound>.bound.parse(first.body.joined, reader) else { return nil }
    guard let after = others.first else { return Gate.KillCriterion(bound: bound, after: .zero) }
    guard !after.body.isEmpty else {
      reader.error(
        "a duration is missing behind 'after'", at: after.keyword.position, hint: "such as 30 days")
      return nil
    }
    return Atom<TimeSpan>.duration.parse(after.body.joined, reader)
      .map { Gate.KillCriterion(bound: bound, after: $0) }
  }

  /// The comma before `kill`.
  private static func withoutComma(_ word: Word) -> Word {
    guard word.text.hasSuffix(",") else { return word }
    return Word(
      word.text.dropLast().split(separator: " ").joined(separator: " "), at: word.position)
  }

  /// What the schema says of a sentence.
  package static var schema: JSONValue {
    let bound = Atom<Bound>.bound.pattern
    let duration = Atom<TimeSpan>.duration.pattern
    let kill = ",? +kill +(?:\(bound))(?: +after +(?:\(duration)))?"
    let measure = Grammar<Measure>.measure
    return [
      "type": "string",
      "description": .string("A gate: '\(example)'. \(measure.waysToSayIt)"),
      "pattern": .string("^(?:\(measure.pattern)) +(?:\(bound))(?:\(kill))?$"),
    ]
  }
}

extension Grammar<Expectation.Claim> {
  /// What is expected of a gate.
  static var gateClaim: Grammar {
    Grammar(
      meaning: "something to expect of a gate",
      phrases: [
        Phrase("gate", .gate, "passes") { .gate($0, .pass) },
        Phrase("gate", .gate, "kills") { .gate($0, .kill) },
        Phrase("gate", .gate, "is inconclusive") { .gate($0, .inconclusive) },
      ])
  }
}
