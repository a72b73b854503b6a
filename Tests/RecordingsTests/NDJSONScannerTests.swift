import Foundation
import Recordings
import Testing

/// Reads a line with any JSON value. Returns the problem of the line, or `nil` if it is valid.
func problem(in line: [UInt8]) -> ScanProblem? {
  line.withUnsafeBufferPointer { bytes in
    var scanner = NDJSONScanner(bytes)
    do throws(ScanProblem) {
      try scanner.skipValue()
      try scanner.endOfLine()
      return nil
    } catch {
      return error
    }
  }
}

struct NDJSONScannerTests {
  static let samples = [
    #"{"t":"2026-03-02T07:00:00Z","lat":52.52,"lon":-13.405e0,"accuracy":8}"#,
    #"{"id":0,"trigger":{"type":"locationEnter","place":3},"conditions":[{"type":"weekdays","days":[0,1]}]}"#,
    #"[[],{},[{}],"",null,true,false,-0,0.5,1E+2,"é\u00e9\ud83d\ude00\n\"\\"]"#,
    #"{"a":"ő😀","":[1,2.25,-3e-7],"b":{"c":{"d":[null]}}}"#,
  ]

  /// The scanner accepts exactly those damaged lines that Foundation's parser accepts.
  @Test func `the scanner accepts the damaged lines that Foundation's parser accepts`() {
    var (accepted, refused) = (0, 0)
    for (seed, sample) in Self.samples.enumerated() {
      for line in Mutations(of: Array(sample.utf8), seed: UInt64(seed), count: 3_000) {
        // Foundation also accepts other encodings, byte order marks and lone surrogates, which a line must
        // not contain.
        guard !line.contains(0), !line.starts(with: [0xEF]), String(validating: line, as: UTF8.self) != nil
        else { continue }
        let found = problem(in: line)
        if found?.message.contains("surrogate") == true || isTrailingComma(line, found) { continue }
        let isJSON = (try? JSONSerialization.jsonObject(with: Data(line), options: .fragmentsAllowed)) != nil
        let text = String(decoding: line, as: UTF8.self)
        if isJSON { accepted += 1 } else { refused += 1 }
        #expect((found == nil) == isJSON, "\(text.debugDescription) \(String(describing: found))")
      }
    }
    #expect(accepted > 1_000 && refused > 1_000)
  }

  /// Returns whether the problem is a comma before a closing bracket. Foundation accepts it, but RFC 8259
  /// does not.
  private func isTrailingComma(_ line: [UInt8], _ problem: ScanProblem?) -> Bool {
    guard let offset = problem?.offset, offset < line.count, [0x5D, 0x7D].contains(line[offset]) else {
      return false
    }
    return line[..<offset].last { $0 > 0x20 } == UInt8(ascii: ",")
  }

  @Test func `a line that is not UTF-8 is rejected`() {
    for bytes: [UInt8] in [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xE2, 0x82]] {
      #expect(problem(in: [0x22] + bytes + [0x22])?.code == .encoding)
      #expect(problem(in: bytes)?.code == .syntax)
    }
  }

  @Test(arguments: [
    ("", 0), ("{", 1), ("{\"a\"", 4), ("{\"a\":}", 5), ("{\"a\":1,}", 7), ("[1,]", 3), ("[1 2]", 3),
    ("01", 0),
    ("1.", 0), ("-", 0), ("+1", 0), (".5", 0), ("1e", 0), ("nul", 0), ("NaN", 0), ("Infinity", 0), ("\"a", 2),
    ("\"\\x\"", 1), ("\"\\u12g4\"", 5), ("\"\\ud800\"", 1), ("\"\\udc00\"", 1), ("\"a\tb\"", 2), ("{} {}", 3),
    ("{1:2}", 1), ("]", 0), ("{\"a\":1]", 6), ("[1}", 2), ("'a'", 0), ("{\"a\" 1}", 5), ("[,1]", 1),
    ("1,", 1),
  ])
  func `a problem is reported at its position`(_ line: String, _ offset: Int) {
    #expect(problem(in: Array(line.utf8))?.offset == offset)
  }

  @Test func `the nesting depth is limited`() {
    let limit = NDJSONScanner.maximumDepth
    let nested = { (depth: Int) in String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    #expect(problem(in: Array(nested(limit).utf8)) == nil)
    #expect(problem(in: Array(nested(limit + 1).utf8))?.offset == limit)
    #expect(problem(in: Array(nested(1_000_000).utf8))?.offset == limit)
  }

  @Test func `escapes in strings are resolved`() throws {
    let line = Array(#""é\u00e9\ud83d\ude00\n\"\\\/\b\f\r\tx""#.utf8)
    let expected = try JSONSerialization.jsonObject(with: Data(line), options: .fragmentsAllowed) as? String
    try line.withUnsafeBufferPointer { (bytes) throws in
      var scanner = NDJSONScanner(bytes)
      let text = try scanner.string()
      #expect(text.string == expected)
    }
    try Array(#"{"\u0069d":1}"#.utf8).withUnsafeBufferPointer { (bytes) throws in
      var scanner = NDJSONScanner(bytes)
      try scanner.beginObject()
      let key = try #require(try scanner.nextKey())
      #expect(key == "id")
    }
  }

  /// Reads a reminder in the format of the hot-path benchmark.
  @Test func `a reminder is read`() throws {
    let line =
      #"{"id":7,"trigger":{"type":"locationEnter","place":3},"conditions":[{"type":"weekdays","days":[0,4]}]}"#
    var read: [String] = []
    try Array(line.utf8).withUnsafeBufferPointer { (bytes) throws in
      var scanner = NDJSONScanner(bytes)
      try scanner.beginObject()
      while let key = try scanner.nextKey() {
        if key == "id" {
          read.append("id \(try scanner.integer())")
        } else if key == "trigger" {
          try scanner.beginObject()
          while let key = try scanner.nextKey() {
            if key == "type" {
              read.append(try scanner.string().string)
            } else {
              read.append("\(try scanner.integer())")
            }
          }
        } else if key == "conditions" {
          try scanner.beginArray()
          while try scanner.nextElement() {
            read.append("condition")
            try scanner.skipValue()
          }
        } else {
          throw scanner.unknownKey(key, known: ["id", "trigger", "conditions"])
        }
      }
      try scanner.endOfLine()
    }
    #expect(read == ["id 7", "locationEnter", "3", "condition"])
  }

  @Test func `an unknown key is reported with the nearest known one`() {
    let error = #expect(throws: RecordingError.self) {
      try NDJSON.forEachLine(Data("{}\n\n{\"lattitude\":1}".utf8), file: "x.ndjson") {
        (_, scanner) throws(ScanProblem) in
        try scanner.beginObject()
        while let key = try scanner.nextKey() {
          throw scanner.unknownKey(key, known: ["latitude", "longitude"])
        }
      }
    }
    #expect(error?.description == "x.ndjson:3:2: unknown key \"lattitude\"; did you mean latitude?")
  }
}

struct LineReaderTests {
  private func lines(_ text: String) -> [String] {
    Array(text.utf8).withUnsafeBufferPointer { bytes in
      var reader = LineReader(bytes)
      var lines: [String] = []
      while let line = reader.next() {
        lines.append("\(line.number) \(String(decoding: line.bytes, as: UTF8.self))")
      }
      return lines
    }
  }

  @Test func `bytes are split into lines`() {
    #expect(lines("") == [])
    #expect(lines("\n \n\r\n") == [])
    #expect(lines("a") == ["1 a"])
    #expect(lines("a\nb") == ["1 a", "2 b"])
    #expect(lines("\u{FEFF}a\r\n\n  \nb\r\n\n") == ["1 a", "4 b"])
    #expect(lines("\u{FEFF}") == [])
  }
}
