import Foundation
import TestSupport
import Testing
import TextFormats

/// Compares the writer, which writes pieces and copies repeated lists, with a simple one.
@Suite struct JSONWriterTests {
  private static func simple(_ value: JSONValue, _ indent: String = "") -> String {
    func list(_ open: String, _ parts: [String], _ close: String) -> String {
      if parts.isEmpty { return open + close }
      return open + "\n" + parts.map { indent + "  " + $0 }.joined(separator: ",\n") + "\n" + indent + close
    }
    return switch value {
    case .array(let items): list("[", items.map { simple($0, indent + "  ") }, "]")
    case .rows(let rows): list("[", rows.map { simple($0, indent + "  ") }, "]")
    case .object(let members):
      list("{", members.map { "\"\($0.key)\": " + simple($0.value, indent + "  ") }, "}")
    case .string, .integer, .number, .truth: value.line
    }
  }

  /// Returns a random value, in which some lists are repeated at the same or another depth.
  private static func value(_ depth: Int, _ shared: inout [JSONValue], _ random: inout SplitMix64)
    -> JSONValue
  {
    if !shared.isEmpty, random.below(3) == 0 { return shared[random.below(shared.count)] }
    let count = random.below(6)
    let value: JSONValue =
      switch depth == 0 ? random.below(3) : random.below(5) {
      case 0: .integer(random.below(1_000_000))
      case 1: .truth(random.below(2) == 0)
      case 2: .string(String(repeating: "x", count: random.below(40)))
      case 3: .array((0..<count).map { _ in Self.value(depth - 1, &shared, &random) })
      default: .object((0..<count).map { .init("key\($0)", Self.value(depth - 1, &shared, &random)) })
      }
    if random.below(2) == 0 { shared.append(value) }
    return value
  }

  @Test(arguments: 0..<60 as Range<UInt64>) func `both writers write the same text for a random value`(
    seed: UInt64
  ) {
    var random = SplitMix64(seed: seed)
    var shared: [JSONValue] = []
    let value = JSONValue.array((0..<4).map { _ in Self.value(5, &shared, &random) })
    #expect(value.text == Self.simple(value), "seed \(seed)")
  }

  @Test func `a long value is written in pieces, with lists repeated across pieces`() {
    var random = SplitMix64(seed: 7)
    let rows = (0..<5).map { row in
      JSONValue.array((0..<200).map { .string("row \(row), entry \($0) of \(random.below(1_000_000))") })
    }
    let value = JSONValue.array((0..<2_000).map { ["id": .integer($0), "account": rows[$0 % 5]] })
    var pieces: [[UInt8]] = []
    value.write { pieces.append($0) }
    #expect(pieces.count > 10)
    #expect(pieces.allSatisfy { $0.count < 3 << 20 })
    #expect(String(decoding: pieces.joined(), as: UTF8.self) == Self.simple(value) + "\n")
  }

  @Test func `rows are written one at a time, with lists that are freed in between`() {
    // Each list is freed before the next one, which may be allocated at the same address.
    let rows = JSONRows(count: 20_000) { row in
      ["id": .integer(row), "of": .array((0..<9).map { .string("row \(row), entry \($0) of nine") })]
    }
    let value = JSONValue.object([
      .init("rows", .rows(rows)), .init("none", .rows(JSONRows(count: 0) { _ in 1 })),
    ])
    var pieces: [[UInt8]] = []
    value.write { pieces.append($0) }
    #expect(pieces.count > 3)
    #expect(String(decoding: pieces.joined(), as: UTF8.self) == Self.simple(value) + "\n")
    #expect(JSONValue.rows(JSONRows(count: 3) { .integer($0) }).line == "[0, 1, 2]")
  }

  @Test func `a string of all characters becomes one line without characters that YAML rejects`() throws {
    let scalars = (0...0x1_0000 as ClosedRange<UInt32>).compactMap(Unicode.Scalar.init)
    let text = String(String.UnicodeScalarView(scalars))
    var bytes: [UInt8] = []
    bytes.append(quoting: text)
    #expect(try JSONDecoder().decode(String.self, from: Data(bytes)).unicodeScalars.elementsEqual(scalars))
    let refused = "\0\u{1F}\n\r\u{7F}\u{85}\u{9F}\u{2028}\u{2029}\u{FEFF}\u{FFFF}".unicodeScalars
    let written = String(decoding: bytes, as: UTF8.self).unicodeScalars
    for scalar in refused { #expect(!written.contains(scalar), "\(scalar.value)") }
    bytes.removeAll()
    bytes.append(quoting: "Milk & more")
    #expect(bytes == Array("\"Milk & more\"".utf8))
  }

  private struct Stop: Error {}

  @Test func `an error of the closure that receives the pieces is rethrown`() {
    #expect(throws: Stop.self) { try JSONValue.array([1, 2]).write { _ in throw Stop() } }
  }
}
