package import TextFormats

/// One file of a report. It is made when it is written, and JSON piece by piece, so that the pages of a large suite, and
/// the rows of thousands of reminders, are never in memory all at once.
package struct ReportDocument {
  package let name: String
  private let make: (_ take: ([UInt8]) throws -> Void) throws -> Void

  package init(_ name: String, _ text: @escaping () -> String) {
    self.name = name
    make = { take in try take(Array(text().utf8)) }
  }

  package init(_ name: String, json: @escaping () -> JSONValue) {
    self.name = name
    make = { take in try json().write(take) }
  }

  /// Hands its bytes over, a piece at a time.
  package func write(_ take: ([UInt8]) throws -> Void) throws { try make(take) }

  package var text: String {
    var bytes: [UInt8] = []
    // Nothing is thrown that the body does not throw.
    try? make { bytes += $0 }
    return String(decoding: bytes, as: UTF8.self)
  }
}
