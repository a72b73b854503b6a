/// The counters of a population workload, as its specification names them. All arithmetic is modulo 2⁶⁴, and
/// people are added up in any order and any grouping to the same.
package struct PopulationCounts: Hashable, Sendable {
  /// One counter or several of a kind, under one name.
  struct Field: Hashable, Sendable {
    var name: String
    var start: Int
    /// Nil: a single one.
    var count: Int?
  }

  static let events = 0
  static let candidates = 1
  static let denied = 2
  static let fired = denied + 7
  static let taps = fired + 7
  static let optOuts = taps + 7
  static let latencySum = optOuts + 1
  static let latencies = latencySum + 1
  static let hoursFired = latencies + 16
  static let hoursTapped = hoursFired + 24
  static let people = hoursTapped + 24
  static let peopleReached = people + 1
  static let firedSquared = peopleReached + 1
  static let tapsSquared = firedSquared + 1
  static let firedByTaps = tapsSquared + 1
  static let checksum = firedByTaps + 1

  /// In the order of the specification.
  static let fields = [
    Field(name: "events", start: events), Field(name: "candidates", start: candidates),
    Field(name: "sup", start: denied, count: 7), Field(name: "fired", start: fired, count: 7),
    Field(name: "taps", start: taps, count: 7), Field(name: "optouts", start: optOuts),
    Field(name: "lat_sum", start: latencySum), Field(name: "lat_hist", start: latencies, count: 16),
    Field(name: "fired_hour", start: hoursFired, count: 24),
    Field(name: "tap_hour", start: hoursTapped, count: 24), Field(name: "users", start: people),
    Field(name: "users_reached", start: peopleReached), Field(name: "S_f2", start: firedSquared),
    Field(name: "S_t2", start: tapsSquared), Field(name: "S_ft", start: firedByTaps),
    Field(name: "checksum", start: checksum),
  ]

  var values = [UInt64](repeating: 0, count: checksum + 1)

  package init() {}

  package static func += (total: inout Self, part: Self) {
    for index in total.values.indices { total.values[index] &+= part.values[index] }
  }

  /// One line, byte for byte that of the specification's own program.
  package var json: String {
    let members = Self.fields.map { field in
      guard let count = field.count else { return "\"\(field.name)\":\(values[field.start])" }
      let list = values[field.start..<field.start + count].map(String.init).joined(separator: ",")
      return "\"\(field.name)\":[\(list)]"
    }
    return "{" + members.joined(separator: ",") + "}\n"
  }

  /// The counters of one name, in order.
  package subscript(name: String) -> [UInt64]? {
    Self.fields.first { $0.name == name }.map { Array(values[$0.start..<$0.start + ($0.count ?? 1)]) }
  }
}
