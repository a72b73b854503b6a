public import Foundation
public import Testing

/// The folder of reference answers and recordings outside the repository.
///
/// `TRIGGERBENCH_SHARED` names it; otherwise it is `../shared` next to the package, if that exists.
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

  /// Whether the folder exists. `.enabled(if: Shared.isAvailable, Shared.skipReason)` states why a test is
  /// skipped.
  public static let isAvailable = folder != nil
  public static let skipReason: Comment = "needs ../shared or TRIGGERBENCH_SHARED"

  /// The folder of samples in the package, with the same names: whole files, and some lines of long ones.
  /// `SampleTests` compares them with the originals.
  public static let samples = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent(
      "Samples", isDirectory: true)

  /// The contents of a file of the folder, or of its sample.
  public static func wholeOrSample(_ path: String) throws -> Data {
    try Data(contentsOf: (folder ?? samples).appendingPathComponent(path))
  }

  /// The contents of a file of the folder.
  public static func data(_ path: String) throws -> Data {
    guard let folder else { throw CocoaError(.fileNoSuchFile) }
    return try Data(contentsOf: folder.appendingPathComponent(path))
  }
}
