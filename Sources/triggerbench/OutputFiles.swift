import Foundation
import Reporting

/// A file that is written in pieces. Error messages contain its path.
struct OutputFile {
  /// The noun for the content in messages, such as `the journal`.
  private let what: String
  private let path: String
  private let handle: FileHandle

  /// Opens the file itself instead of replacing it by a temporary file, because it may be a device or a pipe.
  init(_ path: String, for what: String, _ mark: OverwriteGuard.Mark) throws {
    (self.what, self.path) = (what, path)
    try OverwriteGuard.check(path, for: what, mark)
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else {
      let why = FileProblem.writing(file: path, otherwise: String(cString: strerror(errno)))
      throw Exit.failure(reporting: "cannot write \(what) to \(path): \(why)")
    }
    handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  /// Appends bytes, or ends the tool with an error message if this fails.
  func write(_ bytes: [UInt8]) {
    if let problem = Terminal.failure(writing: bytes, to: handle) {
      Terminal.fail("triggerbench: cannot write \(what) to \(path): \(String(cString: strerror(problem)))")
    }
  }

  func close() { try? handle.close() }
}

/// Protects files that the tool did not write. A mistyped name must not overwrite a scenario or a recording.
enum OverwriteGuard {
  /// The text that identifies each kind of file that the tool writes. It occurs in the first 200 bytes.
  enum Mark: String {
    case journal = "\"triggerbench.journal\""
    case part = "\"triggerbench-part\""
    case people = "person,policy,"
    case pack = "Made by 'triggerbench import'"
    case counts = "\"suites\""
    case tests = "<testsuites"
  }

  /// Throws an exit code if the path contains a nonempty regular file without the mark.
  ///
  /// - Parameter what: The noun for the new content in messages, such as `the journal`.
  static func check(_ path: String, for what: String, _ mark: Mark) throws {
    let url = URL(fileURLWithPath: path).resolvingSymlinksInPath()
    let attributes = try? FileManager.default.attributesOfItem(atPath: url.path)
    guard attributes?[.type] as? FileAttributeType == .typeRegular,
      let start = try? FileHandle(forReadingFrom: url).read(upToCount: 200),
      !String(decoding: start, as: UTF8.self).contains(mark.rawValue)
    else { return }
    throw Exit.failure(
      reporting: "\(what) would replace \(path), which triggerbench did not write; name another file")
  }
}

/// Messages about unreadable and unwritable files. Foundation's messages often contain only a number.
enum FileProblem {
  static func reading(_ path: String) -> String {
    let manager = FileManager.default
    var isFolder: ObjCBool = false
    guard manager.fileExists(atPath: path, isDirectory: &isFolder) else { return "there is no such file" }
    if isFolder.boolValue { return "it is a folder" }
    return manager.isReadableFile(atPath: path) ? "it cannot be read" : "permission to read it is denied"
  }

  /// Returns the reason why a file in an existing folder cannot be written.
  ///
  /// - Parameter otherwise: The reason to return if the path seems writable.
  static func writing(file path: String, otherwise: String = "the disk may be full") -> String {
    let manager = FileManager.default
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    if !manager.fileExists(atPath: folder) { return "there is no folder \(folder)" }
    var isFolder: ObjCBool = false
    let exists = manager.fileExists(atPath: path, isDirectory: &isFolder)
    if exists { return isFolder.boolValue ? "it is a folder" : "permission to write it is denied" }
    return obstacle(to: folder) ?? otherwise
  }

  /// Returns the reason why the innermost existing part of a path prevents writing, or `nil` if there is
  /// none.
  private static func obstacle(to path: String) -> String? {
    let manager = FileManager.default
    var url = URL(fileURLWithPath: path)
    while !manager.fileExists(atPath: url.path), url.path != "/" { url.deleteLastPathComponent() }
    var isFolder: ObjCBool = false
    let exists = manager.fileExists(atPath: url.path, isDirectory: &isFolder)
    if exists, !isFolder.boolValue { return "\(url.lastPathComponent) is not a folder" }
    return manager.isWritableFile(atPath: url.path)
      ? nil : "permission to write to \(url.lastPathComponent) is denied"
  }

  /// Returns the message that the reports could not be written, with the reason.
  static func reports(_ problem: ReportFolder.Problem, in folder: String) -> String {
    let why =
      switch problem {
      case .system(ENOSPC), .notOurs: problem.description
      case .system: obstacle(to: folder) ?? problem.description
      }
    return "triggerbench: cannot write reports to \(folder): \(why); name a folder with --reports"
  }
}
