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
  static func writing(file path: String) -> String {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    if !FileManager.default.fileExists(atPath: folder) { return "there is no folder \(folder)" }
    return writing(below: path)
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

  /// What kept reports from being written, and what to do.
  static func reports(_ problem: ReportFolder.Problem, in folder: String) -> String {
    let why =
      switch problem {
      case .system(ENOSPC), .notOurs: problem.description
      case .system: writing(below: folder)
      }
    return "triggerbench: cannot write reports to \(folder): \(why); name a folder with --reports"
  }
}
