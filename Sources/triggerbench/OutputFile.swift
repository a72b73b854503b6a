import Foundation

/// A file that is written piece by piece, and is named where that fails.
struct OutputFile {
  /// What it holds, for messages: `the journal`.
  private let what: String
  private let path: String
  private let handle: FileHandle

  /// Not by way of a file beside it: it may be a device or a pipe.
  init(_ path: String, for what: String, _ mark: OverwriteGuard.Mark) throws {
    (self.what, self.path) = (what, path)
    try OverwriteGuard.check(path, for: what, mark)
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else {
      let why = FileProblem.writing(file: path, otherwise: String(cString: strerror(errno)))
      Terminal.diagnose("triggerbench: cannot write \(what) to \(path): \(why)")
      throw Exit.failure
    }
    handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  /// Ends the tool where nothing more can be written.
  func write(_ bytes: [UInt8]) {
    if let problem = Terminal.failure(writing: bytes, to: handle) {
      Terminal.fail("triggerbench: cannot write \(what) to \(path): \(String(cString: strerror(problem)))")
    }
  }

  func close() { try? handle.close() }
}
