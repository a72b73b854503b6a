import Recordings

/// What an engine in another process says, beside its effects: one line each.
///
/// Messages begin with the key `message`, records with `track` or `event`: that tells them apart.
enum EngineMessage: Hashable, Sendable {
  /// The first line: who answers, and what it can do.
  case hello(EngineGreeting)
  /// The program is understood.
  case ready
  /// The end of an answer.
  case done(EngineAnswer)
  /// It can go on no more.
  case failed(String)

  /// Nil for a record.
  init?(_ line: UnsafeBufferPointer<UInt8>) throws(ScanProblem) {
    var scanner = NDJSONScanner(line)
    try scanner.beginObject()
    guard let first = try scanner.nextKey(), first == "message" else { return nil }
    let word = try scanner.string()
    let known: [StaticString] = ["hello", "ready", "done", "failed"]
    switch known.first(where: { word == $0 })?.description {
    case "hello": self = .hello(try EngineGreeting(&scanner))
    case "ready": self = .ready
    case "done": self = .done(try EngineAnswer(&scanner))
    case "failed":
      var why = "it does not say why"
      while let key = try scanner.nextKey() {
        if key == "why" { why = try scanner.string().string } else { try scanner.skipValue() }
      }
      self = .failed(why)
      return
    default: throw scanner.unknown("message", word, known: known.map(\.description))
    }
    if case .ready = self { while try scanner.nextKey() != nil { try scanner.skipValue() } }
    try scanner.endOfLine()
  }
}

/// Who answers, and what it can do.
package struct EngineGreeting: Hashable, Sendable {
  package var name = "an engine without a name"
  package var version = ""
  package var capabilities: Set<Capability> = [.match, .caps]

  /// What of the work an engine does itself.
  package enum Capability: String, Hashable, Sendable, CaseIterable {
    /// Says which reminders ask for a notification.
    case match
    /// Decides which requests become notifications.
    case caps
  }

  /// In front of the second key.
  init(_ scanner: inout NDJSONScanner) throws(ScanProblem) {
    var version: Int64?
    while let key = try scanner.nextKey() {
      if key == "protocol" {
        version = try scanner.integer()
        guard version == EngineProtocol.version else {
          throw scanner.invalid(
            "the engine speaks version \(version ?? 0) of the protocol",
            remedy: "this release speaks version \(EngineProtocol.version)")
        }
      } else if key == "name" {
        name = try scanner.string().string
      } else if key == "version" {
        self.version = try scanner.string().string
      } else if key == "capabilities" {
        capabilities = []
        try scanner.beginArray()
        while try scanner.nextElement() {
          let word = try scanner.string()
          guard let capability = Capability(rawValue: word.string) else {
            throw scanner.unknown("capability", word, known: Capability.allCases.map(\.rawValue))
          }
          capabilities.insert(capability)
        }
        guard !capabilities.isEmpty else {
          throw scanner.invalid("the engine can do nothing", remedy: "name \"match\", \"caps\" or both")
        }
      } else {
        // What else an engine says of itself is for those who read it.
        try scanner.skipValue()
      }
    }
    guard version != nil else { throw scanner.missingKey("protocol") }
  }
}

/// The end of an answer: whether the engine wants to be asked again.
struct EngineAnswer: Hashable, Sendable {
  /// There is something to decide at the end of this instant.
  var isUnsettled = true
  /// There is more to decide, once the answer to the request that was handed over is there.
  var hasMore = false

  init(_ scanner: inout NDJSONScanner) throws(ScanProblem) {
    while let key = try scanner.nextKey() {
      if key == "unsettled" {
        isUnsettled = try scanner.truth()
      } else if key == "more" {
        hasMore = try scanner.truth()
      } else {
        throw scanner.unknownKey(key, known: ["unsettled", "more"])
      }
    }
  }
}

/// The protocol as a whole.
package enum EngineProtocol {
  /// Counts the forms that are not compatible.
  package static let version: Int64 = 1
}
