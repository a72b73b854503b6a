import Foundation

/// Reads files that people name, and says why one cannot be read.
package enum RegularFile {
  /// Why there is nothing to be read under a path; nil when it is a file, or leads to one.
  ///
  /// A named pipe or a device has no end that one could wait for.
  package static func problem(_ path: String) -> String? {
    let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: target, isDirectory: &isFolder) else {
      return "the file does not exist"
    }
    if isFolder.boolValue { return "this is a folder, not a file" }
    let type = (try? FileManager.default.attributesOfItem(atPath: target))?[.type] as? FileAttributeType
    return type == .typeRegular ? nil : "this is a pipe or a device, not a file"
  }

  /// All bytes of a document, as ``read(_:named:)``, if it may be read.
  package static func read(_ document: String, in reach: ReachableFiles) throws(Diagnostic) -> [UInt8] {
    if case .outside = reach.own {
      throw Diagnostic(
        "this \(ReachableFiles.problem)", file: document, hint: ReachableFiles.remedy)
    }
    return try read(document, named: document)
  }

  /// All bytes of a file that may be as large as a scenario.
  ///
  /// - Parameter name: What diagnostics call it.
  package static func read(_ path: String, named name: String) throws(Diagnostic) -> [UInt8] {
    if let problem = problem(path) { throw Diagnostic(problem, file: name) }
    var size: UInt64 = 0
    var content: Data?
    do {
      // A large file is not read whole.
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
