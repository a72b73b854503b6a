public import Foundation
public import Testing

/// The folder of reference answers and recordings, which stays outside the repository.
///
/// `TRIGGERBENCH_SHARED` names it; otherwise it is `../shared` beside the package, when that exists.
public enum Shared {
  public static let folder: URL? = {
    if let path = ProcessInfo.processInfo.environment["TRIGGERBENCH_SHARED"] {
      return URL(fileURLWithPath: path, isDirectory: true)
    }
    let beside = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("shared", isDirectory: true)
    return FileManager.default.fileExists(atPath: beside.path) ? beside : nil
  }()

  /// True where the folder is there; with `.enabled(if: Shared.isAvailable, Shared.skipReason)` a test says why it is skipped.
  public static let isAvailable = folder != nil
  public static let skipReason: Comment = "needs ../shared or TRIGGERBENCH_SHARED"

  /// Where the package keeps a small part of the folder, under the same names: whole files, and every so many lines of
  /// long ones. `SampleTests` compares them.
  public static let samples = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent(
      "Samples", isDirectory: true)

  /// The contents of a file below the folder, or what the package has of it.
  public static func wholeOrSample(_ path: String) throws -> Data {
    try Data(contentsOf: (folder ?? samples).appendingPathComponent(path))
  }

  /// The contents of a file below the folder.
  public static func data(_ path: String) throws -> Data {
    guard let folder else { throw CocoaError(.fileNoSuchFile) }
    return try Data(contentsOf: folder.appendingPathComponent(path))
  }
}
