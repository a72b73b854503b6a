package import Foundation

/// The bytes of a recording, read in pieces and as often as one likes: of a file, or held.
///
/// A file is kept open, so that what takes its place under its name changes nothing. It must stay as it is: its
/// size and the time of its last change are compared with those of the beginning at every piece.
package struct RecordedBytes: Sendable {
  private enum Storage {
    case held(Data)
    case file(OpenFile)
  }

  private let storage: Storage
  /// The name of the file as the caller gave it.
  package let file: String
  package let count: Int

  package init(_ data: Data, file: String) {
    storage = .held(data)
    self.file = file
    count = data.count
  }

  /// - Parameter path: Where the file lies; a regular one.
  package init(of path: String, file: String) throws(RecordingError) {
    guard let open = OpenFile(path) else {
      throw RecordingError(
        .unreadable, file: file, "cannot be read", remedy: "check that the file exists and may be read")
    }
    storage = .file(open)
    self.file = file
    count = open.state.size
  }

  /// Hands a stretch of the bytes over, which must not be kept.
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
        .unreadable, file: file, "has changed since it was read first",
        remedy: "let nothing write to it while a scenario is read and run")
    }
  }
}

/// A file that is open as long as somebody reads it.
private final class OpenFile: Sendable {
  /// By which one sees whether a file was written to.
  struct State: Equatable {
    var size: Int
    /// Seconds and nanoseconds.
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

  /// Fills a buffer; false when the bytes are not there, or not what they were.
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
