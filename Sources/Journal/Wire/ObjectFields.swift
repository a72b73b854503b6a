import Recordings
import TriggerModel

/// The members of a JSON object, which can be taken in any order.
struct ObjectFields {
  private struct Member {
    var key: JSONText
    /// The byte offset of the key.
    var offset: Int
    /// A scanner at the start of the value.
    var value: NDJSONScanner
    var isTaken = false
  }

  /// The maximum number of members. It must be limited, because each member is compared with all previous
  /// ones. Every row has fewer.
  private static let limit = 64

  private var members: [Member] = []
  /// The keys that were requested, including missing ones.
  private var requestedKeys: [StaticString] = []
  /// The index after the member that was taken last. Callers usually take members in order, so the search
  /// starts here.
  private var next = 0
  /// The byte offset of the object.
  private(set) var offset = 0

  /// Collects the members of the object at the scanner's position, and checks that they are well-formed and
  /// distinct.
  mutating func scan(_ scanner: inout NDJSONScanner) throws(WireProblem) {
    members.removeAll(keepingCapacity: true)
    requestedKeys.removeAll(keepingCapacity: true)
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

  /// Returns whether a key is present, without taking the member.
  func has(_ key: StaticString) -> Bool { members.contains { $0.key == key } }

  /// Takes a member and returns a scanner at its value, or returns `nil` if the key is missing. Records the
  /// key as requested in both cases.
  mutating func take(_ key: StaticString) -> NDJSONScanner? {
    requestedKeys.append(key)
    for step in 0..<members.count {
      let index = next + step < members.count ? next + step : next + step - members.count
      guard members[index].key == key else { continue }
      members[index].isTaken = true
      next = index + 1 < members.count ? index + 1 : 0
      return members[index].value
    }
    return nil
  }

  /// Returns the problem that a required key is missing.
  func missing(_ key: StaticString) -> WireProblem {
    WireProblem(
      .missingName, offset: offset, field: key.description, "\"\(key)\" is missing", remedy: "add it")
  }

  /// Returns the problem that all of several keys are missing.
  func missing(oneOf keys: [StaticString]) -> WireProblem {
    let names = keys.map(\.description).joined(separator: "\" or \"")
    return WireProblem(
      .missingName, offset: offset, field: keys.first?.description, "\"\(names)\" is missing",
      remedy: "add one of them")
  }

  /// Returns the problem of a misspelled key if that probably explains why a key is missing. Otherwise
  /// returns the given problem.
  ///
  /// - Parameter known: All keys that the object may have.
  func misspelling(behind problem: WireProblem, known: [String]) -> WireProblem {
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

  /// Returns the problem that two keys exclude each other.
  func excluded(_ key: StaticString, by other: StaticString) -> WireProblem {
    let place = members.first { $0.key == key }?.offset ?? offset
    return WireProblem(
      .value, offset: place, field: key.description, "\"\(key)\" and \"\(other)\" exclude each other",
      remedy: "write two lines")
  }

  /// Throws the problem of the first member that was not taken.
  func end() throws(WireProblem) {
    for member in members where !member.isTaken {
      throw unknown(member, known: requestedKeys.map(\.description))
    }
  }

  private func unknown(_ member: Member, known: [String]) -> WireProblem {
    let name = member.key.string
    let hint =
      NearestNames.hint(for: name, among: known)
      ?? "remove it; known keys: \(known.joined(separator: ", "))"
    return WireProblem(
      .unknownName, offset: member.offset, field: String(name.prefix(64)),
      "unknown key \"\(name.prefix(64))\"", remedy: hint)
  }
}

extension JSONText {
  /// Returns whether two keys are equal after their escapes are resolved.
  fileprivate static func == (a: JSONText, b: JSONText) -> Bool {
    if a.hasEscapes || b.hasEscapes { return a.string == b.string }
    return a.bytes.elementsEqual(b.bytes)
  }
}
