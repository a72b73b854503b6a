package import Experiments
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

extension WorkloadPopulation {
  private static let batch = "Batch 2025: 14.4 % contextual; tap-v1 sweeps 8 to 20 %"

  package var assumptions: [Assumption] {
    [
      Assumption(
        "baseRates", "how many notifications are tapped, beside what POPCAP-1 says", standard: 1_000_000,
        range: 560_000...1_390_000, evidence: .instrumented, source: Self.batch),
      Assumption(
        "eagernessSpread", "how much people differ in tapping, beside what POPCAP-1 says",
        standard: 1_000_000, range: 0...1_500_000, evidence: .assumed, source: "tap-v1: 0.8, 0 to 1.2 (logit)"
      ),
      Assumption(
        "eveningFactor", "taps from 17:00 to 21:00 beside other hours", standard: 1_250_000,
        range: 750_000...1_500_000, evidence: .assumed,
        source: "more in the evening: Stach 2024, Leanplum; less: Jana 2015"),
      Assumption(
        "tiring", "what each notification of the day before takes off the next one's taps", standard: 125_000,
        range: 0...300_000, evidence: .assumed,
        source: "the sign: Wohllebe 2021, Saikia 2017; no harm: Morrison 2017"),
      Assumption(
        "optOuts", "how readily people turn notifications off, beside what POPCAP-1 says",
        standard: 1_000_000, range: 200_000...4_000_000, evidence: .assumed,
        source: "tap-v1: 5 % a week above the tolerance, 1 to 20 %"),
      Assumption(
        "permission", "people who allow notifications at first", standard: 650_000,
        range: 430_000...850_000, evidence: .instrumented, source: "Batch 2025; Urban Airship 2015"),
    ]
  }
}

extension Format<WorkloadTraits> {
  /// What is assumed of people; what is missing keeps its default.
  static var traits: Format {
    .object("What is assumed of people; what is missing keeps its default") { fields in
      var traits = WorkloadTraits()
      let places: [(String, WritableKeyPath<WorkloadTraits, Int64>, ClosedRange<Int64>)] = [
        ("baseRates", \.baseRates, 0...2_000_000), ("eagernessSpread", \.eagernessSpread, 0...1_870_000),
        ("eveningFactor", \.eveningFactor, 0...4_000_000), ("tiring", \.tiring, 0...330_000),
        ("optOuts", \.optOuts, 0...100_000_000), ("permission", \.permission, 0...1_000_000),
      ]
      for (key, place, range) in places {
        let meaning = WorkloadPopulation.popcap1.assumptions.first { $0.name == key }?.meaning ?? key
        if let value = fields.optional(key, .share(range), meaning, from: { $0[keyPath: place] }) {
          traits[keyPath: place] = value
        }
      }
      return traits
    }
  }
}

extension Format<Int64> {
  /// A percentage in a range, in millionths.
  fileprivate static func share(_ range: ClosedRange<Int64>) -> Format {
    .scalar(
      Atom<Int64>.ratio.checked { value, word, reader in
        if range.contains(value) { return value }
        let ends = [range.lowerBound, range.upperBound].map { "\(Decimal.text($0, decimals: 4)) %" }
        reader.error(
          "\(word.text) is out of range", at: word.position, hint: "it is from \(ends[0]) to \(ends[1])")
        return nil
      })
  }
}
