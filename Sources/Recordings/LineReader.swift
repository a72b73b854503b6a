package import Foundation

/// Cuts bytes into lines, without copying them.
///
/// Lines end with LF or CRLF; the last may end without. A byte order mark at the start is passed over,
/// and so are blank lines, which count all the same.
package struct LineReader {
  package struct Line {
    /// Counted from 1.
    package let number: Int
    /// Without the line end; at least one byte that is not white space.
    package let bytes: UnsafeBufferPointer<UInt8>
  }

  private let bytes: UnsafeBufferPointer<UInt8>
  private var position = 0
  /// How many lines have been read, blank ones included.
  private(set) var number: Int

  /// The bytes must outlive the reader.
  ///
  /// - Parameter before: Lines that were read before these bytes.
  package init(_ bytes: UnsafeBufferPointer<UInt8>, after before: Int = 0) {
    self.bytes = bytes
    number = before
    if before == 0, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
  }

  /// The next line that is not blank; nil at the end.
  ///
  /// - Complexity: O(length of the line), at the pace of `memchr`
  package mutating func next() -> Line? {
    guard let base = bytes.baseAddress else { return nil }
    while position < bytes.count {
      let start = base + position
      let rest = bytes.count - position
      let length = memchr(start, 0x0A, rest).map { UnsafeRawPointer($0) - UnsafeRawPointer(start) } ?? rest
      position += length + 1
      number += 1
      let line = UnsafeBufferPointer(start: start, count: length)
      if line.contains(where: { $0 > 0x20 }) {
        let end = line[length - 1] == 0x0D ? length - 1 : length
        return Line(number: number, bytes: UnsafeBufferPointer(rebasing: line[..<end]))
      }
    }
    return nil
  }
}

/// Reading files of newline-delimited JSON.
package enum NDJSON {
  /// Calls `body` with a scanner at the beginning of each line that is not blank, and sees to it that
  /// `body` reads the line to its end.
  ///
  /// - Throws: The first problem, with file, line and column.
  package static func forEachLine(
    _ data: Data, file: String,
    _ body: (_ line: Int, _ scanner: inout NDJSONScanner) throws(ScanProblem) -> Void
  ) throws(RecordingError) {
    var lines = LinePieces(RecordedBytes(data, file: file))
    try lines.readAll(body)
  }
}
