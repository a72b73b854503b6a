package import NotificationGateway
package import TextFormats

/// Stored counters to read, and as an object that a scenario takes under `stored`.
package struct StateText {
  /// What the keys cannot hold: a scenario that begins with stored counters begins without it.
  package static let limits = """
    The keys count by day, and by type over all time. What they cannot hold begins anew with 'stored:':
    lapseCap, typeDailyCap, typeWeeklyCap, criticalDailyCap, minimumInterval, what is pending, preferences.
    """

  private let entries: [StoredCounters.Entry]

  package init(_ entries: [StoredCounters.Entry]) {
    self.entries = entries
  }

  /// A key and its value a line, below what the keys cannot hold; nothing when nothing has been counted.
  package var text: String {
    if entries.isEmpty { return "" }
    return Self.limits.split(separator: "\n").map { "# \($0)\n" }.joined()
      + entries.map { "\($0.key) \($0.value)\n" }.joined()
  }

  package var document: JSONValue {
    .object(entries.map { .init($0.key, .integer($0.value)) })
  }
}
