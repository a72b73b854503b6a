import CFolderExchange
import Foundation

/// A folder of reports, replaced as one set: whoever looks, and whenever the tool is killed, finds the reports of
/// one run.
///
/// The new set is written beside the folder and takes its place in one step. In a folder that holds other files as
/// well they stay where they are; there each report is replaced by itself.
package struct ReportFolder {
  package enum Problem: Error, Hashable, Sendable, CustomStringConvertible {
    /// A file has the name of a report, and the folder is none of the tool's.
    case notOurs(String)
    /// The number of the system's error.
    case system(Int32)

    package var description: String {
      switch self {
      case .notOurs(let name):
        "it holds \(name), which is none of such a set: what the tool did not write it does not replace"
      case .system(let number): String(cString: strerror(number))
      }
    }
  }

  /// A set of documents that belong together.
  package struct Contents: Sendable {
    /// Every name that one of them may have.
    var names: Set<String>
    /// The one that says what it is, and what it says within its first bytes.
    var mark: (name: String, text: String)
    /// Which other names a page may have, and what each of them says within its first bytes.
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
    // A link leads to the folder that is replaced.
    folder = URL(fileURLWithPath: path, isDirectory: true).standardizedFileURL.resolvingSymlinksInPath()
    self.contents = contents
  }

  /// Puts these reports in the place of those that are there.
  package func replace(with documents: [ReportDocument]) throws(Problem) {
    let parent = folder.deletingLastPathComponent()
    try create(parent)
    // A file, or a device, would be replaced by the folder.
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

  /// Reports by themselves: in a folder that holds other things, and where a system cannot exchange two folders.
  private func replaceEach(_ documents: [String], of present: [String], from next: URL) throws(Problem) {
    let old = present.filter(isOurs)
    for name in documents {
      let target = folder.appendingPathComponent(name).path
      if rename(next.appendingPathComponent(name).path, target) != 0 { throw .system(errno) }
    }
    // Events and pages of an earlier run do not stay beside a report that has none.
    for name in Set(old).subtracting(documents).sorted() {
      let target = folder.appendingPathComponent(name).path
      if unlink(target) != 0, errno != ENOENT { throw .system(errno) }
    }
  }

  private func checkOwner(_ present: [String], _ documents: [String]) throws(Problem) {
    let isTaken = Set(documents).union(contents.names).contains
    for name in present.sorted() where isTaken(name) && !isOurs(name) { throw .notOurs(name) }
  }

  /// Whether a file of the folder is one that the tool wrote.
  private func isOurs(_ name: String) -> Bool {
    if contents.names.contains(name) { return says(contents.mark.text, contents.mark.name) }
    guard let pages = contents.pages, pages.isName(name) else { return false }
    return says(pages.mark, name)
  }

  /// Whether a file says something within its first bytes.
  private func says(_ text: String, _ name: String) -> Bool {
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
    // Not every system makes an NSError of what lies beneath.
    let underlying = error.userInfo[NSUnderlyingErrorKey]
    if let posix = underlying as? POSIXError { return posix.code.rawValue }
    return Int32(truncatingIfNeeded: (underlying as? NSError ?? error).code)
  }

  // MARK: What a run that was killed has left

  private static func prefix(of folder: URL) -> String { ".\(folder.lastPathComponent).triggerbench." }

  /// Removes the sets of runs that are no more. A set holds nothing else.
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
