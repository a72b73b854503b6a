import TriggerModel
import Foundation

/// Reads scenario files.
package enum ScenarioFile {
  /// What became of a file.
  package enum Outcome: Sendable {
    /// It can be run; the diagnostics are warnings.
    case scenario(Scenario, warnings: [Diagnostic])
    /// It says that it is something else: it is counted and left alone.
    case otherKind(String)
    /// It cannot be used; the diagnostics say why, in the order of the file.
    case unusable([Diagnostic])
  }

  /// Reads a file. Recordings that it names must exist beside it; they are not read.
  package static func load(_ path: String) -> Outcome {
    var isFolder = false
    guard exists(path, isFolder: &isFolder) else {
      return .unusable([Diagnostic("the file does not exist", file: path)])
    }
    guard !isFolder else { return .unusable([Diagnostic("this is a folder, not a file", file: path)]) }
    let content: Data?
    do {
      // One byte more than is allowed tells that there are too many; a large file is not read whole.
      let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
      defer { try? handle.close() }
      let size = try handle.seekToEnd()
      guard size <= UInt64(SourceText.byteLimit) else {
        return .unusable([SourceText.tooLarge(file: path, bytes: size)])
      }
      try handle.seek(toOffset: 0)
      content = try handle.readToEnd()
    } catch {
      return .unusable([Diagnostic("the file cannot be read", file: path)])
    }
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
    return read([UInt8](content ?? Data()), file: path) { name in
      var isFolder = false
      return exists(URL(fileURLWithPath: name, relativeTo: folder).path, isFolder: &isFolder) && !isFolder
    }
  }

  /// Reads the bytes of a file. `fileExists` tells whether a recording exists, named as in the file.
  package static func read(_ bytes: [UInt8], file: String, fileExists: @escaping (String) -> Bool) -> Outcome
  {
    do throws(Diagnostic) {
      let source = try SourceText(file: file, bytes: bytes)
      let root = try YAMLDocument(source).root
      let reader = Reader(source: source, fileExists: fileExists)
      if let kind = otherKind(of: root, reader) { return .otherKind(kind) }
      let scenario = reader.hasErrors ? nil : Format<Scenario>.scenario.read(root, reader)
      let diagnostics = reader.diagnostics.sortedByPosition()
      guard let scenario, !reader.hasErrors else {
        return .unusable(
          reader.hasErrors ? diagnostics : diagnostics + [Diagnostic("the file cannot be used", file: file)])
      }
      return .scenario(scenario, warnings: diagnostics)
    } catch {
      return .unusable([error])
    }
  }

  /// The kind that a file says it has, when that is not a scenario. What says nothing is reported.
  private static func otherKind(of root: Node, _ reader: Reader) -> String? {
    guard case .mapping(let entries) = root.content else {
      reader.error(
        "a scenario is a mapping, and this is \(root.kindName)", at: root.position,
        hint: "begin with 'kind: scenario'")
      return nil
    }
    guard let entry = entries.first(where: { $0.key == "kind" }) else {
      reader.error(
        "the key 'kind' is missing", at: root.position,
        hint: "a scenario begins with 'kind: scenario' and 'version: 1'")
      return nil
    }
    guard case .scalar(let kind) = entry.value.content, !kind.isEmpty else { return nil }
    // A slip of the pen is not another kind of file.
    if kind == "scenario" || NearestNames.distance(kind, "scenario") <= 2 { return nil }
    return kind
  }

  private static func exists(_ path: String, isFolder: inout Bool) -> Bool {
    var isDirectory: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
    isFolder = isDirectory.boolValue
    return exists
  }
}
