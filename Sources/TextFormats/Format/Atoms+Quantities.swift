package import TriggerModel

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

  /// Not negative; at most a century.
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

  /// What is wrong with the unit.
  private static func unitHint(_ text: String) -> String? {
    let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    let unit = text.dropFirst(number.count).drop { $0 == " " }
    if number.isEmpty { return nil }
    if unit.isEmpty { return "add its unit, such as '\(number) h' or '\(number) min'" }
    if units.contains(where: { $0.names.contains(String(unit)) }) { return nil }
    return "the units are ms, s, min, h, d and week"
  }

  private static var century: TimeSpan { .days(36_525) }

  /// `90 min`: the largest unit that is whole, or hours and the rest.
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

  /// So many of one unit can be named.
  private static var countLimit: Int64 { 1_000_000_000 }

  /// With a sign in front: `+1 h`, `-30 min`.
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

  /// What a duration in words comes to; nil where it is none.
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

  /// From nothing to all, in millionths.
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
