import CFolderExchange
import Foundation

/// A folder whose reports are replaced as a set. Even if the tool is killed, all reports in the folder are
/// from the same run.
///
/// The tool writes a new folder next to the old one and exchanges the two atomically. If the folder contains
/// other files, the tool keeps them and replaces each report separately.
package struct ReportFolder {
  package enum Problem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The folder contains a file with the name of a report that the tool did not write.
    case notOurs(String)
    /// An error of the operating system, with its number.
    case system(Int32)

    package var description: String {
      switch self {
      case .notOurs(let name):
        "it holds \(name), which triggerbench did not write and does not replace; move it, or choose another folder"
      case .system(let number): String(cString: strerror(number))
      }
    }
  }

  /// A set of documents that belong together.
  package struct Contents: Sendable {
    /// The names that documents of the set may have.
    var names: Set<String>
    /// The document that identifies the set, and a string that its first bytes contain.
    var mark: (name: String, text: String)
    /// The names that additional pages may have, and a string that the first bytes of each page contain.
    var pages: (isName: @Sendable (String) -> Bool, mark: String)?

    package init(
      names: Set<String>, mark: (name: String, text: String),
      pages: (isName: @Sendable (String) -> Bool, mark: String)? = nil
    ) {
      self.names = names
      self.mark = mark
      self.pages = pages
    }

    fileprivate func isName(_ name: String) -> Bool { names.contains(name) || pages?.isName(name) == true }
  }

  private let folder: URL
  private let contents: Contents
  private let manager = FileManager.default

  package init(_ path: String, of contents: Contents) {
    // The replacement must affect the target folder, not a symbolic link to it.
    folder = URL(fileURLWithPath: path, isDirectory: true).standardizedFileURL.resolvingSymlinksInPath()
    self.contents = contents
  }

  /// Replaces the reports in the folder with the documents.
  package func replace(with documents: [ReportDocument]) throws(Problem) {
    let parent = folder.deletingLastPathComponent()
    try create(parent)
    // A file or a device at this path must not be replaced with a folder.
    var isFolder: ObjCBool = true
    if manager.fileExists(atPath: folder.path, isDirectory: &isFolder), !isFolder.boolValue {
      throw .system(ENOTDIR)
    }
    removeLeftovers(in: parent)
    let present = (try? manager.contentsOfDirectory(atPath: folder.path)) ?? []
    try checkOwner(present, documents.map(\.name))
    let next = parent.appendingPathComponent(Self.prefix(of: folder) + "\(getpid())", isDirectory: true)
    try create(next)
    defer { try? manager.removeItem(at: next) }
    for document in documents { try write(document, to: next.appendingPathComponent(document.name)) }
    if !manager.fileExists(atPath: folder.path) {
      if rename(next.path, folder.path) != 0 { throw .system(errno) }
    } else if !present.allSatisfy(isOurs) || tb_exchange_paths(next.path, folder.path) != 0 {
      try replaceEach(documents.map(\.name), of: present, from: next)
    }
  }

  /// Replaces each report separately, because the folder contains other files or the system cannot exchange
  /// folders.
  private func replaceEach(_ documents: [String], of present: [String], from next: URL) throws(Problem) {
    let old = present.filter(isOurs)
    for name in documents {
      let target = folder.appendingPathComponent(name).path
      if rename(next.appendingPathComponent(name).path, target) != 0 { throw .system(errno) }
    }
    // Pages of an earlier run that this report does not have.
    for name in Set(old).subtracting(documents).sorted() {
      let target = folder.appendingPathComponent(name).path
      if unlink(target) != 0, errno != ENOENT { throw .system(errno) }
    }
  }

  private func checkOwner(_ present: [String], _ documents: [String]) throws(Problem) {
    let isTaken = Set(documents).union(contents.names).contains
    for name in present.sorted() where isTaken(name) && !isOurs(name) { throw .notOurs(name) }
  }

  /// Returns whether the tool wrote a file.
  private func isOurs(_ name: String) -> Bool {
    if contents.names.contains(name) { return begins(with: contents.mark.text, contents.mark.name) }
    guard let pages = contents.pages, pages.isName(name) else { return false }
    return begins(with: pages.mark, name)
  }

  /// Returns whether the first bytes of a file contain a string.
  private func begins(with text: String, _ name: String) -> Bool {
    let file = folder.appendingPathComponent(name)
    let start = (try? FileHandle(forReadingFrom: file))?.readData(ofLength: 200) ?? Data()
    return String(decoding: start, as: UTF8.self).contains(text)
  }

  private func create(_ url: URL) throws(Problem) {
    do {
      try manager.createDirectory(at: url, withIntermediateDirectories: true)
    } catch {
      throw .system(Self.number(of: error))
    }
  }

  private func write(_ document: ReportDocument, to url: URL) throws(Problem) {
    do {
      try Data().write(to: url)
      let file = try FileHandle(forWritingTo: url)
      try document.write { try file.write(contentsOf: $0) }
      try file.close()
    } catch {
      throw .system(Self.number(of: error))
    }
  }

  private static func number(of error: any Error) -> Int32 {
    let error = error as NSError
    // Some systems do not wrap the POSIX error in an `NSError`.
    let underlying = error.userInfo[NSUnderlyingErrorKey]
    if let posix = underlying as? POSIXError { return posix.code.rawValue }
    return Int32(truncatingIfNeeded: (underlying as? NSError ?? error).code)
  }

  // MARK: Leftovers of killed runs

  private static func prefix(of folder: URL) -> String { ".\(folder.lastPathComponent).triggerbench." }

  /// Removes the unfinished folders of processes that no longer exist, unless they contain other files.
  private func removeLeftovers(in parent: URL) {
    let prefix = Self.prefix(of: folder)
    for name in (try? manager.contentsOfDirectory(atPath: parent.path)) ?? [] where name.hasPrefix(prefix) {
      guard let process = Int32(name.dropFirst(prefix.count)), process > 0,
        process == getpid() || kill(process, 0) != 0 && errno == ESRCH
      else { continue }
      let leftover = parent.appendingPathComponent(name)
      let entries = (try? manager.contentsOfDirectory(atPath: leftover.path)) ?? []
      if entries.allSatisfy(contents.isName) { try? manager.removeItem(at: leftover) }
    }
  }
}
