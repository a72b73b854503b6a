import Journal
import TriggerModel

/// Writes messages for an engine to a buffer, one per line. The owner of the buffer sends and empties it.
struct MessageWriter {
  private var journal: JournalWriter

  init(_ names: WireNames) {
    journal = JournalWriter(names)
  }

  var bytes: [UInt8] { journal.bytes }

  mutating func removeBytes() { journal.removeBytes() }

  mutating func hello() {
    append("{\"message\":\"hello\",\"protocol\":\(EngineProtocol.version)}\n")
  }

  mutating func program(_ line: [UInt8]) {
    journal.append(raw: line)
    append("\n")
  }

  mutating func launch(_ launch: ProcessLaunch) {
    append("{\"message\":\"launch\"")
    append(launch.store)
    append(",\"permission\":\"\(launch.permission)\"")
    if launch.pendingCapacity != .max { append(",\"pendingCapacity\":\(launch.pendingCapacity)") }
    if launch.regionCapacity != .max { append(",\"regionCapacity\":\(launch.regionCapacity)") }
    if launch.alarmsMayBeLate { append(",\"lateAlarms\":true") }
    journal.append(launch.moment)
    append("}\n")
  }

  mutating func open(_ store: StoreContents, at moment: Moment) {
    append("{\"message\":\"open\"")
    append(store)
    journal.append(moment)
    append("}\n")
  }

  mutating func observed(_ event: ObservedEvent) { journal.write(event) }

  mutating func settle(at moment: Moment) { question("settle", at: moment) }

  /// Writes an effect of the other half. A question must follow it.
  mutating func effect(_ effect: EngineEffect, at moment: Moment) {
    journal.write(telling: effect, at: moment)
  }

  /// Writes a question to one half.
  mutating func ask(_ question: HalfQuestion, at moment: Moment) {
    self.question(question.rawValue, at: moment)
  }

  private mutating func question(_ word: String, at moment: Moment) {
    append("{\"message\":\"\(word)\"")
    journal.append(moment)
    append("}\n")
  }

  mutating func answer(_ request: RequestID, isAccepted: Bool) {
    append("{\"message\":\"answer\"")
    journal.append(member: "reminder", .reminder, request.reminder.rawValue)
    append(",\"occurrence\":\(request.occurrence),\"accepted\":\(isAccepted)}\n")
  }

  mutating func end() { append("{\"message\":\"end\"}\n") }

  private mutating func append(_ text: String) { journal.append(raw: text.utf8) }

  private mutating func append(_ store: StoreContents) {
    switch store {
    case .empty: append(",\"store\":\"empty\"")
    case .locked: append(",\"store\":\"locked\"")
    case .bytes(let bytes):
      append(",\"store\":\"stored\"")
      journal.append(member: "state", base64: bytes)
    }
  }
}
