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
  private var number = 0

  /// The bytes must outlive the reader.
  package init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
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
  /// Data that is mapped into memory (`Data(contentsOf:options: .alwaysMapped)`) is not copied.
  ///
  /// - Throws: The first problem, with file, line and column.
  package static func forEachLine(
    _ data: Data, file: String,
    _ body: (_ line: Int, _ scanner: inout NDJSONScanner) throws(ScanProblem) -> Void
  ) throws(RecordingError) {
    let failure = data.withUnsafeBytes { raw -> RecordingError? in
      var lines = LineReader(raw.assumingMemoryBound(to: UInt8.self))
      while let line = lines.next() {
        var scanner = NDJSONScanner(line.bytes)
        do throws(ScanProblem) {
          try body(line.number, &scanner)
          try scanner.endOfLine()
        } catch {
          return RecordingError(error, file: file, line: line.number)
        }
      }
      return nil
    }
    if let failure { throw failure }
  }
}
