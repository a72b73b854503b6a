import Recordings

/// A JSON document as it stands, for readers that must tell what they did not expect.
enum JSONInput: Hashable {
  case null
  case truth(Bool)
  case number(Double)
  case text(String)
  case list([JSONInput])
  case object([String: JSONInput])

  /// Reads a line, which is one value.
  ///
  /// - Parameter what: What the line should be, for messages: "vector".
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

  /// What it is, as a message names it.
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
