import Journal
package import Recordings
package import TriggerModel

/// What the bench says to an engine, as the engine reads it.
package enum HostMessage {
  case hello
  /// The scenario's declarations, as JSON, and every zone that the phone will be in. Clocks stand on the lines
  /// of the others.
  case program([UInt8], zones: [String])
  case launch(
    StoreContents, NotificationPermission, pendingCapacity: Int, regionCapacity: Int, alarmsMayBeLate: Bool)
  case open(StoreContents)
  case settle
  /// What one half of an engine is asked about the lines before.
  case half(HalfQuestion)
  case answer
  case end
  /// A record of what the other half wants or says; to be read as one.
  case effect

  /// Nil for a record of what happens.
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
          throw scanner.invalid("this is not base 64", remedy: "write what was stored, as it came")
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

  /// How a message says what there is in the store.
  private enum StoreWord: String, CaseIterable {
    case empty, locked
    /// With what it is, in `state`.
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

/// What an engine of one half is asked about the lines before, which say what the other half wants or says.
package enum HalfQuestion: String, Sendable {
  /// To the matching half: the `decided`, `dropped` and `remove` are what became of requests.
  case settled
  /// To the matching half: each `request` is one that was put off until `deliverAt`, to come or past. It takes those
  /// back (`remove`, `staleAtRelease`) whose conditions do not hold then, as far as it knows. To the deciding
  /// half, without lines before: which requests are put off? It answers with a `request` for each.
  case release
  /// To the deciding half: gives up what each `remove` and `withdraw` names. What is put off and stale
  /// (`staleAtRelease`) it gives up if it is due or the system has it, and does not hand over otherwise.
  case withdraw
}
