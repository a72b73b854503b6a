package import Foundation

/// The bytes of a recording, in a file or in memory. They can be read in pieces any number of times.
///
/// The file stays open, so that a new file with the same name has no effect. Its contents must not change.
/// Each read compares the size and the modification time with the original ones.
package struct RecordedBytes: Sendable {
  private enum Storage {
    case held(Data)
    case file(OpenFile)
  }

  private let storage: Storage
  /// The name of the file that the caller passed.
  package let file: String
  package let count: Int

  package init(_ data: Data, file: String) {
    storage = .held(data)
    self.file = file
    count = data.count
  }

  /// - Parameter path: The path of a regular file.
  package init(of path: String, file: String) throws(RecordingError) {
    guard let open = OpenFile(path) else {
      throw RecordingError(
        .unreadable, file: file, "cannot be read", remedy: "check that the file exists and may be read")
    }
    storage = .file(open)
    self.file = file
    count = open.state.size
  }

  /// Passes a range of the bytes to `body`. The buffer is valid only during the call.
  package func withPiece<Result>(
    at offset: Int, count: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) throws(RecordingError) -> Result {
    switch storage {
    case .held(let data):
      return data.withUnsafeBytes { raw in
        body(UnsafeBufferPointer(rebasing: raw.assumingMemoryBound(to: UInt8.self)[offset..<offset + count]))
      }
    case .file(let open):
      let result = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count) { buffer -> Result? in
        guard open.read(UnsafeMutableRawBufferPointer(buffer), at: offset) else { return nil }
        return body(UnsafeBufferPointer(buffer))
      }
      if let result { return result }
      throw RecordingError(
        .unreadable, file: file, "has changed since it was first read",
        remedy: "do not write to it while a scenario is read or run")
    }
  }
}

/// A file that stays open as long as it is referenced.
private final class OpenFile: Sendable {
  /// The properties that reveal a change of the file's contents.
  struct State: Equatable {
    var size: Int
    /// The modification time in seconds and nanoseconds.
    var changed: [Int]
  }

  let state: State
  private let descriptor: Int32

  init?(_ path: String) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    if descriptor < 0 { return nil }
    guard let state = Self.state(of: descriptor) else {
      close(descriptor)
      return nil
    }
    self.descriptor = descriptor
    self.state = state
  }

  deinit { close(descriptor) }

  /// Fills a buffer. Returns `false` if bytes are missing or the file has changed.
  func read(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Bool {
    var done = 0
    while done < buffer.count {
      let count = pread(
        descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done, off_t(offset + done))
      if count < 0, errno == EINTR { continue }
      if count <= 0 { return false }
      done += count
    }
    return Self.state(of: descriptor) == state
  }

  private static func state(of descriptor: Int32) -> State? {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    return State(size: Int(status.st_size), changed: [Int(time.tv_sec), Int(time.tv_nsec)])
  }
}
