import Journal
package import Recordings
package import TriggerModel

/// A message from the bench, in the form in which an engine parses it.
package enum HostMessage {
  case hello
  /// The scenario's declarations as JSON, and all zones that the phone visits. The other messages contain
  /// local times in these zones.
  case program([UInt8], zones: [String])
  case launch(
    StoreContents, NotificationPermission, pendingCapacity: Int, regionCapacity: Int, alarmsMayBeLate: Bool)
  case open(StoreContents)
  case settle
  /// A question to one half, which refers to the preceding lines.
  case half(HalfQuestion)
  case answer
  case end
  /// An effect of the other half, as a record for a `JournalReader`.
  case effect

  /// Parses a message. Returns `nil` if the line is a record of an event.
  package init?(_ line: UnsafeBufferPointer<UInt8>) throws(ScanProblem) {
    var scanner = NDJSONScanner(line)
    try scanner.beginObject()
    guard let first = try scanner.nextKey() else { return nil }
    guard first == "message" else {
      guard first == "track", try scanner.string() == "effect" else { return nil }
      self = .effect
      return
    }
    let word = try scanner.string()
    let known: [StaticString] = [
      "hello", "program", "launch", "open", "settle", "answer", "end", "settled", "release", "withdraw",
    ]
    var store: StoreWord?
    var state: [UInt8]?
    var permission = NotificationPermission.authorized
    var (pendingCapacity, regionCapacity) = (Int.max, Int.max)
    var alarmsMayBeLate = false
    var document: [UInt8]?
    var zones: [String] = []
    while let key = try scanner.nextKey() {
      if key == "scenario" {
        let start = scanner
        try scanner.skipValue()
        document = Array(start.bytes(upTo: scanner))
      } else if key == "zones" {
        try scanner.beginArray()
        while try scanner.nextElement() { zones.append(try scanner.string().string) }
      } else if key == "store" {
        let word = try scanner.string()
        store = StoreWord(rawValue: word.string)
        if store == nil { throw scanner.unknown("store", word, known: StoreWord.allCases.map(\.rawValue)) }
      } else if key == "state" {
        let text = try scanner.string()
        guard let bytes = Base64.decode(text.bytes) else {
          throw scanner.invalid("this is not base 64", remedy: "write the stored bytes unchanged")
        }
        state = bytes
      } else if key == "permission" {
        let word = try scanner.string()
        guard let known = NotificationPermission.allCases.first(where: { "\($0)" == word.string }) else {
          throw scanner.unknown("permission", word, known: NotificationPermission.allCases.map { "\($0)" })
        }
        permission = known
      } else if key == "pendingCapacity" {
        pendingCapacity = Int(clamping: try scanner.integer())
      } else if key == "regionCapacity" {
        regionCapacity = Int(clamping: try scanner.integer())
      } else if key == "lateAlarms" {
        alarmsMayBeLate = try scanner.truth()
      } else {
        try scanner.skipValue()
      }
    }
    try scanner.endOfLine()
    switch known.first(where: { word == $0 })?.description {
    case "hello": self = .hello
    case "program":
      guard let document else { throw scanner.missingKey("scenario") }
      self = .program(document, zones: zones)
    case "launch":
      self = .launch(
        try Self.contents(store, state, scanner), permission, pendingCapacity: pendingCapacity,
        regionCapacity: regionCapacity, alarmsMayBeLate: alarmsMayBeLate)
    case "open": self = .open(try Self.contents(store, state, scanner))
    case "settle": self = .settle
    case "answer": self = .answer
    case "end": self = .end
    case "settled": self = .half(.settled)
    case "release": self = .half(.release)
    case "withdraw": self = .half(.withdraw)
    default: throw scanner.unknown("message", word, known: known.map(\.description))
    }
  }

  /// The words for the state of the store.
  private enum StoreWord: String, CaseIterable {
    case empty, locked
    /// The store contains bytes. They are in `state`.
    case stored
  }

  private static func contents(
    _ store: StoreWord?, _ state: [UInt8]?, _ scanner: borrowing NDJSONScanner
  ) throws(ScanProblem) -> StoreContents {
    switch store {
    case .empty: return .empty
    case .locked: return .locked
    case .stored:
      guard let state else { throw scanner.missingKey("state") }
      return .bytes(state)
    case nil: throw scanner.missingKey("store")
    }
  }
}

/// A question to one half. The lines before it are effects of the other half.
package enum HalfQuestion: String, Sendable {
  /// For the matching half: the preceding `decided`, `dropped` and `remove` lines are the outcomes of its
  /// requests.
  case settled
  /// For the matching half: each preceding `request` is deferred until its `deliverAt`, which may be in the
  /// past. The half answers with `remove` and the reason `staleAtRelease` for each request whose conditions
  /// fail at that time, according to the facts that it knows.
  ///
  /// For the deciding half: no lines precede the question. The half answers with a `request` for each
  /// deferred request.
  case release
  /// For the deciding half: it drops the requests of the preceding `remove` and `withdraw` lines. For
  /// `staleAtRelease`, it drops a deferred request only if the request is due or the system holds it.
  /// Otherwise it keeps the request but does not add it.
  case withdraw
}
