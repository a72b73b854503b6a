import Foundation

/// Reads files by path and explains why a file is unreadable.
package enum RegularFile {
  /// Returns the reason that a path is unreadable, or `nil` if it is a file or a link to a file.
  ///
  /// Named pipes and devices are rejected, because reading one may never end.
  package static func problem(_ path: String) -> String? {
    let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: target, isDirectory: &isFolder) else {
      return "the file does not exist"
    }
    if isFolder.boolValue {
      return isShut(target) ? "the folder may not be read" : "this is a folder, not a file"
    }
    let type = (try? FileManager.default.attributesOfItem(atPath: target))?[.type] as? FileAttributeType
    return type == .typeRegular ? nil : "this is a pipe or a device, not a file"
  }

  /// Returns whether the path is a folder that the user has no permission to read.
  package static func isShut(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return !FileManager.default.isReadableFile(atPath: path)
      && FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
  }

  /// Reads a document as ``read(_:named:)`` does, provided that it is reachable.
  package static func read(_ document: String, in reach: ReachableFiles) throws(Diagnostic) -> [UInt8] {
    if case .outside = reach.own {
      throw Diagnostic(
        "this \(ReachableFiles.problem)", file: document, hint: ReachableFiles.remedy)
    }
    return try read(document, named: document)
  }

  /// Reads a file that is not larger than a scenario may be.
  ///
  /// - Parameter name: The name to use in diagnostics.
  package static func read(_ path: String, named name: String) throws(Diagnostic) -> [UInt8] {
    if let problem = problem(path) { throw Diagnostic(problem, file: name) }
    var size: UInt64 = 0
    var content: Data?
    do {
      // A file that is too large is not read.
      let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
      defer { try? handle.close() }
      size = try handle.seekToEnd()
      if size <= UInt64(SourceText.byteLimit) {
        try handle.seek(toOffset: 0)
        content = try handle.readToEnd()
      }
    } catch {
      throw Diagnostic("the file cannot be read", file: name)
    }
    guard size <= UInt64(SourceText.byteLimit) else { throw SourceText.tooLarge(file: name, bytes: size) }
    return [UInt8](content ?? Data())
  }
}
