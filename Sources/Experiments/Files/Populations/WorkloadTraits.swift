import PersonModel
import TextFormats

/// What a workload takes for granted of its people, as far as experiments can change it: in millionths.
struct WorkloadTraits: Hashable, Sendable {
  var baseRates: Int64 = 1_000_000
  var eagernessSpread: Int64 = 1_000_000
  var eveningFactor: Int64 = 1_250_000
  var tiring: Int64 = 125_000
  var optOuts: Int64 = 1_000_000
  var permission: Int64 = 650_000

  /// The workload with these; itself with the standard ones.
  func applied(to workload: PopulationWorkload) -> PopulationWorkload {
    var workload = workload
    workload.taps.base = workload.taps.base.map { UInt32(Self.share(baseRates, of: Int64($0))) }
    let mean = workload.eagerness.reduce(0, +) / UInt32(workload.eagerness.count)
    workload.eagerness = workload.eagerness.map {
      UInt32(max(0, Int64(mean) + Self.share(eagernessSpread, of: Int64($0) - Int64(mean))))
    }
    workload.taps.eveningFactor = UInt32(Self.share(eveningFactor, of: 256))
    workload.taps.tiring = UInt32(Self.share(tiring, of: 256))
    workload.taps.optOuts = UInt64(Self.share(optOuts, of: Int64(workload.taps.optOuts)))
    workload.permissionPercent = UInt64(Self.share(permission, of: 100))
    return workload
  }

  /// Rounded to the nearest.
  private static func share(_ millionths: Int64, of number: Int64) -> Int64 {
    let product = millionths * number
    return (product + (product < 0 ? -500_000 : 500_000)) / 1_000_000
  }
}

extension WorkloadTraits {
  /// A trait, and what else it might be.
  private struct Row: Sendable {
    var name: String
    var meaning: String
    var place: @Sendable () -> WritableKeyPath<WorkloadTraits, Int64>
    /// The values that make sense.
    var limits: ClosedRange<Int64>
    /// Those that a sweep tries.
    var range: ClosedRange<Int64>
    var evidence: TapConstant.Evidence
    var source: String
  }

  private static let rows = [
    Row(
      name: "baseRates", meaning: "how many notifications are tapped, beside what POPCAP-1 says",
      place: { \.baseRates }, limits: 0...2_000_000, range: 560_000...1_390_000, evidence: .instrumented,
      source: "Batch 2025: 14.4 % contextual; tap-v1 sweeps 8 to 20 %"),
    Row(
      name: "eagernessSpread", meaning: "how much people differ in tapping, beside what POPCAP-1 says",
      place: { \.eagernessSpread }, limits: 0...1_870_000, range: 0...1_500_000, evidence: .assumed,
      source: "tap-v1: 0.8, 0 to 1.2 (logit)"),
    Row(
      name: "eveningFactor", meaning: "taps from 17:00 to 21:00 beside other hours",
      place: { \.eveningFactor }, limits: 0...4_000_000, range: 750_000...1_500_000, evidence: .assumed,
      source: "more in the evening: Stach 2024, Leanplum; less: Jana 2015"),
    Row(
      name: "tiring", meaning: "what each notification of the day before takes off the next one's taps",
      place: { \.tiring }, limits: 0...330_000, range: 0...300_000, evidence: .assumed,
      source: "the sign: Wohllebe 2021, Saikia 2017; no harm: Morrison 2017"),
    Row(
      name: "optOuts", meaning: "how readily people turn notifications off, beside what POPCAP-1 says",
      place: { \.optOuts }, limits: 0...100_000_000, range: 200_000...4_000_000, evidence: .assumed,
      source: "tap-v1: 5 % a week above the tolerance, 1 to 20 %"),
    Row(
      name: "permission", meaning: "people who allow notifications at first", place: { \.permission },
      limits: 0...1_000_000, range: 430_000...850_000, evidence: .instrumented,
      source: "Batch 2025; Urban Airship 2015"),
  ]

  static var assumptions: [Assumption] {
    rows.map { row in
      Assumption(
        row.name, row.meaning, standard: WorkloadTraits()[keyPath: row.place()], range: row.range,
        evidence: row.evidence, source: row.source)
    }
  }

  fileprivate static func read(_ fields: Fields<WorkloadTraits>) -> WorkloadTraits {
    var traits = WorkloadTraits()
    for row in rows {
      let place = row.place()
      let value = fields.optional(
        row.name, .scalar(.share(row.limits)), row.meaning, from: { $0[keyPath: place] })
      if let value { traits[keyPath: place] = value }
    }
    return traits
  }
}

extension Format<WorkloadTraits> {
  /// What is assumed of people; what is missing keeps its default.
  static var traits: Format {
    .object("What is assumed of people; what is missing keeps its default") { WorkloadTraits.read($0) }
  }
}
