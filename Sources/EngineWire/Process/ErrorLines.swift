/// The standard error of an engine. It forwards lines and keeps the last ones.
struct ErrorLines {
  /// The number of bytes to keep, and the maximum length of a forwarded piece.
  private let limit: Int
  private let receive: (@Sendable (String) -> Void)?
  /// The kept bytes. Their number may reach twice the limit, so that old bytes are dropped in large chunks.
  private(set) var kept: [UInt8] = []
  private var unfinished: [UInt8] = []

  init(limit: Int, receive: (@Sendable (String) -> Void)?) {
    self.limit = max(limit, 1)
    self.receive = receive
  }

  mutating func add(_ bytes: UnsafeBufferPointer<UInt8>) {
    kept.append(contentsOf: bytes.suffix(limit))
    if kept.count > 2 * limit { kept.removeFirst(kept.count - limit) }
    if receive == nil { return }
    for piece in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
      if piece.offset > 0 { passOn() }
      var rest = piece.element
      while unfinished.count + rest.count > limit {
        let taken = rest.prefix(limit - unfinished.count)
        unfinished.append(contentsOf: taken)
        rest = rest.dropFirst(taken.count)
        passOn()
      }
      unfinished.append(contentsOf: rest)
    }
  }

  /// Forwards the last line if it has no line end.
  mutating func finish() {
    if !unfinished.isEmpty { passOn() }
  }

  private mutating func passOn() {
    receive?(Self.text(unfinished[...]))
    unfinished.removeAll(keepingCapacity: true)
  }

  /// Returns the last lines, without blank ones.
  func last(_ count: Int) -> [String] {
    kept.suffix(limit).split(separator: 0x0A).suffix(count).map { Self.text($0.suffix(400)) }
  }

  /// Returns a line as text. Replaces invalid UTF-8 and control characters, which could disturb a terminal,
  /// with U+FFFD.
  static func text(_ line: some Collection<UInt8>) -> String {
    var shown = String.UnicodeScalarView()
    for scalar in String(decoding: line, as: UTF8.self).unicodeScalars where scalar != "\r" {
      let isControl = scalar.properties.generalCategory == .control && scalar != "\t"
      shown.append(isControl ? "\u{FFFD}" : scalar)
    }
    return String(shown)
  }
}
