import Foundation
import Recordings
import TriggerModel

/// How fast recordings are read, beside the obvious way of reading the same bytes in the same run.
package enum ReadersBench {
  /// One reader on one kind of input.
  package struct Row: Hashable, Sendable {
    /// Such as `ndjson` or `ndjson JSONDecoder`.
    package var mode: String
    /// Size of the input.
    package var bytes: Int
    /// Fixes that were read.
    package var fixes: Int
    /// Over instants and coordinates; equal for all readers of one input. nil where the reader only
    /// looks at the elements.
    package var hash: UInt64?
    /// Of each repetition.
    package var samples: [Double]
    /// Median over the repetitions.
    package var seconds: Double { samples.median }
    /// Requests for memory in the last repetition; nil where they cannot be counted.
    package var allocations: Int?
    /// The row that stands for the obvious way; nil if this is one.
    package var baseline: String?

    /// 10^6 bytes a second.
    package var megabytesPerSecond: Double { Double(bytes) / seconds / 1e6 }
  }

  /// What one reading found.
  struct Outcome: Equatable {
    var fixes: Int
    var hash: UInt64?
  }

  private struct Contestant {
    var mode: String
    var baseline: String?
    var input: Data
    var run: (Data) throws -> Outcome
  }

  /// Times every reader `repetitions` times in turn, on a walk of `fixes` fixes; `alone` without the
  /// obvious way.
  ///
  /// - Throws: An error when two readers of one input do not find the same.
  package static func rows(
    fixes: Int, repetitions: Int, alone: Bool = false, clock: some Clock<Duration>
  ) throws -> [Row] {
    precondition(fixes > 0 && repetitions > 0)
    let contestants = contestants(fixes: fixes).filter { !alone || $0.baseline != nil }
    // What a process asks for once, when it first reads such a file, is not counted.
    for contestant in Self.contestants(fixes: 1) { _ = try contestant.run(contestant.input) }
    var allocations = contestants.map { _ in Int?.none }
    var seconds = contestants.map { _ in [Double]() }
    var outcomes = contestants.map { _ in Outcome(fixes: 0, hash: nil) }
    for _ in 0..<repetitions {
      for (index, contestant) in contestants.enumerated() {
        let elapsed = try clock.measure {
          allocations[index] = try Allocations.count {
            outcomes[index] = try contestant.run(contestant.input)
          }
        }
        seconds[index].append(elapsed / .seconds(1))
      }
    }
    for (contestant, outcome) in zip(contestants, outcomes) {
      let base = contestants.firstIndex { $0.mode == contestant.baseline }.map { outcomes[$0] }
      guard outcome.fixes == fixes, base?.hash == nil || base?.hash == outcome.hash else {
        throw Disagreement(mode: contestant.mode)
      }
    }
    return contestants.indices.map { index in
      Row(
        mode: contestants[index].mode, bytes: contestants[index].input.count, fixes: outcomes[index].fixes,
        hash: outcomes[index].hash, samples: seconds[index],
        allocations: allocations[index], baseline: contestants[index].baseline)
    }
  }

  /// A reader found something else than the obvious way does.
  package struct Disagreement: Error, Hashable, Sendable, CustomStringConvertible {
    package var mode: String
    package var description: String { "\(mode) does not find what its baseline finds" }
  }

  private static func contestants(fixes: Int) -> [Contestant] {
    let lines = Data(ReadersWorkload.ndjson(fixes: fixes).utf8)
    let gpx = Data(ReadersWorkload.gpx(fixes: fixes).utf8)
    return [
      Contestant(mode: "ndjson", baseline: "ndjson JSONDecoder", input: lines) { data in
        let stream = try EventStreamReader.readFixes(data, file: "benchmark")
        return Outcome(fixes: stream.trace.fixes.count, hash: digest(stream.trace.fixes))
      },
      Contestant(mode: "ndjson JSONDecoder", baseline: nil, input: lines, run: ObviousReaders.decodeLines),
      Contestant(mode: "gpx", baseline: "gpx XMLParser", input: gpx) { data in
        let recording = try GPXReader.read(data, file: "benchmark")
        return Outcome(fixes: recording.trace.fixes.count, hash: digest(recording.trace.fixes))
      },
      Contestant(mode: "gpx XMLParser", baseline: nil, input: gpx, run: ObviousReaders.countTrackPoints),
    ]
  }

  /// Of the words of each fix.
  static func digest(_ fixes: [Fix]) -> UInt64 {
    var digest = WordDigest()
    for fix in fixes {
      for word in [
        UInt64(bitPattern: fix.instant.millisecondsSince1970), fix.coordinate.latitude.bitPattern,
        fix.coordinate.longitude.bitPattern, fix.accuracy.bitPattern,
      ] {
        digest.add(word)
      }
    }
    return digest.value
  }
}
