import CivilTime
import Recordings
import TriggerModel

/// Reading and reckoning time: what a fix, an event and a daily reminder cost each time, beside a few lines by hand.
enum TimeBench {
  /// What is asked of each instant.
  enum Mode: String, CaseIterable {
    /// The instant of an ISO 8601 text.
    case iso8601
    /// The minute of the day on the wall.
    case minute
    /// When the wall next shows 09:00, for instants near each other.
    case next
    /// The same, without anything remembered.
    case nextAlone = "next-alone"
  }

  /// 2026-01-01T00:00:00Z
  private static let start = Instant(millisecondsSince1970: 1_767_225_600_000)
  /// Seven hours and some minutes, so that all times of the day come up.
  private static let step = TimeSpan(milliseconds: 26_001_000)
  /// Of about eight years.
  private static let count = 10_000

  /// The suite as the command line runs it: sizes are the instants that are asked about in turn.
  static func report(_ options: BenchOptions) throws -> BenchReport {
    let modes = options.modes(of: Mode.self)
    let workload = try Workload(Self.count)
    return BenchReport(
      suite: BenchSuite.time.rawValue, sizeName: BenchSuite.time.sizeName,
      rows: try modes.map { try row($0, workload, options) },
      notes: [
        "an event is an instant, seven hours after the one before; the zone is America/New_York",
        "the other way is a few lines by hand that know one zone and one form: the limit, not the obvious way",
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
        allocations = Allocations.count { for _ in 0..<turns { sum &+= workload.ask(mode) } }
      }
      samples.append(elapsed)
      hash = UInt64(bitPattern: sum)
      if options.alone { continue }
      limit.append(
        Stopwatch.nanoseconds(per: events) { for _ in 0..<turns { other &+= workload.askByHand(mode) } })
      guard sum == other else { throw BenchError("time: \(mode.rawValue) is not what the lines by hand say") }
    }
    var row = BenchRow(mode: mode.rawValue, size: Self.count, events: events, samples: samples)
    row.hash = hash
    if let allocations { row.counts = [("allocations", allocations)] }
    if !limit.isEmpty { row.baseline = Baseline(name: "by hand", samples: limit, events: events) }
    return row
  }

  /// The instants, and their texts one behind the other.
  private struct Workload {
    private let zone: Zone
    private let nine: Recurrence
    private let instants: [Instant]
    private var texts: [UInt8] = []
    private var ends: [Int] = []
    private let offsets: HandMadeTime.Offsets

    init(_ count: Int) throws {
      zone = try Zone(identifier: "America/New_York")
      nine = Recurrence(start: CivilDate(year: 2020, month: 1, day: 1), minute: 540, frequency: .daily)
      instants = (0..<count).map { start + TimeSpan(milliseconds: step.milliseconds * Int64($0)) }
      offsets = HandMadeTime.Offsets(zone, in: start..<instants[count - 1] + .days(2))
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

    /// The sum of all answers.
    func ask(_ mode: Mode) -> Int64 {
      var cursor = ZoneCursor(zone)
      var occurrences = RecurrenceCursor(nine, in: zone)
      switch mode {
      case .iso8601: return sumOfTexts { Timestamp($0)?.instant.millisecondsSince1970 ?? 0 }
      case .minute: return sum { Int64(cursor.local(at: $0).minuteOfDay) }
      case .next: return sum { occurrences.next(atOrAfter: $0)?.millisecondsSince1970 ?? 0 }
      case .nextAlone: return sum { nine.next(atOrAfter: $0, in: zone)?.millisecondsSince1970 ?? 0 }
      }
    }

    func askByHand(_ mode: Mode) -> Int64 {
      var offsets = offsets
      switch mode {
      case .iso8601: return sumOfTexts { HandMadeTime.instant($0) ?? 0 }
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
