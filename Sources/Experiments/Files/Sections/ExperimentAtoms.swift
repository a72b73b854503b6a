import ScenarioModel
import Scenarios
import TextFormats
import TriggerModel

extension Atom<Word> {
  /// A word with its place, to be looked up when more is known.
  static func word(_ name: String, _ meaning: String) -> Atom {
    Atom(
      name: name, meaning: meaning, pattern: ".+", write: { word, _ in .string(word.text) }
    ) { word, _ in word }
  }

  /// A metric, with a type or without.
  static var metricWord: Atom {
    let kinds = PeopleMetric.Kind.allCases.map(\.rawValue).joined(separator: "|")
    return Atom(
      name: "METRIC", meaning: "a metric such as tapThrough, or tapThrough of TYPE",
      pattern: "(?:\(kinds))(?: of .+)?", write: { word, _ in .string(word.text) }
    ) { word, _ in word }
  }
}

extension Atom<TimeSpan> {
  /// How long an answer is waited for.
  static var followUp: Atom {
    duration.checked { span, word, reader in
      if span >= .minutes(1), span <= .days(30) { return span }
      reader.error("nobody is followed for '\(word.text)'", at: word.position, hint: "name 1 min to 30 days")
      return nil
    }
  }
}

extension PeopleMetric {
  /// Looks a metric up.
  static func read(_ word: Word, types: [String], _ reader: Reader) -> PeopleMetric? {
    let parts = word.text.split(separator: " ", maxSplits: 2).map(String.init)
    guard let kind = parts.first.flatMap({ Kind(rawValue: $0) }) else {
      let names = Kind.allCases.map(\.rawValue)
      reader.error(
        "there is no metric '\(parts.first ?? "")'", at: word.position,
        hint: NearestNames.likely(parts.first ?? "", among: names).map { "did you mean '\($0)'?" }
          ?? "there are \(names.joined(separator: ", "))")
      return nil
    }
    if parts.count == 1 { return PeopleMetric(kind) }
    guard parts.count == 3, parts[1] == "of" else {
      reader.error(
        "'\(word.text)' is not a metric", at: word.position, hint: "such as \(kind.rawValue) of \(types[0])")
      return nil
    }
    guard kind.hasTypes else {
      reader.error(
        "'\(kind.rawValue)' is of people, not of a type", at: word.position,
        hint: "leave out 'of \(parts[2])'")
      return nil
    }
    guard let type = types.firstIndex(of: parts[2]) else {
      reader.error(
        "unknown notification type '\(parts[2])'", at: word.position,
        hint: NearestNames.likely(parts[2], among: types).map { "did you mean '\($0)'?" }
          ?? "there are \(types.joined(separator: ", "))")
      return nil
    }
    return PeopleMetric(kind, type: type, types: types)
  }
}

extension Atom<Amount> {
  /// `0.1 pp`, `25 %` or `1.5`, with a sign or without.
  static var amount: Atom {
    .simple(
      "AMOUNT", "a number such as 0.1 pp, 25 % or 1.5", pattern: #"[+-]?\d+(?:\.\d+)?(?: *(?:%|pp))?"#,
      jsonTypes: ["string", "number"],
      write: { amount, _ in .string(amount.text) }, Amount.init)
  }
}

extension Atom<BoundDeclaration> {
  /// `>= 25 %`, or of a difference `<= +0.3 pp`.
  static var peopleBound: Atom {
    let number = Atom<Amount>.amount.map(
      { amount, _, _ in amount.millionths },
      back: { millionths, _ in Amount(millionths: millionths, hasUnit: false) })
    return Atom<Bound>.bound(number, such: ">= 25 % or <= 0.3 pp").map(
      { bound, word, _ in BoundDeclaration(bound: bound, hasUnit: Amount.hasUnit(word.text)) },
      back: { declaration, _ in declaration.bound })
  }
}
