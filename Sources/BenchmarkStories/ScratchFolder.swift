package import Foundation

/// A folder that a benchmark works in, which is gone after its use.
///
/// A tool that is killed cannot remove its own; the next one that needs such a folder does, as the name says whose it
/// was.
package enum ScratchFolder {
  private static let prefix = "triggerbench-"

  /// - Throws: What the body throws, or why no folder could be made among the system's temporary ones.
  package static func with<Result>(_ body: (URL) throws -> Result) throws -> Result {
    let place = FileManager.default.temporaryDirectory
    removeLeftovers(in: place)
    let folder = place.appendingPathComponent("\(prefix)\(getpid())-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder)
  }

  /// Removes the folders of processes that are no more.
  package static func removeLeftovers(in place: URL) {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? [] {
      guard name.hasPrefix(prefix), let process = Int32(name.dropFirst(prefix.count).prefix { $0 != "-" }),
        process > 0, kill(process, 0) != 0, errno == ESRCH
      else { continue }
      try? FileManager.default.removeItem(at: place.appendingPathComponent(name))
    }
  }
}
