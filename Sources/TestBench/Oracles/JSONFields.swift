import CivilTime
import Recordings
import TriggerModel

/// Reads the fields of one JSON object. Error messages name the invalid field and the expected value.
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

  /// Reads a field into a variable, which keeps its value if the field is absent.
  func read<Value>(
    _ key: String, _ value: (String) throws(OracleLineError) -> Value, into variable: inout Value
  ) throws(OracleLineError) {
    if has(key) { variable = try value(key) }
  }

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

  /// Reads a list of strings.
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

  /// Reads an integer of at least 0.
  func count(_ key: String) throws(OracleLineError) -> Int {
    guard let count = Self.count(try value(key)) else { throw wrong(key, "a whole number, 0 or more") }
    return count
  }

  /// Reads an object with non-negative integers as values.
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

/// A parsed JSON value that keeps its kind, so that readers can report a value of the wrong kind.
enum JSONInput: Hashable {
  case null
  case truth(Bool)
  case number(Double)
  case text(String)
  case list([JSONInput])
  case object([String: JSONInput])

  /// Parses a line that contains exactly one value.
  ///
  /// - Parameter what: The noun for the line in messages, such as "vector".
  init(line: String, _ what: String) throws(OracleLineError) {
    do throws(ScanProblem) {
      self = try Array(line.utf8).withUnsafeBufferPointer { (bytes) throws(ScanProblem) in
        var scanner = NDJSONScanner(bytes)
        let value = try JSONInput(&scanner)
        try scanner.endOfLine()
        return value
      }
    } catch {
      if error.code == .syntax {
        throw OracleLineError("not JSON; write one \(what), an object, on one line")
      }
      throw OracleLineError("\(what): column \(error.offset + 1): \(error.message); \(error.remedy)")
    }
  }

  private init(_ scanner: inout NDJSONScanner) throws(ScanProblem) {
    switch scanner.peek() {
    case .object:
      var members: [String: JSONInput] = [:]
      try scanner.beginObject()
      while let key = try scanner.nextKey() {
        let name = key.string
        if members[name] != nil { throw scanner.repeatedKey(key) }
        members[name] = try JSONInput(&scanner)
      }
      self = .object(members)
    case .array:
      var items: [JSONInput] = []
      try scanner.beginArray()
      while try scanner.nextElement() { items.append(try JSONInput(&scanner)) }
      self = .list(items)
    case .string: self = .text(try scanner.string().string)
    case .number: self = .number(try scanner.number())
    case .truth: self = .truth(try scanner.truth())
    case .null, nil:
      try scanner.null()
      self = .null
    }
  }

  /// The name of the value's kind in messages.
  var kind: String {
    switch self {
    case .null: "null"
    case .truth: "true or false"
    case .number: "a number"
    case .text: "a text"
    case .list: "a list"
    case .object: "an object"
    }
  }
}

/// An input line that an oracle cannot answer, with the reason and a remedy.
public struct OracleLineError: Error, Hashable, Sendable, CustomStringConvertible {
  public var description: String

  package init(_ description: String) {
    self.description = description
  }
}
