import CivilTime
import TriggerModel

/// Reads the fields of one JSON object; where a value is wrong it says which one, and what to write.
struct JSONFields {
  let place: String
  let values: [String: JSONInput]

  init(_ value: JSONInput, _ place: String, keys: [String]) throws(OracleLineError) {
    guard case .object(let values) = value else {
      throw OracleLineError("\(place) is \(value.kind); write an object")
    }
    self.place = place
    self.values = values
    for key in values.keys.sorted() where !keys.contains(key) {
      throw OracleLineError(
        "\(place): unknown key \"\(key)\"; " + Self.hint(key, among: keys, otherwise: "known keys: "))
    }
  }

  func has(_ key: String) -> Bool { values[key] != nil }

  func value(_ key: String) throws(OracleLineError) -> JSONInput {
    guard let value = values[key] else { throw OracleLineError("\(place): the key \"\(key)\" is missing") }
    return value
  }

  func wrong(_ key: String, _ expected: String) -> OracleLineError {
    OracleLineError("\(place): \"\(key)\" is \(values[key]?.kind ?? "missing"); write \(expected)")
  }

  func text(_ key: String) throws(OracleLineError) -> String {
    guard case .text(let text) = try value(key) else { throw wrong(key, "a text") }
    return text
  }

  /// A list of texts.
  func texts(_ key: String) throws(OracleLineError) -> [String] {
    guard case .list(let list) = try value(key) else { throw wrong(key, "a list of texts") }
    var texts: [String] = []
    for value in list {
      guard case .text(let text) = value else { throw wrong(key, "a list of texts") }
      texts.append(text)
    }
    return texts
  }

  func choice<T>(_ key: String, _ choices: [(String, T)]) throws(OracleLineError) -> T {
    let text = try text(key)
    if let match = choices.first(where: { $0.0 == text }) { return match.1 }
    throw OracleLineError(
      "\(place): \"\(key)\" is \"\(text)\"; "
        + Self.hint(text, among: choices.map(\.0), otherwise: "write one of "))
  }

  func truth(_ key: String) throws(OracleLineError) -> Bool {
    guard case .truth(let truth) = try value(key) else { throw wrong(key, "true or false") }
    return truth
  }

  func instant(_ key: String) throws(OracleLineError) -> Instant {
    let text = try text(key)
    do { return try Instant(iso8601: text) } catch {
      throw OracleLineError("\(place): \"\(key)\": \(error)")
    }
  }

  /// A count of 0 or more.
  func count(_ key: String) throws(OracleLineError) -> Int {
    guard let count = Self.count(try value(key)) else { throw wrong(key, "a whole number, 0 or more") }
    return count
  }

  /// Counts by name.
  func counts(_ key: String) throws(OracleLineError) -> [String: Int] {
    guard case .object(let entries) = try value(key) else {
      throw wrong(key, "an object such as {\"a\": 3}")
    }
    var counts: [String: Int] = [:]
    for (name, value) in entries.sorted(by: { $0.key < $1.key }) {
      guard let count = Self.count(value) else {
        throw OracleLineError("\(place): \"\(key)\" of \"\(name)\" must be a whole number, 0 or more")
      }
      counts[name] = count
    }
    return counts
  }

  private static func count(_ value: JSONInput) -> Int? {
    guard case .number(let number) = value, let count = Int(exactly: number), count >= 0 else { return nil }
    return count
  }

  private static func hint(_ word: String, among names: [String], otherwise: String) -> String {
    let nearest = NearestNames.of(word, among: names)
    return nearest.isEmpty
      ? otherwise + names.joined(separator: ", ")
      : "did you mean " + nearest.joined(separator: " or ") + "?"
  }
}
