import DeviceSimulation
import Foundation
import Recordings
import Simulation
import Testing
import TriggerModel

@testable import Journal

/// Invalid lines are reported with their position, field and remedy.
@Suite struct DamageTests {
  private let names = SampleNames.names

  private func problem(_ line: String, as form: WireForm = .journal) -> String {
    var reader = JournalReader(names)
    do {
      return "read: \(try reader.read(Array(line.utf8), as: form).body)"
    } catch {
      return "\(error)"
    }
  }

  private static let marks = Array("\"\\{}[],:-.e0 \u{0}".utf8)

  private static let stamp =
    #""t":"2026-03-02T07:00:00Z","wall":"2026-03-02T08:00:00+01:00","zone":"UTC","#
    + #""boot":0,"uptime":1,"person":0,"device":"phone""#

  @Test(arguments: [
    (
      #"{"track":"observed","event":▸"unlok",S}"#,
      #"in "event": unknown event "unlok"; did you mean 'unlock'?"#
    ),
    (
      #"{"track":▸"obseved","event":"unlock",S}"#,
      #"in "track": unknown track "obseved"; did you mean 'observed'?"#
    ),
    (
      #"▸{"event":"unlock",S}"#,
      #""track" is missing; add it"#
    ),
    (
      #"{"track":"happened","event":"tap",S,"reminder":▸"mlik"}"#,
      #"in "reminder": unknown reminder "mlik"; did you mean 'milk'?"#
    ),
    (
      #"{"track":"happened","event":"tap",S,▸"remindr":"milk"}"#,
      #"unknown key "remindr"; did you mean 'reminder'?"#
    ),
    (
      #"▸{"track":"happened","event":"tap",S}"#,
      #""reminder" is missing; add it"#
    ),
    (
      #"{"track":"happened","event":"tap",S,"reminder":▸7}"#,
      #"in "reminder": a string was expected, not 7; correct the JSON of this line"#
    ),
    (
      #"{"track":"happened","event":"unlock",S,▸"app":"maps"}"#,
      #"unknown key "app"; known: track, event, person, device, t, wall, zone, boot, uptime"#
    ),
    (
      #"{"track":"happened","event":"unlock",▸"event":"lock",S}"#,
      #""event" is there twice; keep one of them"#
    ),
    (
      #"{"track":"happened","event":"batteryLevel",S,"permille":▸1001}"#,
      #"in "permille": 1001 is out of range; write a whole number from 0 to 1000"#
    ),
    (
      #"{"track":"happened","event":"fact",S,"fact":"protein.current","value":▸0.0005}"#,
      #"in "value": expected a number with at most three decimals; write it as 12.5"#
    ),
    (
      #"{"track":"happened","event":"fact",S,"fact":"plan","value":▸"gold"}"#,
      #"in "value": unknown value of the fact 'plan' "gold"; known: free, plus, null"#
    ),
    (
      #"{"track":"happened","event":"edit",S,"reminder":"milk","to":▸"x"}"#,
      #"in "to": unknown edit of the reminder 'milk' "x"; known: later, at home"#
    ),
    (
      #"▸{"track":"happened","event":"preference",S}"#,
      #""type" or "all" or "dailyCap" is missing; add one of them"#
    ),
    (
      #"{"track":"happened","event":"preference",S,"all":true,▸"dailyCap":null}"#,
      #""dailyCap" and "all" exclude each other; write two lines"#
    ),
    (
      #"▸{"track":"effect","event":"add",S,"reminder":"milk","occurrence":0}"#,
      #""type" is missing; add it"#
    ),
    (
      #"{"track":"effect","event":"persist",S,"state":▸"AB"}"#,
      #"in "state": this is not base64; encode the state in base64 with padding"#
    ),
    (
      #"{"track":"happened","event":"unlock",S} "#,
      #"read: happened(DeviceSimulation.PhoneEvent.unlock)"#
    ),
    (
      #"{"track":"happened","event":"unlock",S}▸,"#,
      #"the end of the line was expected, not ,; correct the JSON of this line"#
    ),
  ])
  func `an invalid line is reported with its column and a remedy`(_ line: String, _ message: String) {
    let marked = Array(line.replacing(",S", with: "," + Self.stamp, maxReplacements: 1).utf8)
    let mark = Array("▸".utf8)
    let place = marked.indices.first { marked[$0...].starts(with: mark) }
    let text = String(decoding: marked, as: UTF8.self).replacing("▸", with: "")
    #expect(problem(text) == (place.map { "column \($0 + 1): " } ?? "") + message)
  }

  @Test func `engines and time lines may omit parts of the stamp`() throws {
    let moment = Moment(
      wall: Instant(millisecondsSince1970: 5_000), uptime: Uptime(boot: 1, span: .seconds(2)), zone: ZoneID(1)
    )
    let stamp = RecordStamp(
      person: 4, device: 1, instant: Instant(millisecondsSince1970: 1_000), moment: moment)
    var reader = JournalReader(names)
    let request = try reader.read(
      Array(
        #"{"event":"request","reminder":"milk","occurrence":1,"type":"milk","bucket":"user","#.utf8)
        + Array(#""scheduledFor":"1970-01-01T00:00:05Z","deliverAt":"1970-01-01T00:00:05Z"}"#.utf8),
      as: .effects(stamp))
    guard case .effect(.request(let whole)) = request.body else { throw CocoaError(.coderInvalidValue) }
    #expect(request.stamp.person == 4 && request.stamp.device == 1 && request.moment == moment)
    #expect(whole.priority == 100 && whole.copy == 0 && whole.expiresAt == .distantFuture)
    #expect(whole.rank == 3, "between 'back\\slash' and 'née'")
    let add = try reader.read(
      Array(#"{"event":"add","occurrence":1,"reminder":"milk","priority":3}"#.utf8), as: .effects(stamp))
    var changed = whole
    changed.priority = 3
    #expect(add.body == .effect(.add(changed)))
    #expect(problem(#"{"event":"unlock"}"#, as: .effects(stamp)).contains("unknown event"))

    let happened = try reader.read(
      Array(#"{"line":12,"t":"1970-01-01T00:00:02Z","event":"travel","to":"UTC"}"#.utf8), as: .timeLine(stamp)
    )
    #expect(happened.body == .happened(.travel(ZoneID(4))) && reader.line == 12)
    #expect(happened.moment.wall.millisecondsSince1970 == 6_000, "as far ahead as in the stamp")
    #expect(
      problem(#"{"track":"observed","event":"unlock","t":0}"#, as: .timeLine(stamp))
        == #"column 10: in "track": this line cannot have this track; write "happened", or remove it"#)
    #expect(problem(#"{"event":"unlock"}"#, as: .timeLine(stamp)) == #"column 1: "t" is missing; add it"#)
  }

  /// Returns a line for each row of the journal, split into members.
  private func lines(seed: UInt64) throws -> [[LineMember]] {
    var generator = RandomRecords(names, seed: seed)
    return try generator.round().map { record in
      var writer = JournalWriter(names)
      writer.write(record)
      return try LineMember.split(Array(writer.bytes.dropLast()))
    }
  }

  @Test func `misspelled, duplicate, missing and mistyped keys are reported at their own position`() throws {
    var count = 0
    for members in try lines(seed: 3) {
      var reader = JournalReader(names)
      let original = try reader.read(LineMember.join(members))
      for index in members.indices {
        let key = members[index].key
        func refused(_ what: String, _ change: (inout [LineMember]) -> Void) -> WireProblem? {
          var changed = members
          change(&changed)
          count += 1
          var reader = JournalReader(names)
          do {
            let copy = try reader.read(LineMember.join(changed))
            // The line is still valid, because the key was optional or the line without it has another
            // meaning.
            #expect(what != "misspelled" && what != "duplicate", "\(what): \(key) of \(original.body)")
            let isUsual = ["priority", "copy"].contains(key)
            #expect(what != "missing" || copy.body != original.body || isUsual, "\(key)")
            return nil
          } catch {
            #expect(error.field != nil && error.offset < LineMember.join(changed).count, "\(error)")
            return error
          }
        }
        let misspelled = refused("misspelled") { $0[index].key = key + "x" }
        #expect(misspelled?.field == key + "x" || key.count < 3, "\(String(describing: misspelled)) \(key)")
        #expect(refused("duplicate") { $0.append($0[index]) }?.field == key)
        if let missing = refused("missing", { $0.remove(at: index) }) {
          let isNamed = missing.field == key || missing.message.contains("\"\(key)\"")
          // If one of these keys is missing, the line is read as another kind of row.
          #expect(isNamed || ["reminder", "heldRequests"].contains(key), "\(missing) \(key)")
        }
        for value in ["{}", "[{}]", "\"\\u0007\"", "-1e99", "[null]"] {
          let wrong = refused("wrong") { $0[index].value = Array(value.utf8) }
          let isInside = wrong?.field?.hasPrefix(key + ".") ?? false
          #expect(wrong?.field == key || isInside, "\(value) for \(key) of \(original.body)")
        }
      }
    }
    #expect(count > 10_000)
  }

  @Test func `a damaged line is read or reported with its position and field`() throws {
    var generator = RandomRecords(names, seed: 4)
    var refused = 0
    for round in 0..<8 {
      for record in generator.round() {
        var writer = JournalWriter(names)
        writer.write(record)
        var line = Array(writer.bytes.dropLast())
        for _ in 0...generator.draw(3) where !line.isEmpty {
          let at = generator.draw(line.count)
          switch generator.draw(5) {
          case 0: line[at] = UInt8(generator.draw(256))
          case 1: line.insert(Self.marks[generator.draw(Self.marks.count)], at: at)
          case 2: line.removeSubrange(at..<min(at + 1 + generator.draw(8), line.count))
          case 3:
            line.insert(contentsOf: line[at..<min(at + 1 + generator.draw(40), line.count)], at: at)
          default: if generator.draw(4) == 0 { line.removeSubrange(at...) }
          }
        }
        var reader = JournalReader(names)
        do {
          _ = try reader.read(line)
        } catch {
          refused += 1
          #expect((0...line.count).contains(error.offset), "round \(round)")
          // Only a line that is not an object has a problem without a field.
          let isBroken = error.code == .syntax || error.code == .encoding
          #expect(error.field != nil || isBroken, "\(error)")
          #expect(!error.message.isEmpty && !error.remedy.isEmpty)
        }
      }
    }
    #expect(refused > 1_000)
  }

  @Test func `an object with too many keys is rejected`() {
    let keys = (0..<100_000).map { "\"key\($0)\":0" }.joined(separator: ",")
    #expect(problem("{\(keys)}").contains("the object has more than 64 keys"))
  }
}

/// A member of the object in a line: its key and the text of its value.
struct LineMember {
  var key: String
  var value: [UInt8]

  static func split(_ line: [UInt8]) throws -> [LineMember] {
    var members: [LineMember] = []
    var depth = 0
    var isQuoted = false
    var piece: [UInt8] = []
    var index = 0
    func finish() throws {
      if piece.isEmpty { return }
      let colon = try #require(piece.firstIndex(of: UInt8(ascii: ":")))
      members.append(
        LineMember(
          key: String(decoding: piece[1..<colon - 1], as: UTF8.self), value: Array(piece[(colon + 1)...])))
      piece = []
    }
    while index < line.count {
      let byte = line[index]
      if isQuoted, byte == UInt8(ascii: "\\") {
        piece += line[index...index + 1]
        index += 2
        continue
      }
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      if !isQuoted, "{[".utf8.contains(byte) { depth += 1 }
      if !isQuoted, "}]".utf8.contains(byte) { depth -= 1 }
      let isEdge = !isQuoted && (depth == 0 || (depth == 1 && "{,".utf8.contains(byte) && piece.isEmpty))
      if !isQuoted, depth == 1, byte == UInt8(ascii: ",") {
        try finish()
      } else if isEdge {
        try finish()
      } else {
        piece.append(byte)
      }
      index += 1
    }
    return members
  }

  static func join(_ members: [LineMember]) -> [UInt8] {
    var line = Array("{".utf8)
    for (index, member) in members.enumerated() {
      if index > 0 { line.append(UInt8(ascii: ",")) }
      line += Array("\"\(member.key)\":".utf8) + member.value
    }
    return line + Array("}".utf8)
  }
}
