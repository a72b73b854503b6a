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

  /// The process whose folder it is; nil: it is none of ours, whatever else it begins like.
  private static func owner(of name: String) -> Int32? {
    guard name.hasPrefix(prefix) else { return nil }
    let parts = name.dropFirst(prefix.count).split(separator: "-", maxSplits: 1)
    guard parts.count == 2, let process = Int32(parts[0]), process > 0,
      UUID(uuidString: String(parts[1])) != nil
    else { return nil }
    return process
  }

  /// Removes the folders of processes that are no more.
  package static func removeLeftovers(in place: URL) {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? [] {
      guard let process = owner(of: name), kill(process, 0) != 0, errno == ESRCH else { continue }
      try? FileManager.default.removeItem(at: place.appendingPathComponent(name))
    }
  }
}
