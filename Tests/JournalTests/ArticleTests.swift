import CivilTime
import Foundation
import NotificationGateway
import TestSupport
import Testing
import TriggerModel

@testable import Journal

/// Compares the documentation of the wire form with the code.
@Suite struct ArticleTests {
  private static let page = Repository.root
    .appendingPathComponent("Sources/TestBench/Documentation.docc/WireForm.md")

  private let lines: [Substring]

  init() throws {
    lines = String(decoding: try Data(contentsOf: Self.page), as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false)
  }

  @Test func `every example is readable`() throws {
    let examples = lines.filter { $0.hasPrefix("{") }
    #expect(examples.count > 15)
    var lists = WireNames.Lists()
    lists.reminders = ["milk"]
    lists.types = ["milk", "rest"]
    lists.regions = ["shop"]
    lists.apps = ["maps"]
    lists.facts = [.init("protein.current", .number)]
    _ = try lists.zones.intern("Europe/Berlin")
    let names = WireNames(lists)
    let start = Instant(millisecondsSince1970: 0)
    let stamp = RecordStamp(
      instant: start,
      moment: Moment(wall: start, uptime: Uptime(boot: 0, span: .zero), zone: ZoneID(0)))
    var reader = JournalReader(names)
    for example in examples {
      if example.contains("\"lat\"") { continue }
      do {
        if example.contains("\"form\"") {
          try Array(example.utf8).withUnsafeBufferPointer {
            if try JournalEnd($0) == nil { _ = try JournalHeader($0) }
          }
        } else {
          _ = try reader.read(
            Array(example.utf8), as: example.hasPrefix("{\"track\"") ? .journal : .timeLine(stamp))
        }
      } catch {
        Issue.record("\(error)\n\(example)")
      }
    }
    // If an example is a journal record, the writer writes the same line.
    for example in examples where example.hasPrefix("{\"track\"") {
      var reader = JournalReader(names)
      var writer = JournalWriter(names)
      guard let record = try? reader.read(Array(example.utf8)) else { continue }
      writer.write(record)
      #expect(String(decoding: writer.bytes.dropLast(), as: UTF8.self) == example)
    }
  }

  @Test func `the tables list every event with its fields in the order of the writer`() throws {
    let tables = eventTables()
    typealias Track = JournalRecord.Body.Track
    let order: [Track] = [.happened, .observed, .effect, .outcome, .due, .link, .app, .person, .sync]
    #expect(tables.count == order.count)
    for (track, table) in zip(order, tables) {
      #expect(Set(table.keys) == Set(track.words.names), "\(track)")
      for (word, name) in track.words.names.enumerated() {
        let row = try #require(JournalRecord.Body(track, row: UInt8(word), at: SchemaCoder.stamp))
        let ways = SchemaCoder.variants(of: row)
        let written = try #require(table[name])
        var keys: [String] = []
        for key in ways.flatMap({ $0.map(\.key) }) where !keys.contains(key) { keys.append(key) }
        #expect(Set(written.map(\.key)) == Set(keys), "\(track) \(name)")
        guard ways.count == 1, let way = ways.first else { continue }
        #expect(written.map(\.key) == way.map(\.key), "\(track) \(name)")
        #expect(written.map(\.isOptional) == way.map { !$0.isRequired }, "\(track) \(name)")
      }
    }
  }

  private typealias Table = [String: [(key: String, isOptional: Bool)]]

  /// Returns the tables whose first column is "event". Each row contains the keys of an event.
  private func eventTables() -> [Table] {
    var tables: [Table] = []
    var isInside = false
    for line in lines {
      if line == "| event | fields |" {
        tables.append([:])
        isInside = true
      } else if !line.hasPrefix("|") {
        isInside = false
      } else if isInside, !line.hasPrefix("|---") {
        let cells = line.split(separator: "|", omittingEmptySubsequences: false)
        let keys = cells[2].matches(of: /`([A-Za-z0-9]+)`(\??)/).map {
          (key: String($0.1), isOptional: $0.2 == "?")
        }
        for event in cells[1].matches(of: /`([A-Za-z]+)`/) {
          tables[tables.count - 1][String(event.1)] = keys.filter { $0.key != "lost" }
        }
      }
    }
    return tables
  }
}
