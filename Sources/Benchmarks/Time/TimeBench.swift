import CivilTime
import Recordings
import TriggerModel

/// The time suite: measures the civil-time operations that a fix, an event and a daily reminder require.
///
/// The baseline of each operation is a few lines of handwritten code.
enum TimeBench {
  /// The operation to perform for each instant.
  enum Mode: String, CaseIterable {
    /// Parses an ISO 8601 string.
    case iso8601
    /// Returns the minute of the local day.
    case minute
    /// Returns the next instant at 09:00 local time, with a cursor that is fast for nearby instants.
    case next
    /// Returns the next instant at 09:00 local time, without a cursor.
    case nextAlone = "next-alone"
  }

  /// 2026-01-01T00:00:00Z
  private static let start = Instant(millisecondsSince1970: 1_767_225_600_000)
  /// The distance between instants. It is a little more than seven hours, so that every time of day occurs.
  private static let step = TimeSpan(milliseconds: 26_001_000)
  /// The number of instants. They span about eight years.
  private static let count = 10_000

  /// Runs the suite for the command line. Its size is the number of instants.
  static func report(_ options: BenchOptions) throws -> BenchReport {
    let modes = options.modes(of: Mode.self)
    let workload = try Workload(Self.count)
    return BenchReport(
      suite: BenchSuite.time.rawValue, sizeName: BenchSuite.time.sizeName,
      rows: try modes.map { try row($0, workload, options) },
      notes: [
        "an event is an instant, seven hours after the previous one; the zone is America/New_York",
        "baseline: a few handwritten lines for one zone and one format, which show the speed limit",
      ])
  }

  private static func row(_ mode: Mode, _ workload: Workload, _ options: BenchOptions) throws -> BenchRow {
    let turns = max(1, (options.events ?? 100_000) / Self.count)
    let events = turns * Self.count
    var (samples, limit): ([Double], [Double]) = ([], [])
    var hash: UInt64 = 0
    var allocations: Int?
    for _ in 0..<options.rounds {
      var (sum, other): (Int64, Int64) = (0, 0)
      let elapsed = Stopwatch.nanoseconds(per: events) {
        allocations = Allocations.count { for _ in 0..<turns { sum &+= workload.sum(mode) } }
      }
      samples.append(elapsed)
      hash = UInt64(bitPattern: sum)
      if options.alone { continue }
      limit.append(
        Stopwatch.nanoseconds(per: events) { for _ in 0..<turns { other &+= workload.handwrittenSum(mode) } })
      guard sum == other else { throw BenchError("time: \(mode.rawValue) and the handwritten lines differ") }
    }
    var row = BenchRow(mode: mode.rawValue, size: Self.count, events: events, samples: samples)
    row.hash = hash
    if let allocations { row.counts = [("allocations", allocations)] }
    if !limit.isEmpty { row.baseline = Baseline(name: "by hand", samples: limit, events: events) }
    return row
  }

  /// The instants, with their texts in one array.
  private struct Workload {
    private let zone: Zone
    private let nine: Recurrence
    private let instants: [Instant]
    private var texts: [UInt8] = []
    private var ends: [Int] = []
    private let offsets: HandwrittenTime.Offsets

    init(_ count: Int) throws {
      zone = try Zone(identifier: "America/New_York")
      nine = Recurrence(start: CivilDate(year: 2020, month: 1, day: 1), minute: 540, frequency: .daily)
      instants = (0..<count).map { start + TimeSpan(milliseconds: step.milliseconds * Int64($0)) }
      offsets = HandwrittenTime.Offsets(zone, in: start..<instants[count - 1] + .days(2))
      for (index, instant) in instants.enumerated() {
        let text =
          switch index % 3 {
          case 0: instant.iso8601
          case 1: (instant + TimeSpan(milliseconds: 250)).iso8601
          default: instant.iso8601(in: zone)
          }
        texts += text.utf8
        ends.append(texts.count)
      }
    }

    /// Returns the sum of all results.
    func sum(_ mode: Mode) -> Int64 {
      var cursor = ZoneCursor(zone)
      var occurrences = RecurrenceCursor(nine, in: zone)
      switch mode {
      case .iso8601: return sumOfTexts { Timestamp($0)?.instant.millisecondsSince1970 ?? 0 }
      case .minute: return sum { Int64(cursor.local(at: $0).minuteOfDay) }
      case .next: return sum { occurrences.next(atOrAfter: $0)?.millisecondsSince1970 ?? 0 }
      case .nextAlone: return sum { nine.next(atOrAfter: $0, in: zone)?.millisecondsSince1970 ?? 0 }
      }
    }

    func handwrittenSum(_ mode: Mode) -> Int64 {
      var offsets = offsets
      switch mode {
      case .iso8601: return sumOfTexts { HandwrittenTime.instant($0) ?? 0 }
      case .minute: return sum { offsets.minute(at: $0.millisecondsSince1970) }
      case .next, .nextAlone: return sum { offsets.next(minute: 540, atOrAfter: $0.millisecondsSince1970) }
      }
    }

    @inline(__always)
    private func sum(_ answer: (Instant) -> Int64) -> Int64 {
      instants.reduce(0) { $0 &+ answer($1) }
    }

    @inline(__always)
    private func sumOfTexts(_ answer: (UnsafeBufferPointer<UInt8>) -> Int64) -> Int64 {
      texts.withUnsafeBufferPointer { texts in
        var (sum, start): (Int64, Int) = (0, 0)
        for end in ends {
          sum &+= answer(UnsafeBufferPointer(rebasing: texts[start..<end]))
          start = end
        }
        return sum
      }
    }
  }
}
