extension BenchReport {
  /// `{"suite":…,"rows":[{"mode":…,"reminders":n,"events":n,"fires":n,"hash":…,"nsPerEvent":x,…}]}`; what a
  /// suite does not measure is left out. Keys are sorted.
  package var json: String {
    let rows = rows.map { "    " + Self.object(members($0)) }.joined(separator: ",\n")
    let notes = notes.map(Self.text).joined(separator: ", ")
    return """
      {
        "notes": [\(notes)],
        "rows": [
      \(rows)
        ],
        "suite": \(Self.text(suite))
      }

      """
  }

  private func members(_ row: BenchRow) -> [(String, String)] {
    var members = [
      ("mode", Self.text(row.mode)), (sizeName, String(row.size)), ("events", String(row.events)),
      ("nsPerEvent", Self.number(row.nsPerEvent)), ("eventsPerSecond", Self.number(row.eventsPerSecond)),
      ("samples", "[" + row.samples.map(Self.number).joined(separator: ",") + "]"),
    ]
    if let fires = row.fires { members.append(("fires", String(fires))) }
    if let hash = row.hash { members.append(("hash", Self.text(hexadecimal(hash)))) }
    if let baseline = row.baseline {
      members.append(("baseline", Self.text(baseline.name)))
      members.append(("baselineEvents", String(baseline.events)))
      members.append(("baselineNsPerEvent", Self.number(baseline.samples.median)))
      if let contestant = baseline.contestant {
        members.append(("nsPerBaselineEvent", Self.number(contestant.median)))
      }
    }
    if let ratio = row.ratio { members.append(("ratio", Self.number(ratio))) }
    if let latency = row.latency {
      members += [
        ("p50", String(latency.p50)), ("p90", String(latency.p90)), ("p99", String(latency.p99)),
        ("p99.9", String(latency.p999)), ("max", String(latency.max)),
        ("clockNanoseconds", String(latency.clock)),
      ]
    }
    if let bytes = row.bytesPerItem { members.append(("bytesPerItem", Self.number(bytes))) }
    if let count = row.allocationsPerEvent { members.append(("allocationsPerEvent", Self.number(count))) }
    if let growth = row.growthExponent { members.append(("growthExponent", Self.number(growth))) }
    if !row.counters.isEmpty {
      members.append(("counters", Self.object(row.counters.map { ($0.name, Self.number($0.value)) })))
    }
    if !row.counts.isEmpty {
      members.append(("counts", Self.object(row.counts.map { ($0.name, String($0.value)) })))
    }
    return members
  }

  private static func object(_ members: [(String, String)]) -> String {
    let sorted = members.sorted { $0.0 < $1.0 }
    return "{" + sorted.map { "\(text($0.0)): \($0.1)" }.joined(separator: ", ") + "}"
  }

  /// Three decimals, which are more than a clock is worth; whole numbers without any.
  private static func number(_ value: Double) -> String {
    guard value.isFinite, value.magnitude < 1e15 else { return "null" }
    let rounded = (value * 1_000).rounded() / 1_000
    return rounded == rounded.rounded() ? String(Int64(rounded)) : String(rounded)
  }

  /// Names and notes are ASCII without control characters.
  private static func text(_ text: String) -> String {
    "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\\\"") + "\""
  }
}
