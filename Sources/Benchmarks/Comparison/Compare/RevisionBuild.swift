package import Foundation

/// Builds a git revision of this package in a folder of its own.
package enum RevisionBuild {
  /// How long a build may take.
  private static let timeout = Duration.seconds(3_600)

  /// Builds the revision for release, with the versions of dependencies that `package` uses now.
  ///
  /// - Parameters:
  ///   - revision: What git understands: a branch, a tag, a commit.
  ///   - package: A folder within the package.
  ///   - folder: Where sources and build go; the caller removes it.
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
