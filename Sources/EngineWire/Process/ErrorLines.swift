/// What an engine says on its standard error: handed on line by line, and the last of it kept.
struct ErrorLines {
  /// How many bytes are kept, and how long a line can be before it is handed on in pieces.
  private let limit: Int
  private let receive: (@Sendable (String) -> Void)?
  /// Twice the limit at most, so that old bytes are dropped in large portions.
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
      if piece.offset > 0 { handOn() }
      var rest = piece.element
      while unfinished.count + rest.count > limit {
        let taken = rest.prefix(limit - unfinished.count)
        unfinished.append(contentsOf: taken)
        rest = rest.dropFirst(taken.count)
        handOn()
      }
      unfinished.append(contentsOf: rest)
    }
  }

  /// Hands on a last line without an end.
  mutating func finish() {
    if !unfinished.isEmpty { handOn() }
  }

  private mutating func handOn() {
    receive?(Self.text(unfinished[...]))
    unfinished.removeAll(keepingCapacity: true)
  }

  /// The last lines that are not blank.
  func last(_ count: Int) -> [String] {
    kept.suffix(limit).split(separator: 0x0A).suffix(count).map { Self.text($0.suffix(400)) }
  }

  /// The text of a line, with U+FFFD in the place of what is not UTF-8 and of control characters, which could
  /// turn the terminal of the reader upside down.
  static func text(_ line: some Collection<UInt8>) -> String {
    var shown = String.UnicodeScalarView()
    for scalar in String(decoding: line, as: UTF8.self).unicodeScalars where scalar != "\r" {
      let isControl = scalar.properties.generalCategory == .control && scalar != "\t"
      shown.append(isControl ? "\u{FFFD}" : scalar)
    }
    return String(shown)
  }
}
