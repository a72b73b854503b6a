import Foundation
import TextFormats

/// Finds the files of a suite.
package enum SuiteFiles {
  package enum Problem: Error, CustomStringConvertible {
    case missing(String)
    case nothingFound([String])
    case nothingMatches(String, files: Int)

    package var description: String {
      switch self {
      case .missing(let path):
        "\(path): there is no such file or folder; 'triggerbench init' writes a first scenario"
      case .nothingFound(let paths):
        "no .yaml or .yml file in \(paths.joined(separator: ", ")); 'triggerbench init' writes a first scenario"
      case .nothingMatches(let filter, let files):
        "--filter '\(filter)' matches no path; files without it: \(files)"
      }
    }
  }

  /// The path that denotes standard input.
  package static let standardInput = "-"

  /// Returns the named files and the files in the named folders, sorted by path within each folder. Returns a
  /// file once even if several paths lead to it.
  ///
  /// Returns an unreadable folder in place of its files. The suite then reports it like an unusable file and
  /// runs the other files.
  ///
  /// - Parameter filter: A string that each returned path must contain, or `nil` to return all files.
  package static func find(in paths: [String], filter: String?) throws(Problem) -> [String] {
    var files: [String] = []
    var known: Set<String> = []
    for path in paths {
      if path == standardInput {
        files.append(path)
        continue
      }
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { throw .missing(path) }
      for file in isFolder.boolValue ? scenarios(below: path) : [path]
      where known.insert(resolved(file)).inserted {
        files.append(file)
      }
    }
    if files.isEmpty { throw .nothingFound(paths) }
    guard let filter else { return files }
    let chosen = files.filter { $0.contains(filter) || RegularFile.isShut($0) }
    if chosen.isEmpty { throw .nothingMatches(filter, files: files.count) }
    return chosen
  }

  /// Returns the standard spelling of the path, without symbolic links.
  private static func resolved(_ path: String) -> String {
    URL(fileURLWithPath: path).standardizedFileURL.resolvingSymlinksInPath().path
  }

  private static func scenarios(below folder: String) -> [String] {
    let root = resolved(folder)
    let base = folder.hasSuffix("/") ? String(folder.dropLast()) : folder
    guard !RegularFile.isShut(root), let names = FileManager.default.enumerator(atPath: root) else {
      return [base]
    }
    var found: [String] = []
    for case let name as String in names
    where !name.split(separator: "/").contains(where: { $0.hasPrefix(".") }) {
      if name.hasSuffix(".yaml") || name.hasSuffix(".yml") || RegularFile.isShut("\(root)/\(name)") {
        found.append(name)
      }
    }
    return found.sorted().map { "\(base)/\($0)" }
  }
}
