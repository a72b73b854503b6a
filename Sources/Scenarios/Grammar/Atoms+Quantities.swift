import TriggerModel

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

  /// Not negative; at most a century.
  static var duration: Atom {
    let words = units.flatMap(\.names).joined(separator: "|")
    return .simple(
      "DURATION", "a duration such as 4 h, 90 min or 1 h 30 min, at most 100 years",
      pattern: #"\d+(?:\.\d+)? *(?:\#(words))(?: *\d+(?:\.\d+)? *(?:\#(words)))*"#, parse)
  }

  /// With a sign in front: `+1 h`, `-30 min`.
  static var signedDuration: Atom {
    .simple(
      "+DURATION", "a duration with a sign such as +1 h or -30 min", pattern: "[+-] *(?:\(duration.pattern))"
    ) { text in
      guard let sign = text.first, "+-".contains(sign), let span = parse(String(text.dropFirst())) else {
        return nil
      }
      return sign == "+" ? span : TimeSpan(milliseconds: -span.milliseconds)
    }
  }

  private static func parse(_ text: String) -> TimeSpan? {
    var rest = text[...]
    var total: Int64 = 0
    repeat {
      rest = rest.drop { $0 == " " }
      let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
      rest = rest.dropFirst(digits.count).drop { $0 == " " }
      let unit = rest.prefix { $0.isASCII && $0.isLetter }
      rest = rest.dropFirst(unit.count)
      guard let amount = Decimal.thousandths(digits), amount <= 1_000_000_000_000,
        let length = units.first(where: { $0.names.contains(String(unit)) })?.milliseconds
      else { return nil }
      let (product, overflow) = amount.multipliedReportingOverflow(by: length)
      guard !overflow, product % 1_000 == 0 else { return nil }
      total += product / 1_000
      guard total <= TimeSpan.days(36_525).milliseconds else { return nil }
    } while !rest.allSatisfy { $0 == " " }
    return TimeSpan(milliseconds: total)
  }
}

extension Atom<Double> {
  /// A distance in metres, greater than 0.
  static var distance: Atom {
    .simple(
      "DISTANCE", "a distance such as 150 m or 1.5 km, greater than 0 and at most 100,000 km",
      pattern: #"\d+(?:\.\d+)? *(?:m|km)"#
    ) { text in
      let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
      let unit = text.dropFirst(digits.count).drop { $0 == " " }
      guard let thousandths = Decimal.thousandths(digits), thousandths > 0, thousandths <= 100_000_000_000
      else {
        return nil
      }
      switch unit {
      case "m": return Double(thousandths) / 1_000
      case "km": return Double(thousandths)
      default: return nil
      }
    }
  }
}

extension Atom<Coordinate> {
  /// `[latitude, longitude]` in degrees.
  static var coordinate: Atom {
    let number = #"-?\d+(?:\.\d+)?"#
    return Atom(
      name: "[LAT, LON]", meaning: "a position such as [52.52, 13.405]",
      pattern: #"\[ *\#(number) *, *\#(number) *\]"#
    ) { word, reader in
      guard word.text.hasPrefix("["), word.text.hasSuffix("]") else {
        reader.error("'\(word.text)' is not a position such as [52.52, 13.405]", at: word.position)
        return nil
      }
      let parts = word.text.dropFirst().dropLast().split(separator: ",", omittingEmptySubsequences: false)
      guard parts.count == 2 else {
        reader.error("a position is two numbers, latitude and longitude", at: word.position)
        return nil
      }
      let words = parts.map { Word(String($0.filter { $0 != " " }), at: word.position) }
      return Degrees.coordinate(words[0], words[1], reader)
    }
  }
}

/// Reads latitudes and longitudes.
enum Degrees {
  static func coordinate(_ latitude: Word, _ longitude: Word, _ reader: Reader) -> Coordinate? {
    let latitude = degrees(latitude, limit: 90, "latitude", reader)
    let longitude = degrees(longitude, limit: 180, "longitude", reader)
    guard let latitude, let longitude else { return nil }
    return Coordinate(latitude: latitude, longitude: longitude)
  }

  private static func degrees(_ word: Word, limit: Double, _ name: String, _ reader: Reader) -> Double? {
    guard let value = Double(word.text) else {
      reader.error("'\(word.text)' is not a \(name) in degrees", at: word.position)
      return nil
    }
    guard value.isFinite, abs(value) <= limit else {
      reader.error(
        "the \(name) \(word.text) is not between -\(Int(limit)) and \(Int(limit))", at: word.position)
      return nil
    }
    return value
  }
}

/// Reads decimal numbers exactly.
enum Decimal {
  /// A number with at most three decimals, in thousandths; a minus sign is allowed. nil for anything else.
  static func thousandths(_ text: some StringProtocol) -> Int64? {
    scaled(text, decimals: 3)
  }

  /// A number with at most that many decimals, times 10 to their number.
  static func scaled(_ text: some StringProtocol, decimals: Int) -> Int64? {
    let isNegative = text.hasPrefix("-")
    let parts = text.dropFirst(isNegative ? 1 : 0).split(separator: ".", omittingEmptySubsequences: false)
    guard let whole = parts.first, parts.count <= 2, !whole.isEmpty, whole.count <= 12,
      parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } })
    else { return nil }
    let fraction = parts.count == 2 ? String(parts[1]) : "0"
    guard !fraction.isEmpty, fraction.count <= decimals else { return nil }
    let padded = fraction + String(repeating: "0", count: decimals - fraction.count)
    guard let value = Int64(String(whole) + padded) else { return nil }
    return isNegative ? -value : value
  }

  /// The number as an author would write it, without superfluous zeros.
  static func text(_ value: Int64, decimals: Int) -> String {
    let digits = String(value.magnitude)
    let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
    var fraction = padded.suffix(decimals)
    while fraction.hasSuffix("0") { fraction.removeLast() }
    return (value < 0 ? "-" : "") + padded.dropLast(decimals) + (fraction.isEmpty ? "" : "." + fraction)
  }

  /// A per cent sign divides by a hundred: `25 %` is 250,000 millionths.
  static func millionths(_ text: String) -> Int64? {
    guard text.hasSuffix("%") else { return scaled(text, decimals: 6) }
    return scaled(text.dropLast().filter { $0 != " " }, decimals: 4)
  }
}

extension Atom<Int64> {
  /// A number or a percentage, in thousandths.
  static var number: Atom {
    .simple(
      "NUMBER", "a number with at most three decimals and 12 digits before them, or a percentage",
      pattern: #"-?\d+(?:\.\d+)?(?: *%)?"#,
      jsonTypes: ["string", "number"]
    ) { text in
      Decimal.millionths(text).flatMap { $0 % 1_000 == 0 ? $0 / 1_000 : nil }
    }
  }

  /// A number or a percentage, in millionths.
  static var ratio: Atom {
    .simple(
      "NUMBER", "a number or a percentage such as 25 %", pattern: #"\d+(?:\.\d+)?(?: *%)?"#,
      jsonTypes: ["string", "number"], Decimal.millionths)
  }
}

extension Atom<Int> {
  /// A whole number in a range.
  static func count(_ range: ClosedRange<Int>) -> Atom {
    .simple(
      "COUNT", "a whole number from \(range.lowerBound) to \(range.upperBound)", pattern: #"\d+"#,
      jsonTypes: ["string", "integer"]
    ) { text in
      guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text),
        range.contains(number)
      else { return nil }
      return number
    }
  }
}

extension Atom<UInt64> {
  static var seed: Atom {
    .simple(
      "SEED", "a whole number that is not negative", pattern: #"\d+"#, jsonTypes: ["string", "integer"]
    ) {
      $0.utf8.allSatisfy { (0x30...0x39).contains($0) } ? UInt64($0) : nil
    }
  }
}

extension Atom<Bool> {
  static var truth: Atom {
    .choice("TRUTH", "true or false", [("true", true), ("false", false)], jsonTypes: ["string", "boolean"])
  }

  static var toggle: Atom {
    .choice("on|off", "on or off", [("on", true), ("off", false)], jsonTypes: ["string", "boolean"])
  }
}

extension Atom<Int32> {
  /// A battery level in per cent, in thousandths: 80 % is 800.
  static var batteryLevel: Atom {
    .simple(
      "PERCENT", "a battery level such as 80 %", pattern: #"\d+(?:\.\d)? *%"#
    ) { text in
      guard text.hasSuffix("%"),
        let level = Decimal.scaled(text.dropLast().filter { $0 != " " }, decimals: 1),
        (0...1_000).contains(level)
      else { return nil }
      return Int32(level)
    }
  }
}
