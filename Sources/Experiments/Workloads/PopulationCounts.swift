import PersonModel
import SimulationKernel
import TriggerModel

/// The counters of a population workload, named as in its specification.
///
/// Arithmetic is modulo 2⁶⁴, so the total does not depend on the order or the grouping of people.
package struct PopulationCounts: Hashable, Sendable {
  /// One counter, or several counters that share a name.
  struct Field: Hashable, Sendable {
    var name: String
    var start: Int
    /// The number of counters, or `nil` for a single one.
    var count: Int?
  }

  package static let events = 0
  package static let candidates = 1
  package static let denied = 2
  package static let fired = denied + 7
  package static let taps = fired + 7
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
  package static let checksum = firedByTaps + 1

  /// The fields in the order of the specification.
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

  package private(set) var values = [UInt64](repeating: 0, count: checksum + 1)

  /// The counts of the current person.
  private var ofPerson = (number: UInt64(0), fired: UInt64(0), tapped: UInt64(0))

  package init() {}

  package static func == (a: Self, b: Self) -> Bool { a.values == b.values }

  package func hash(into hasher: inout Hasher) { hasher.combine(values) }

  package static func += (total: inout Self, part: Self) {
    for index in total.values.indices { total.values[index] &+= part.values[index] }
  }

  /// The counters as one line of JSON, byte-identical to the output of the specification's program.
  package var json: String {
    let members = Self.fields.map { field in
      guard let count = field.count else { return "\"\(field.name)\":\(values[field.start])" }
      let list = values[field.start..<field.start + count].map(String.init).joined(separator: ",")
      return "\"\(field.name)\":[\(list)]"
    }
    return "{" + members.joined(separator: ",") + "}\n"
  }

  /// The counters with the given name, or `nil` if the name is unknown.
  package subscript(name: String) -> [UInt64]? {
    Self.fields.first { $0.name == name }.map { Array(values[$0.start..<$0.start + ($0.count ?? 1)]) }
  }
}

extension PopulationCounts: WorkloadRecorder {
  mutating func begin(_ person: borrowing WorkloadPerson) {
    ofPerson = (person.number, 0, 0)
  }

  mutating func deny(_ candidate: Candidate, _ reason: Reason) {
    values[Self.denied + Self.index(of: reason)] &+= 1
  }

  mutating func show(_ candidate: Candidate, _ response: WorkloadPerson.Response) {
    let type = Int(candidate.type)
    values[Self.fired + type] &+= 1
    values[Self.hoursFired + response.hour] &+= 1
    ofPerson.fired &+= 1
    if let latency = response.latency {
      values[Self.taps + type] &+= 1
      values[Self.hoursTapped + response.hour] &+= 1
      values[Self.latencySum] &+= latency
      values[Self.latencies + 63 - latency.leadingZeroBitCount] &+= 1
      ofPerson.tapped &+= 1
    } else if response.optsOut {
      values[Self.optOuts] &+= 1
    }
    let time = UInt64(truncatingIfNeeded: candidate.seconds) << 4
    let what = ofPerson.number << 32 ^ time ^ UInt64(type) << 1 ^ (response.latency == nil ? 0 : 1)
    values[Self.checksum] &+= RandomKey.mix64(what)
  }

  mutating func end(_ person: borrowing WorkloadPerson, candidates: Int) {
    let (_, fired, tapped) = ofPerson
    values[Self.events] &+= person.eventCount
    values[Self.candidates] &+= UInt64(candidates)
    values[Self.people] &+= 1
    if fired > 0 { values[Self.peopleReached] &+= 1 }
    values[Self.firedSquared] &+= fired &* fired
    values[Self.tapsSquared] &+= tapped &* tapped
    values[Self.firedByTaps] &+= fired &* tapped
  }

  /// Returns the index of a reason among the denial counters.
  @inline(__always)
  private static func index(of reason: Reason) -> Int {
    switch reason {
    case .permission: 0
    case .quietHours: 1
    case .lifetimeCap: 2
    case .typeDailyCap: 3
    case .dailyCap: 4
    case .minimumInterval: 5
    case .criticalDailyCap: 6
    default: preconditionFailure("the workload's policy makes no such check: \(reason)")
    }
  }
}
