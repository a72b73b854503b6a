import Foundation
import Reporting

/// Why something could not be read or written, in words; Foundation's own often name a number only.
enum FileProblem {
  static func reading(_ path: String) -> String {
    let manager = FileManager.default
    var isFolder: ObjCBool = false
    guard manager.fileExists(atPath: path, isDirectory: &isFolder) else { return "there is no such file" }
    if isFolder.boolValue { return "it is a folder" }
    return manager.isReadableFile(atPath: path) ? "it cannot be read" : "it may not be read"
  }

  /// Of a file: its folder is not made.
  ///
  /// - Parameter otherwise: What it is where nothing is seen to be in the way.
  static func writing(file path: String, otherwise: String = "the disk may be full") -> String {
    let manager = FileManager.default
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    if !manager.fileExists(atPath: folder) { return "there is no folder \(folder)" }
    var isFolder: ObjCBool = false
    let exists = manager.fileExists(atPath: path, isDirectory: &isFolder)
    if exists { return isFolder.boolValue ? "it is a folder" : "it may not be written to" }
    return inTheWay(of: folder) ?? otherwise
  }

  /// Looks for the innermost part of the path that exists: that is what is in the way, if it is not nil.
  private static func inTheWay(of path: String) -> String? {
    let manager = FileManager.default
    var url = URL(fileURLWithPath: path)
    while !manager.fileExists(atPath: url.path), url.path != "/" { url.deleteLastPathComponent() }
    var isFolder: ObjCBool = false
    let exists = manager.fileExists(atPath: url.path, isDirectory: &isFolder)
    if exists, !isFolder.boolValue { return "\(url.lastPathComponent) is not a folder" }
    return manager.isWritableFile(atPath: url.path) ? nil : "\(url.lastPathComponent) may not be written to"
  }

  /// What kept reports from being written, and what to do.
  static func reports(_ problem: ReportFolder.Problem, in folder: String) -> String {
    let why =
      switch problem {
      case .system(ENOSPC), .notOurs: problem.description
      case .system: inTheWay(of: folder) ?? problem.description
      }
    return "triggerbench: cannot write reports to \(folder): \(why); name a folder with --reports"
  }
}
