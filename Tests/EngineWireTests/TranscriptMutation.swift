import Foundation
import TestSupport

/// A random change in a transcript.
struct TranscriptMutation: CustomStringConvertible {
  enum Kind: CaseIterable {
    case cut, duplicate, swap, remove, move, flip, dropField, doubleField, changeType, outOfRange, misspell
    case wrongKey, secondHello, effectOutside, answerToNothing, log, end
  }

  let kind: Kind
  /// The index of the first changed exchange, and of the changed line in its answer.
  private(set) var exchange = 0
  private(set) var line = 0
  private(set) var transcript: Transcript
  private var random: SplitMix64

  var description: String { "\(kind) at exchange \(exchange), line \(line)" }

  init(_ transcript: Transcript, seed: UInt64) {
    self.transcript = transcript
    random = SplitMix64(seed: seed)
    kind = Kind.allCases[Int(seed % UInt64(Kind.allCases.count))]
    exchange = answered()
    line = random.below(transcript.exchanges[exchange].answer.count)
    apply()
  }

  /// Returns the index of a random exchange with an answer.
  private mutating func answered() -> Int {
    while true {
      let index = random.below(transcript.exchanges.count)
      if !transcript.exchanges[index].answer.isEmpty { return index }
    }
  }

  private var text: [UInt8] {
    get { transcript.exchanges[exchange].answer[line] }
    set { transcript.exchanges[exchange].answer[line] = newValue }
  }

  private mutating func insert(_ line: String, at place: Int) {
    transcript.exchanges[exchange].answer.insert(Array(line.utf8), at: place)
    self.line = place
  }

  private mutating func apply() {
    switch kind {
    case .cut: text.removeSubrange(random.below(text.count)...)
    case .duplicate: transcript.exchanges[exchange].answer.insert(text, at: line)
    case .remove: transcript.exchanges[exchange].answer.remove(at: line)
    case .swap, .move: changeOrder()
    case .flip:
      for _ in 0...random.below(3) { text[random.below(text.count)] ^= 1 << UInt8(random.below(8)) }
    case .secondHello: insert(#"{"message":"hello","protocol":1}"#, at: line)
    case .effectOutside:
      insert(#"{"event":"persist"}"#, at: transcript.exchanges[exchange].answer.count)
    case .answerToNothing:
      insert(#"{"message":"done","unsettled":false}"#, at: transcript.exchanges[exchange].answer.count)
    case .log: insert("warning: the cache is cold", at: line)
    case .end:
      transcript.end = exchange
      transcript.exchanges[exchange].answer.removeSubrange(line...)
    case .dropField, .doubleField, .changeType, .outOfRange, .misspell, .wrongKey: changeField()
    }
  }

  private mutating func changeOrder() {
    let other = (exchange: answered(), line: 0)
    let place = random.below(transcript.exchanges[other.exchange].answer.count)
    let moved = text
    if kind == .swap {
      text = transcript.exchanges[other.exchange].answer[place]
      transcript.exchanges[other.exchange].answer[place] = moved
    } else {
      transcript.exchanges[exchange].answer.remove(at: line)
      let last = transcript.exchanges[other.exchange].answer.count
      transcript.exchanges[other.exchange].answer.insert(moved, at: min(place, last))
    }
    if (other.exchange, place) < (exchange, line) { (exchange, line) = (other.exchange, place) }
  }

  private mutating func changeField() {
    var members = Self.members(text)
    let index = random.below(members.count)
    func isText(_ value: String) -> Bool { value.hasPrefix("\"") }
    switch kind {
    case .dropField: members.remove(at: index)
    case .doubleField: members.append(members[index])
    case .changeType:
      let others = ["{}", "[]", "[{}]", "null", "true", "7", "\"x\"", "1.5"]
      members[index].value = others[random.below(others.count)]
    case .outOfRange:
      let numbers = ["-1", "4294967296", "99999999999999999999", "-1e99", "256"]
      members[index].value = numbers[random.below(numbers.count)]
    case .misspell where isText(members[index].value):
      members[index].value.insert("x", at: members[index].value.index(before: members[index].value.endIndex))
    default: members[index].key += "x"
    }
    text = Array("{\(members.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ","))}".utf8)
  }

  /// Splits a line of JSON into members. Its texts must contain no commas or braces.
  private static func members(_ line: [UInt8]) -> [(key: String, value: String)] {
    var pieces: [String] = [""]
    var depth = 0
    for character in String(decoding: line, as: UTF8.self).dropFirst().dropLast() {
      if "[{".contains(character) { depth += 1 }
      if "]}".contains(character) { depth -= 1 }
      if character == ",", depth == 0 {
        pieces.append("")
      } else {
        pieces[pieces.count - 1].append(character)
      }
    }
    return pieces.map { piece in
      let parts = piece.split(separator: ":", maxSplits: 1).map(String.init)
      return (parts[0].trimmingCharacters(in: ["\""]), parts.count > 1 ? parts[1] : "")
    }
  }
}
