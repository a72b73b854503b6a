import Foundation

/// The instruction counts of one round of a suite, measured by cachegrind. They differ by only a few
/// millionths between runs.
package struct Instructions: Hashable, Sendable {
  package var a: Int
  package var b: Int

  /// The tolerated increase in instructions in per cent. A greater increase is a regression.
  package static let limit = 0.5

  package var percent: Double { (Double(b) / Double(max(a, 1)) - 1) * 100 }

  package var verdict: Verdict {
    percent > Self.limit ? .regression : percent < -Self.limit ? .improvement : .noChange
  }

  /// Counts the instructions of both builds.
  ///
  /// Returns `nil` if valgrind or strip is not installed, or for the suite `regions`, which has no rounds.
  static func count(
    _ suite: BenchSuite, _ options: BenchOptions, a: BenchProgram, b: BenchProgram, in folder: URL
  ) throws -> Instructions? {
    guard suite != .regions, let valgrind = ChildProcess.find("valgrind"),
      let strip = ChildProcess.find("strip")
    else { return nil }
    let cachegrind = Cachegrind(valgrind: valgrind, strip: strip, folder: folder)
    return Instructions(
      a: try cachegrind.instructionsOfARound(a, suite, options),
      b: try cachegrind.instructionsOfARound(b, suite, options))
  }
}

private struct Cachegrind {
  let valgrind: URL
  let strip: URL
  let folder: URL

  /// Returns the instruction count of one round: the difference between a run with two rounds and a run with
  /// one.
  ///
  /// Both runs start the program and create the workload, so the difference excludes this work.
  func instructionsOfARound(
    _ program: BenchProgram, _ suite: BenchSuite, _ options: BenchOptions
  ) throws -> Int {
    // Valgrind 3.19 fails on the debugging information of Swift, so the executable is stripped.
    let stripped = folder.appendingPathComponent("s")
    try? FileManager.default.removeItem(at: stripped)
    let copy = try program.copied(to: stripped)
    try ChildProcess.output(of: strip, [stripped.path], timeout: program.timeout)
    let counts = try [1, 2].map { rounds in
      var options = options
      options.rounds = rounds
      return try instructions(stripped, suite.arguments(options), copy.timeout)
    }
    return counts[1] - counts[0]
  }

  private func instructions(_ program: URL, _ arguments: [String], _ timeout: Duration) throws -> Int {
    let log = folder.appendingPathComponent("cachegrind.log")
    try ChildProcess.output(
      of: valgrind,
      [
        "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null", "--log-file=\(log.path)",
        program.path,
      ] + arguments,
      // Without this variable, the order of dictionaries, and therefore the amount of work, would differ
      // between runs.
      environment: ["SWIFT_DETERMINISTIC_HASHING": "1"], timeout: timeout * 10)
    let text = String(decoding: try Data(contentsOf: log), as: UTF8.self)
    // The line with the count, for example `==7== I   refs:      282,292,518`.
    let line = text.split(separator: "\n").first { $0.contains(" refs: ") }
    guard let digits = line?.split(separator: ":").last?.filter(\.isNumber), let count = Int(digits) else {
      throw BenchError("the output of cachegrind contains no number of instructions")
    }
    return count
  }
}
