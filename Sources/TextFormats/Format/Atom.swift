package import TriggerModel

/// The smallest value in a file: for example a time of day, a duration or a name.
///
/// The same atom parses a word of a sentence and the value of a key, so a string has the same meaning in
/// both.
package struct Atom<Value> {
  /// The placeholder in the templates of phrases, such as `TIME`.
  package let name: String
  /// A description with an example, for example "a time of day such as 08:10".
  package let meaning: String
  /// A regular expression without anchors that matches the atom's strings.
  package var pattern: String { makePattern() }
  private let makePattern: () -> String
  /// The JSON types that a YAML parser may assign to the string, or `nil` for any scalar type.
  package var jsonTypes: [String]? = ["string"]
  package var allowsEmpty = false
  /// Returns the value, or reports an error and returns `nil`.
  package let parse: (Word, Reader) -> Value?
  /// Returns a string that ``parse`` reads as the value.
  package let write: (Value, Writer) -> JSONValue

  package init(
    name: String, meaning: String, pattern: @autoclosure @escaping () -> String,
    jsonTypes: [String]? = ["string"], allowsEmpty: Bool = false,
    write: @escaping (Value, Writer) -> JSONValue,
    parse: @escaping (Word, Reader) -> Value?
  ) {
    self.name = name
    self.meaning = meaning
    makePattern = pattern
    self.jsonTypes = jsonTypes
    self.allowsEmpty = allowsEmpty
    self.write = write
    self.parse = parse
  }

  package var schema: JSONValue {
    .fitting(pattern, description: meaning, types: jsonTypes)
  }

  /// Returns an atom that accepts the same strings but has another type of value. `back` is the inverse of
  /// `transform`.
  package func map<Other>(
    _ transform: @escaping (Value, Word, Reader) -> Other?, back: @escaping (Other, Writer) -> Value
  ) -> Atom<Other> {
    let (parse, write, pattern) = (parse, write, makePattern)
    return Atom<Other>(
      name: name, meaning: meaning, pattern: pattern(), jsonTypes: jsonTypes, allowsEmpty: allowsEmpty,
      write: { other, writer in write(back(other, writer), writer) },
      parse: { word, reader in parse(word, reader).flatMap { transform($0, word, reader) } })
  }

  /// Returns an atom that accepts only valid values. The body returns a valid value, or reports an error and
  /// returns `nil`.
  package func checked(_ body: @escaping (Value, Word, Reader) -> Value?) -> Atom {
    map(body, back: { value, _ in value })
  }
}

extension Atom {
  /// Reports that a value can be written only in a sentence. In the long form, keys state the parts of the
  /// value.
  package static func onlyInSentences(_ value: Value, _ writer: Writer) -> JSONValue {
    writer.problem("this can be written in sentences only")
  }

  /// Creates an atom from a function that returns `nil` for an invalid string. The error message then states
  /// the expected value.
  ///
  /// - Parameter hint: Returns a suggestion for an invalid string.
  package static func simple(
    _ name: String, _ meaning: String, pattern: @autoclosure @escaping () -> String,
    jsonTypes: [String]? = ["string"], hint: @escaping (String) -> String? = { _ in nil },
    write: @escaping (Value, Writer) -> JSONValue, _ parse: @escaping (String) -> Value?
  ) -> Atom {
    Atom(name: name, meaning: meaning, pattern: pattern(), jsonTypes: jsonTypes, write: write) {
      word, reader in
      guard let value = parse(word.text) else {
        reader.error("'\(word.text)' is not \(meaning)", at: word.position, hint: hint(word.text))
        return nil
      }
      return value
    }
  }

  /// Creates an atom for a closed list of words. If several words have the same value, the first one is
  /// written.
  package static func choice(
    _ name: String, _ meaning: String, _ values: [(String, Value)], jsonTypes: [String] = ["string"]
  ) -> Atom where Value: Equatable & SendableMetatype {
    let words = values.map(\.0)
    return Atom(
      name: name, meaning: meaning, pattern: words.map(escaped).joined(separator: "|"), jsonTypes: jsonTypes,
      write: { value, writer in
        guard let word = values.first(where: { $0.1 == value })?.0 else {
          return writer.problem("there is no word for \(value)")
        }
        return .string(word)
      }
    ) { word, reader in
      guard let value = values.first(where: { $0.0 == word.text })?.1 else {
        // YAML 1.1 has these synonyms for truth values.
        let yes = ["yes", "true", "on"]
        let no = ["no", "false", "off"]
        let likely =
          words.first { yes.contains($0) && yes.contains(word.text.lowercased()) }
          ?? words.first { no.contains($0) && no.contains(word.text.lowercased()) }
          ?? NearestNames.likely(word.text, among: words)
        reader.error(
          "'\(word.text)' is not \(meaning)", at: word.position,
          hint: likely.map { "did you mean '\($0)'?" }
            ?? (words.allSatisfy(meaning.contains) ? nil : "it is one of " + words.joined(separator: ", ")))
        return nil
      }
      return value
    }
  }

  package static func escaped(_ word: String) -> String {
    word.map { ".^$*+?()[]{}|\\/".contains($0) ? "\\\($0)" : String($0) }.joined()
  }
}

extension Atom<String> {
  /// The pattern of names. One character range covers all letters beyond ASCII, because some schema
  /// validators do not support Unicode classes.
  package static var namePattern: String { "[A-Za-z_\u{C0}-\u{FFFD}][A-Za-z0-9_.\u{C0}-\u{FFFD}-]*" }

  /// A new name that the author chooses.
  package static var newName: Atom {
    Atom<String>.simple(
      "NAME", "a name: a letter, then letters, digits, '.', '_' or '-'", pattern: namePattern,
      write: { name, _ in .string(name) }
    ) { text in
      isPlainName(text) || isName(text) ? text : nil
    }.reserving(["all"], for: "everything of a kind").checked { name, word, reader in
      guard name.utf8.count > longestName else { return name }
      reader.error(
        "a name of \(name.utf8.count) bytes is too long: it has \(longestName) at most", at: word.position,
        hint: "put long texts into a title or a description")
      return nil
    }
  }

  private static func isName(_ text: String) -> Bool {
    guard let first = text.first, first.isLetter || first == "_" else { return false }
    return text.allSatisfy { $0.isLetter || $0.isNumber || "_.-".contains($0) }
  }

  /// Returns whether a name consists of ASCII letters and digits, as most names do. This check is faster than
  /// one that compares characters.
  private static func isPlainName(_ text: String) -> Bool {
    var isFirst = true
    return !text.isEmpty
      && text.utf8.allSatisfy { byte in
        defer { isFirst = false }
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
          UInt8(ascii: "_"):
          return true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"): return !isFirst
        default: return false
        }
      }
  }

  /// The maximum length of a name in bytes of UTF-8. A report repeats a reminder's name for each of its
  /// notifications, so this limit also bounds the report.
  private static var longestName: Int { 200 }

  /// Returns an atom that rejects names with another meaning in sentences.
  package func reserving(_ words: [String], for use: String) -> Atom {
    checked { name, word, reader in
      guard words.contains(name) else { return name }
      reader.error(
        "the name '\(name)' is reserved: it is a word for \(use)", at: word.position,
        hint: "choose another name")
      return nil
    }
  }

  /// Any non-empty string.
  package static var text: Atom {
    Atom(name: "TEXT", meaning: "a text", pattern: #"[\s\S]+"#, write: notEmpty) { word, _ in word.text }
  }

  /// The value of a setting: a word or a number.
  package static var setting: Atom {
    Atom(
      name: "VALUE", meaning: "a word or a number", pattern: ".+",
      jsonTypes: ["string", "number", "boolean"],
      write: notEmpty
    ) { word, _ in word.text }
  }

  private static func notEmpty(_ text: String, _ writer: Writer) -> JSONValue {
    text.isEmpty ? writer.problem("the text is empty") : .string(text)
  }
}

extension Atom<TimeSpan> {
  private static var units: [(names: [String], milliseconds: Int64)] {
    [
      (["ms"], 1),
      (["s", "sec", "second", "seconds"], 1_000),
      (["min", "minute", "minutes", "m"], 60_000),
      (["h", "hour", "hours"], 3_600_000),
      (["d", "day", "days"], 86_400_000),
      (["week", "weeks"], 604_800_000),
    ]
  }

  package static var unitNames: [String] { units.flatMap(\.names) }

  /// A duration from zero to 100 years.
  package static var duration: Atom<TimeSpan> {
    let words = unitNames.joined(separator: "|")
    return .simple(
      "DURATION", "a duration such as 4 h, 90 min or 1 h 30 min, at most 36525 days",
      pattern: #"\d+(?:\.\d+)? *(?:\#(words))(?: *\d+(?:\.\d+)? *(?:\#(words)))*"#, hint: unitHint,
      write: { span, writer in
        span < .zero || span > century
          ? writer.problem("a duration is not negative, and at most 36525 days") : .string(text(span))
      }, parse)
  }

  /// Returns a hint for an invalid unit, or `nil` if the unit is not the problem.
  private static func unitHint(_ text: String) -> String? {
    let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    let unit = text.dropFirst(number.count).drop { $0 == " " }
    if number.isEmpty { return nil }
    if unit.isEmpty { return "add its unit, such as '\(number) h' or '\(number) min'" }
    if units.contains(where: { $0.names.contains(String(unit)) }) { return nil }
    return "the units are ms, s, min, h, d and week"
  }

  private static var century: TimeSpan { .days(36_525) }

  /// Returns a duration as text, for example `90 min`. Uses the largest unit that divides the duration, or
  /// otherwise hours and smaller units.
  package static func text(_ span: TimeSpan, withDays: Bool = true) -> String {
    let named: [(Int64, String)] = [(86_400_000, "d"), (3_600_000, "h"), (60_000, "min"), (1_000, "s")]
    for (unit, name) in withDays ? named[...] : named[1...]
    where span.milliseconds % unit == 0 && span != .zero && span.milliseconds / unit <= countLimit {
      return "\(span.milliseconds / unit) \(name)"
    }
    if span == .zero { return "0 s" }
    if span.milliseconds <= countLimit { return "\(span.milliseconds) ms" }
    return "\(span.milliseconds / 3_600_000) h \(span.milliseconds % 3_600_000) ms"
  }

  /// The largest number before a unit that a file may contain.
  private static var countLimit: Int64 { 1_000_000_000 }

  /// A signed duration, for example `+1 h` or `-30 min`.
  package static var signedDuration: Atom<TimeSpan> {
    .simple(
      "+DURATION", "a duration with a sign such as +1 h or -30 min", pattern: "[+-] *(?:\(duration.pattern))",
      write: { span, _ in .string((span < .zero ? "-" : "+") + text(span.magnitude)) }
    ) { text in
      guard let sign = text.first, "+-".contains(sign), let span = parse(String(text.dropFirst())) else {
        return nil
      }
      return sign == "+" ? span : TimeSpan(milliseconds: -span.milliseconds)
    }
  }

  /// Parses a duration, or returns `nil` if the string is invalid.
  package static func span(of text: String) -> TimeSpan? { parse(text) }

  private static func parse(_ text: String) -> TimeSpan? {
    var rest = text[...]
    var total: Int64 = 0
    repeat {
      rest = rest.drop { $0 == " " }
      let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
      rest = rest.dropFirst(digits.count).drop { $0 == " " }
      let unit = rest.prefix { $0.isASCII && $0.isLetter }
      rest = rest.dropFirst(unit.count)
      guard let amount = Decimal.thousandths(digits), amount <= countLimit * 1_000,
        let length = units.first(where: { $0.names.contains(String(unit)) })?.milliseconds
      else { return nil }
      let (product, overflow) = amount.multipliedReportingOverflow(by: length)
      guard !overflow, product % 1_000 == 0 else { return nil }
      total += product / 1_000
      guard total <= century.milliseconds else { return nil }
    } while !rest.allSatisfy { $0 == " " }
    return TimeSpan(milliseconds: total)
  }
}

extension Atom<Int64> {
  /// A number or a percentage, in thousandths.
  package static var number: Atom {
    .simple(
      "NUMBER", "a number with at most three decimals and 12 digits before them, or a percentage",
      pattern: #"-?\d+(?:\.\d+)?(?: *%)?"#,
      jsonTypes: ["string", "number"],
      write: { thousandths, _ in .decimal(thousandths: thousandths) }
    ) { text in
      Decimal.millionths(text).flatMap { $0 % 1_000 == 0 ? $0 / 1_000 : nil }
    }
  }

  /// A number or a percentage, in millionths.
  package static var ratio: Atom {
    .simple(
      "NUMBER", "a number or a percentage such as 25 %", pattern: #"\d+(?:\.\d+)?(?: *%)?"#,
      jsonTypes: ["string", "number"],
      write: { millionths, _ in .string(Decimal.text(millionths, decimals: 6)) }, Decimal.millionths)
  }

  /// A percentage from 0 to 100 %, in millionths.
  package static var share: Atom { share(0...1_000_000) }

  /// A percentage in a range, in millionths.
  package static func share(_ range: ClosedRange<Int64>) -> Atom {
    let ends = [range.lowerBound, range.upperBound].map { Decimal.text($0, decimals: 4) + " %" }
    return .simple(
      "SHARE", "a share from \(ends[0]) to \(ends[1])", pattern: #"\d+(?:\.\d+)?(?: *%)?"#,
      jsonTypes: ["string", "number"],
      write: { millionths, _ in .string(Decimal.text(millionths, decimals: 4) + " %") }
    ) { text in
      Decimal.millionths(text).flatMap { range.contains($0) ? $0 : nil }
    }
  }
}

extension Atom<Int> {
  /// A whole number in a range.
  package static func count(_ range: ClosedRange<Int>) -> Atom {
    .simple(
      "COUNT", "a whole number from \(range.lowerBound) to \(range.upperBound)", pattern: #"\d+"#,
      jsonTypes: ["string", "integer"],
      write: { number, writer in
        range.contains(number)
          ? .integer(number)
          : writer.problem("\(number) is not from \(range.lowerBound) to \(range.upperBound)")
      }
    ) { text in
      guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text),
        range.contains(number)
      else { return nil }
      return number
    }
  }
}

extension Atom<Bool> {
  package static var truth: Atom {
    let words = Atom.choice("TRUTH", "true or false", [("true", true), ("false", false)])
    return Atom(
      name: "TRUTH", meaning: words.meaning, pattern: words.pattern, jsonTypes: ["string", "boolean"],
      write: { value, _ in .truth(value) }, parse: words.parse)
  }

  package static var toggle: Atom {
    .choice("on|off", "on or off", [("on", true), ("off", false)], jsonTypes: ["string", "boolean"])
  }
}
