import Recordings

/// A message from an external engine, other than an effect. Each message is one line.
///
/// The first key of a message is `message`. In contrast, the first key of a record is `track` or `event`.
enum EngineMessage: Hashable, Sendable {
  /// The first line, with the engine's name and capabilities.
  case hello(EngineGreeting)
  /// The engine has read the program.
  case ready
  /// The answer is complete.
  case done(EngineAnswer)
  /// The engine cannot continue.
  case failed(String)

  /// Parses a message. Returns `nil` if the line is a record.
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
      var why = "no reason stated"
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

/// The name and capabilities of an engine.
package struct EngineGreeting: Hashable, Sendable {
  package var name = "an engine without a name"
  package var version = ""
  package var capabilities: Set<Capability> = [.match, .caps]

  /// A capability of an engine.
  package enum Capability: String, Hashable, Sendable, CaseIterable {
    /// The engine determines when reminders request a notification.
    case match
    /// The engine decides requests.
    case caps
  }

  /// Parses the message from its second key on.
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
        // Other keys are for human readers.
        try scanner.skipValue()
      }
    }
    guard version != nil else { throw scanner.missingKey("protocol") }
  }
}

/// The end of an answer, which states whether more work remains.
struct EngineAnswer: Hashable, Sendable {
  /// Whether requests remain to be decided at the end of this instant.
  var isUnsettled = true
  /// Whether the engine continues to decide after the system has answered the last request.
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

/// The protocol between the bench and engines.
package enum EngineProtocol {
  /// The version of the protocol. Different versions are incompatible.
  package static let version: Int64 = 1
}
