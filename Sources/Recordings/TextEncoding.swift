import Foundation

/// Checks that bytes are text in an encoding.
enum TextEncoding {
  /// Returns the line of the first byte that an encoding of single bytes does not define, or `nil` if there is
  /// none or if the encoding is unknown.
  ///
  /// Foundation's XML parser crashes on such a byte in some encodings, such as windows-1257.
  ///
  /// - Complexity: O(*n*) in the number of bytes.
  static func firstUndefinedByte(in bytes: UnsafeRawBufferPointer, _ encoding: String) -> Int? {
    guard let start = bytes.baseAddress, let converter = iconv_open("UTF-8", encoding),
      converter != iconv_t(bitPattern: -1)
    else { return nil }
    defer { iconv_close(converter) }
    // `iconv` does not write to its input.
    var input: UnsafeMutablePointer<CChar>? =
      UnsafeMutableRawPointer(mutating: start).assumingMemoryBound(to: CChar.self)
    var left = bytes.count
    let isText = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 65_536) { buffer in
      while left > 0 {
        var (output, room) = (buffer.baseAddress, buffer.count)
        // A full buffer is no problem, because the output is discarded.
        if iconv(converter, &input, &left, &output, &room) == -1, errno != E2BIG { return false }
      }
      return true
    }
    if isText { return nil }
    return bytes.prefix(bytes.count - left).count { $0 == UInt8(ascii: "\n") } + 1
  }
}
