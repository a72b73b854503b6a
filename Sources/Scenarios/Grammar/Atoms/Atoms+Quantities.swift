package import ScenarioModel
package import TextFormats
package import TriggerModel

extension Atom<Double> {
  /// A distance in metres, greater than 0 and at most 100,000 km.
  package static var distance: Atom<Double> {
    .simple(
      "DISTANCE", "a distance such as 150 m or 1.5 km, greater than 0 and at most 100,000 km",
      pattern: #"\d+(?:\.\d+)? *(?:m|km)"#,
      hint: { text in
        if Double(text) != nil { return "add its unit, such as '\(text) m' or '\(text) km'" }
        return text.hasSuffix("m") ? nil : "the units are m and km"
      },
      write: { metres, writer in
        let thousandths = (metres * 1_000).rounded()
        guard 1...100_000_000_000 ~= thousandths, thousandths / 1_000 == metres else {
          return writer.problem("a distance is in whole millimetres, from 1 mm to 100,000 km")
        }
        return .string(Decimal.text(Int64(thousandths), decimals: 3) + " m")
      }
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

extension Atom<Speed> {
  package static var speed: Atom<Speed> {
    .simple(
      "SPEED", "a speed such as 5 km/h or 1.4 m/s, at most 10,000 km/h",
      pattern: #"\d+(?:\.\d+)? *(?:km/h|m/s)"#,
      write: { speed, writer in
        let amount = speed.millimetresPerHour
        if amount > 0, amount % 1_000 == 0 {
          return .string(Decimal.text(amount / 1_000, decimals: 3) + " km/h")
        }
        guard amount > 0, amount % 3_600 == 0 else {
          return writer.problem("a speed is in whole metres per hour or millimetres per second")
        }
        return .string(Decimal.text(amount / 3_600, decimals: 3) + " m/s")
      }
    ) { text in
      let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
      let unit = text.dropFirst(digits.count).drop { $0 == " " }
      let perUnit: Int64? = ["km/h": 1_000, "m/s": 3_600][String(unit)]
      guard let perUnit, let thousandths = Decimal.thousandths(digits), thousandths > 0,
        thousandths <= 10_000_000_000 / perUnit
      else { return nil }
      return Speed(millimetresPerHour: thousandths * perUnit)
    }
  }
}

extension Atom<Coordinate> {
  /// A position, written `[latitude, longitude]` in degrees.
  package static var coordinate: Atom {
    let number = #"-?\d+(?:\.\d+)?"#
    return Atom(
      name: "[LAT, LON]", meaning: "a position such as [52.52, 13.405]",
      pattern: #"\[ *\#(number) *, *\#(number) *\]"#,
      write: { .string(Degrees.json($0, $1).line) }
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

/// Reads and writes latitudes and longitudes.
package enum Degrees {
  /// Returns the position as a list, such as `[52.52, 13.405]`.
  package static func json(_ place: Coordinate, _ writer: Writer) -> JSONValue {
    guard abs(place.latitude) <= 90, abs(place.longitude) <= 180 else {
      return writer.problem("there is no place at \(place.latitude), \(place.longitude)")
    }
    return [.number(place.latitude), .number(place.longitude)]
  }

  package static func coordinate(_ latitude: Word, _ longitude: Word, _ reader: Reader) -> Coordinate? {
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

extension Atom<UInt64> {
  package static var seed: Atom<UInt64> {
    .simple(
      "SEED", "a whole number from 0 to \(UInt64.max)", pattern: #"\d+"#, jsonTypes: ["string", "integer"],
      write: { seed, _ in Int(exactly: seed).map { .integer($0) } ?? .string("\(seed)") }
    ) {
      $0.utf8.allSatisfy { (0x30...0x39).contains($0) } ? UInt64($0) : nil
    }
  }
}

extension Atom<Int32> {
  /// A battery level in thousandths. For example, 80 % is 800.
  package static var batteryLevel: Atom {
    .simple(
      "PERCENT", "a battery level such as 80 %", pattern: #"\d+(?:\.\d)? *%"#,
      write: { level, writer in
        0...1_000 ~= level
          ? .string(Decimal.text(Int64(level), decimals: 1) + " %")
          : writer.problem("a battery level is from 0 to 100 %")
      }
    ) { text in
      guard text.hasSuffix("%"),
        let level = Decimal.scaled(text.dropLast().filter { $0 != " " }, decimals: 1),
        (0...1_000).contains(level)
      else { return nil }
      return Int32(level)
    }
  }
}
