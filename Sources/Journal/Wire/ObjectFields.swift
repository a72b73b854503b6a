import Recordings
import TriggerModel

/// The members of a JSON object, to be taken one by one in whatever order they stand.
struct ObjectFields {
  private struct Member {
    var key: JSONText
    /// Where the key begins.
    var offset: Int
    /// In front of the value.
    var value: NDJSONScanner
    var isTaken = false
  }

  /// No row has as many; every one is compared with all before it.
  private static let limit = 64

  private var members: [Member] = []
  /// The keys that were asked for, present or not.
  private var asked: [StaticString] = []
  /// Usually what is asked for stands next.
  private var next = 0
  /// Where the object begins.
  private(set) var offset = 0

  /// Takes the members of the object that the scanner is in front of, and checks that they are well formed
  /// and that none is there twice.
  mutating func scan(_ scanner: inout NDJSONScanner) throws(WireProblem) {
    members.removeAll(keepingCapacity: true)
    asked.removeAll(keepingCapacity: true)
    next = 0
    var last: JSONText?
    do throws(ScanProblem) {
      try scanner.beginObject()
      offset = scanner.start
      while let key = try scanner.nextKey() {
        last = key
        let isRepeated = members.contains { $0.key == key }
        if isRepeated { throw scanner.repeatedKey(key) }
        guard members.count < Self.limit else {
          throw scanner.invalid("the object has more than \(Self.limit) keys", remedy: "leave some out")
        }
        members.append(Member(key: key, offset: scanner.start, value: scanner))
        try scanner.skipValue()
      }
    } catch {
      throw WireProblem(error, field: last?.string)
    }
  }

  /// Whether a key is there, which is not taken thereby.
  func has(_ key: StaticString) -> Bool { members.contains { $0.key == key } }

  /// The place in front of the value of a key, which counts as known from now on; nil if it is not there.
  mutating func take(_ key: StaticString) -> NDJSONScanner? {
    asked.append(key)
    for step in 0..<members.count {
      let index = next + step < members.count ? next + step : next + step - members.count
      guard members[index].key == key else { continue }
      members[index].isTaken = true
      next = index + 1 < members.count ? index + 1 : 0
      return members[index].value
    }
    return nil
  }

  /// A key that had to be there is not.
  func missing(_ key: StaticString) -> WireProblem {
    WireProblem(
      .missingName, offset: offset, field: key.description, "\"\(key)\" is missing", remedy: "add it")
  }

  /// None of several keys is there, of which one had to be.
  func missing(oneOf keys: [StaticString]) -> WireProblem {
    let names = keys.map(\.description).joined(separator: "\" or \"")
    return WireProblem(
      .missingName, offset: offset, field: keys.first?.description, "\"\(names)\" is missing",
      remedy: "add one of them")
  }

  /// Of a problem with a key that is missing, the likelier one: that it was misspelt.
  ///
  /// - Parameter known: Every key that may be there.
  func likelier(than problem: WireProblem, known: [String]) -> WireProblem {
    guard problem.code == .missingName else { return problem }
    let written = members.map(\.key.string)
    let absent = known.filter { !written.contains($0) }
    for member in members where !known.contains(member.key.string) {
      if NearestNames.likely(member.key.string, among: absent) != nil {
        return unknown(member, known: absent)
      }
    }
    return problem
  }

  /// A key is there that another rules out.
  func excluded(_ key: StaticString, by other: StaticString) -> WireProblem {
    let place = members.first { $0.key == key }?.offset ?? offset
    return WireProblem(
      .value, offset: place, field: key.description, "\"\(key)\" and \"\(other)\" exclude each other",
      remedy: "write two lines")
  }

  /// Checks that every member was taken.
  func end() throws(WireProblem) {
    for member in members where !member.isTaken {
      throw unknown(member, known: asked.map(\.description))
    }
  }

  private func unknown(_ member: Member, known: [String]) -> WireProblem {
    let name = member.key.string
    let hint =
      NearestNames.hint(for: name, among: known)
      ?? "leave it out; known here: \(known.joined(separator: ", "))"
    return WireProblem(
      .unknownName, offset: member.offset, field: String(name.prefix(64)),
      "unknown key \"\(name.prefix(64))\"", remedy: hint)
  }
}

extension JSONText {
  /// Whether two texts are written alike, or mean the same.
  fileprivate static func == (a: JSONText, b: JSONText) -> Bool {
    if a.hasEscapes || b.hasEscapes { return a.string == b.string }
    return a.bytes.elementsEqual(b.bytes)
  }
}
