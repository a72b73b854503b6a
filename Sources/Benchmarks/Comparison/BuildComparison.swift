package import Foundation

/// A comparison of two `triggerbench` executables on one suite.
package struct BuildComparison {
  package var suite: BenchSuite
  package var options: BenchOptions
  package var plan = SequentialComparison()
  /// Whether to count instructions with cachegrind, if valgrind is installed.
  package var countsInstructions = true

  package init(suite: BenchSuite, options: BenchOptions) {
    self.suite = suite
    self.options = options
  }

  /// Runs the two executables as child processes, one at a time.
  ///
  /// - Parameters:
  ///   - a: The older executable.
  ///   - b: The newer executable.
  ///   - replayed: The percentage of events that B plays twice. See ``Benchmarks/BenchOptions/replayed``.
  package func run(a: URL, b: URL, replayed: Double = 0) throws -> ComparisonReport {
    try ScratchFolder.with { folder in
      var slower = options
      slower.replayed = replayed
      let first = try BenchProgram(name: a.path, executable: a, arguments: suite.arguments(options))
        .copied(to: folder.appendingPathComponent("a"))
      let second = try BenchProgram(name: b.path, executable: b, arguments: suite.arguments(slower))
        .copied(to: folder.appendingPathComponent("b"))
      let clock = ContinuousClock()
      let start = clock.now
      let rows = try plan.run(elapsed: { clock.now - start }) { arm in
        try arm == .a ? first.measure() : second.measure()
      }
      let instructions =
        countsInstructions
        ? try Instructions.count(suite, options, a: first, b: second, in: folder) : nil
      return ComparisonReport(
        suite: suite.rawValue, sizeName: suite.sizeName, a: first.name, b: second.name,
        precision: plan.precision, rows: rows, instructions: instructions)
    }
  }
}

/// Builds a git revision of this package in a separate folder.
package enum RevisionBuild {
  /// The maximum duration of a build.
  private static let timeout = Duration.seconds(3_600)

  /// Builds a release executable of a revision, with the versions of dependencies that the package uses now.
  ///
  /// - Parameters:
  ///   - revision: A git revision, for example a branch, a tag or a commit.
  ///   - package: A folder within the package.
  ///   - folder: The folder for sources and build products, which the caller removes.
  /// - Returns: The executable.
  package static func executable(of revision: String, package: URL, in folder: URL) throws -> URL {
    guard let git = ChildProcess.find("git"), let swift = ChildProcess.find("swift"),
      let tar = ChildProcess.find("tar")
    else { throw BenchError("git, swift and tar are needed to build a revision") }
    let sources = folder.appendingPathComponent("sources", isDirectory: true)
    try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: true)
    let top = try ChildProcess.output(
      of: git, ["-C", package.path, "rev-parse", "--show-toplevel"], timeout: .seconds(60))
    let root = URL(
      fileURLWithPath: String(decoding: top, as: UTF8.self).trimmingCharacters(in: .newlines),
      isDirectory: true)
    let archive = folder.appendingPathComponent("sources.tar")
    try ChildProcess.output(
      of: git, ["-C", root.path, "archive", "--format=tar", "--output=\(archive.path)", revision, "--"],
      timeout: .seconds(60))
    try ChildProcess.output(of: tar, ["-xf", archive.path, "-C", sources.path], timeout: .seconds(60))
    let resolved = root.appendingPathComponent("Package.resolved")
    if FileManager.default.fileExists(atPath: resolved.path) {
      let place = sources.appendingPathComponent("Package.resolved")
      try? FileManager.default.removeItem(at: place)
      try FileManager.default.copyItem(at: resolved, to: place)
    }
    let build = folder.appendingPathComponent("build")
    try ChildProcess.output(
      of: swift,
      [
        "build", "-c", "release", "--product", "triggerbench", "--package-path", sources.path,
        "--scratch-path", build.path,
      ], timeout: timeout)
    return build.appendingPathComponent("release/triggerbench")
  }
}
