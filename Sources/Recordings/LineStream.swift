package import Foundation

/// Reads lines of JSON in pieces, so that memory use does not grow with the number of lines. A copy continues
/// at the same line.
package struct LineStream: Sendable {
  /// The usual size of a piece in bytes. A piece is larger if a single line does not fit.
  private static let usualPiece = 1 << 16

  package let bytes: RecordedBytes
  /// The byte offset of the next line.
  private(set) var offset: Int
  /// The number of lines before the next one.
  private var number = 0

  /// - Parameter offset: The byte offset of the line that counts as line 1.
  package init(_ bytes: RecordedBytes, from offset: Int = 0) {
    self.bytes = bytes
    self.offset = min(offset, bytes.count)
  }

  /// Calls `body` for each non-blank line of the next piece, with a scanner at the start of the line. Checks
  /// that `body` reads the whole line.
  ///
  /// - Returns: Whether there was another piece.
  /// - Throws: The first problem, with its file, line and column.
  /// - Complexity: O(bytes of the piece)
  package mutating func readPiece(
    _ body: (_ line: Int, _ scanner: inout NDJSONScanner) throws(ScanProblem) -> Void
  ) throws(RecordingError) -> Bool {
    var size = Self.usualPiece
    let bytes = bytes
    while offset < bytes.count {
      let count = min(size, bytes.count - offset)
      let isLast = offset + count == bytes.count
      let (length, failure) = try bytes.withPiece(at: offset, count: count) { piece in
        let length = isLast ? count : (piece.lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1
        return (length, read(UnsafeBufferPointer(rebasing: piece[..<length]), body))
      }
      if let failure { throw failure }
      offset += length
      if length > 0 { return true }
      size *= 2
    }
    return false
  }

  /// Reads all remaining pieces.
  package mutating func readAll(
    _ body: (_ line: Int, _ scanner: inout NDJSONScanner) throws(ScanProblem) -> Void
  ) throws(RecordingError) {
    while try readPiece(body) {}
  }

  /// Removes the next line and returns it without its line break. Returns `nil` if the line is longer than
  /// the limit. The line that follows it becomes line 1.
  package mutating func takeLine(upTo limit: Int) throws(RecordingError) -> [UInt8]? {
    var size = Self.usualPiece
    while true {
      let count = min(size, bytes.count - offset)
      let line = try bytes.withPiece(at: offset, count: count) { piece -> [UInt8]? in
        let end = piece.firstIndex(of: UInt8(ascii: "\n"))
        return end == nil && offset + count < bytes.count ? nil : Array(piece[..<(end ?? count)])
      }
      if let line {
        offset = min(offset + line.count + 1, bytes.count)
        return line.count > limit ? nil : line
      }
      if size > limit { return nil }
      size *= 2
    }
  }

  private mutating func read(
    _ piece: UnsafeBufferPointer<UInt8>,
    _ body: (_ line: Int, _ scanner: inout NDJSONScanner) throws(ScanProblem) -> Void
  ) -> RecordingError? {
    var lines = LineReader(piece, after: number)
    while let line = lines.next() {
      var scanner = NDJSONScanner(line.bytes)
      do throws(ScanProblem) {
        try body(line.number, &scanner)
        try scanner.endOfLine()
      } catch {
        return RecordingError(error, file: bytes.file, line: line.number)
      }
    }
    number = lines.number
    return nil
  }
}

/// Splits bytes into lines without copying them.
///
/// Lines end with LF or CRLF. The last line may have no line break. A byte order mark at the start is
/// skipped. Blank lines are skipped, but counted.
package struct LineReader {
  package struct Line {
    /// The line number, from 1.
    package let number: Int
    /// The line without its line break. It is not blank.
    package let bytes: UnsafeBufferPointer<UInt8>
  }

  private let bytes: UnsafeBufferPointer<UInt8>
  private var position = 0
  /// The number of lines read so far, including blank lines.
  private(set) var number: Int

  /// Creates a reader. The bytes must outlive the reader.
  ///
  /// - Parameter before: The number of lines that precede these bytes.
  package init(_ bytes: UnsafeBufferPointer<UInt8>, after before: Int = 0) {
    self.bytes = bytes
    number = before
    if before == 0, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
  }

  /// Returns the next non-blank line, or `nil` at the end of the bytes.
  ///
  /// - Complexity: O(length of the line), at the speed of `memchr`
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

/// Reads newline-delimited JSON.
package enum NDJSON {
  /// Calls `body` for each non-blank line, with a scanner at the start of the line. Checks that `body` reads
  /// the whole line.
  ///
  /// - Throws: The first problem, with its file, line and column.
  package static func forEachLine(
    _ data: Data, file: String,
    _ body: (_ line: Int, _ scanner: inout NDJSONScanner) throws(ScanProblem) -> Void
  ) throws(RecordingError) {
    var lines = LineStream(RecordedBytes(data, file: file))
    try lines.readAll(body)
  }
}
