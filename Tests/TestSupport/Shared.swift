public import Foundation
public import Testing

/// The folder of reference answers and recordings, which is not in the repository.
///
/// The variable `TRIGGERBENCH_SHARED` contains its path. By default, it is the folder `../shared` next to the
/// package, if it exists.
public enum Shared {
  public static let folder: URL? = {
    if let path = ProcessInfo.processInfo.environment["TRIGGERBENCH_SHARED"] {
      return URL(fileURLWithPath: path, isDirectory: true)
    }
    let sibling = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("shared", isDirectory: true)
    return FileManager.default.fileExists(atPath: sibling.path) ? sibling : nil
  }()

  /// Whether the folder exists. Tests that need it use `.enabled(if: Shared.isAvailable, Shared.skipReason)`.
  public static let isAvailable = folder != nil
  public static let skipReason: Comment = "needs ../shared or TRIGGERBENCH_SHARED"

  /// The folder of samples in the package. Short files are complete. Long files are reduced to some of their
  /// lines. `SampleTests` compares the samples with the originals.
  public static let samples = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent(
      "Samples", isDirectory: true)

  /// Returns the contents of a file in the shared folder, or of its sample if there is no shared folder.
  public static func wholeOrSample(_ path: String) throws -> Data {
    try Data(contentsOf: (folder ?? samples).appendingPathComponent(path))
  }

  /// Returns the contents of a file in the shared folder.
  public static func data(_ path: String) throws -> Data {
    guard let folder else { throw CocoaError(.fileNoSuchFile) }
    return try Data(contentsOf: folder.appendingPathComponent(path))
  }
}
