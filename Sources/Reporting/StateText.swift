package import NotificationGateway
package import Scenarios

/// Stored counters to read, and as an object that a scenario takes under `stored`.
package struct StateText {
  private let entries: [StoredCounters.Entry]

  package init(_ entries: [StoredCounters.Entry]) {
    self.entries = entries
  }

  /// A key and its value a line; nothing when nothing has been counted.
  package var text: String {
    entries.map { "\($0.key) \($0.value)\n" }.joined()
  }

  package var document: JSONValue {
    .object(entries.map { .init($0.key, .integer($0.value)) })
  }
}
