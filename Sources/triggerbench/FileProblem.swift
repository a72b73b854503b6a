import Foundation

/// Why something could not be read or written, in words; Foundation's own often name a number only.
enum FileProblem {
  static func reading(_ path: String) -> String {
    let manager = FileManager.default
    var isFolder: ObjCBool = false
    guard manager.fileExists(atPath: path, isDirectory: &isFolder) else { return "there is no such file" }
    if isFolder.boolValue { return "it is a folder" }
    return manager.isReadableFile(atPath: path) ? "it cannot be read" : "it may not be read"
  }

  /// Looks for the innermost part of the path that exists: that is what is in the way.
  static func writing(below path: String) -> String {
    let manager = FileManager.default
    var url = URL(fileURLWithPath: path)
    while !manager.fileExists(atPath: url.path), url.path != "/" { url.deleteLastPathComponent() }
    var isFolder: ObjCBool = false
    let exists = manager.fileExists(atPath: url.path, isDirectory: &isFolder)
    if exists, !isFolder.boolValue { return "\(url.lastPathComponent) is not a folder" }
    if !manager.isWritableFile(atPath: url.path) { return "\(url.lastPathComponent) may not be written to" }
    return "the disk may be full"
  }
}
