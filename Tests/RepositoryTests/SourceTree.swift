import Foundation
import TestSupport

/// The sources of a target, with the dependencies between its folders.
struct SourceTree: Sendable {
  let name: String
  /// The names of files with fewer than 30 lines.
  private(set) var smallFiles: [String] = []
  /// The modules that its files import.
  private(set) var imports: Set<Substring> = []
  /// The positions at which files read the time, random numbers or the environment.
  private(set) var ambient: [String] = []
  /// The dependencies of each folder on other folders, each with the first file and type that causes it.
  private(set) var uses: [String: [String: String]] = [:]

  /// Matches calls that depend on the time or the machine.
  private static var ambientWords: Regex<Substring> {
    /\b(?:(?:Continuous|Suspending)Clock|ProcessInfo|Date(?:\(\)|\.now)|(?:Locale|TimeZone|Calendar)\.current)/
  }
  private static var chanceWords: Regex<Substring> {
    /\b(?:SystemRandomNumberGenerator|UUID\(\))|\.(?:random(?:\(|Element)|shuffle)/
  }

  /// A file with its folder, name and text.
  typealias File = (folder: String, name: String, source: String)

  init(_ name: String, _ files: [File]) {
    self.name = name
    let read = files.map { (file: $0, words: SourceWords($0.source)) }
    var homes: [Substring: Set<String>] = [:]
    for (file, words) in read {
      if file.source.count(where: \.isNewline) < 30 { smallFiles.append("\(name)/\(file.name)") }
      imports.formUnion(
        file.source.matches(of: /(?m)^(?:@testable |package |public |internal )?import (\w+)/).map(\.1))
      for words in [Self.ambientWords, Self.chanceWords] {
        ambient += file.source.matches(of: words).map { "\(file.name): \($0.output)" }
      }
      for type in words.declaredTypes { homes[type, default: []].insert(file.folder) }
    }
    for (file, words) in read.sorted(by: { $0.file.name < $1.file.name }) {
      for type in words.typeNames.sorted() {
        // The folder is ambiguous if two folders declare a private type of this name.
        guard let home = homes[type], home.count == 1, let folder = home.first, folder != file.folder else {
          continue
        }
        if uses[file.folder, default: [:]][folder] == nil {
          uses[file.folder, default: [:]][folder] = "\(file.name) names \(type)"
        }
      }
    }
  }

  /// The folders in dependency cycles in sorted order, each with a file that uses the next folder.
  var cycles: [String] {
    uses.keys.sorted().flatMap { folder in
      (uses[folder] ?? [:]).sorted { $0.key < $1.key }.compactMap { next, reason in
        reached(from: next).contains(folder) ? "\(name): \(folder) → \(next): \(reason)" : nil
      }
    }
  }

  private func reached(from start: String) -> Set<String> {
    var reached: Set<String> = [start]
    var open = [start]
    while let folder = open.popLast() {
      for next in (uses[folder] ?? [:]).keys where reached.insert(next).inserted { open.append(next) }
    }
    return reached
  }
}

extension SourceTree {
  /// Returns the names at the top level of the repository.
  static func topLevel() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: Repository.root.path)
  }

  /// Returns the text of a file, given its path in the repository.
  static func text(of file: String) throws -> String {
    try String(contentsOf: Repository.root.appendingPathComponent(file), encoding: .utf8)
  }

  /// Returns whether a file or folder exists, given its path in the repository.
  static func exists(_ path: String) throws -> Bool {
    FileManager.default.fileExists(atPath: Repository.root.appendingPathComponent(path).path)
  }

  /// Returns the text of `Package.swift`.
  static func manifest() throws -> String { try text(of: "Package.swift") }

  /// Returns the names of the folders of `Sources` in sorted order.
  static func folders() throws -> [String] {
    try FileManager.default.contentsOfDirectory(
      atPath: Repository.root.appendingPathComponent("Sources").path
    ).sorted()
  }

  /// Returns the targets of `Sources`.
  static func all() throws -> [SourceTree] {
    try folders().compactMap { name in
      let files = try files(of: name)
      return files.isEmpty ? nil : SourceTree(name, files)
    }
  }

  /// Returns the Swift files of a target.
  static func files(of target: String) throws -> [File] {
    let folder = Repository.root.appendingPathComponent("Sources").appendingPathComponent(target)
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    return try paths.filter { $0.hasSuffix(".swift") }.sorted().map { path in
      (
        folder: path.split(separator: "/").dropLast().joined(separator: "/"), name: path,
        source: try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
      )
    }
  }
}
