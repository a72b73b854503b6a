package import TextFormats

/// An edit of a scenario file.
package enum ScenarioEdit: Hashable, Sendable {
  /// Replaces or adds the value at a path of keys. The first key is the outermost.
  case write([String], JSONValue)
  /// Removes the value at a path of keys.
  case leaveOut([String], JSONValue)
  /// Adds an entry at the end of the time line.
  case add(String)
  /// Removes the entry at an index of the time line. The associated values are the index, the entry's text
  /// and its line in the file, or `nil` if the line is unknown.
  case leaveOutEntry(Int, String, line: Int?)

  /// Replaces the item at an index of the list of reminders. If the index is `nil`, the item is appended.
  case replaceReminder(Int?, JSONValue, line: Int?)

  /// The keys of the edited value, or `nil` if the edit affects an entry or a list item.
  var keys: [String]? {
    switch self {
    case .write(let keys, _), .leaveOut(let keys, _): keys
    case .add, .leaveOutEntry, .replaceReminder: nil
    }
  }

  /// The verb for ``text`` in messages.
  package var verb: String {
    switch self {
    case .write: "write"
    case .leaveOut: "leave out"
    case .add: "add to the time line"
    case .leaveOutEntry: "leave out of the time line"
    case .replaceReminder(nil, _, _): "add to the list of reminders"
    case .replaceReminder(_, _, let line):
      "write in the list of reminders" + (line.map { ", in place of line \($0)" } ?? "")
    }
  }

  /// The new value, formatted for the file. A mapping is merged into the existing mapping. Any other value
  /// replaces the existing value.
  package var text: String {
    switch self {
    case .write(let keys, let value), .leaveOut(let keys, let value):
      keys.reversed().reduce(value) { .object([.init($1, $0)]) }.shortest(isOutermost: true)
    case .add(let entry): "- " + JSONValue.string(entry).shortest()
    case .replaceReminder(_, let value, _): "- " + value.shortest(isOutermost: true)
    case .leaveOutEntry(_, let words, let line): words + (line.map { " (line \($0))" } ?? "")
    }
  }
}

/// A scenario as an editable document.
struct EditableDocument {
  private let document: JSONValue

  init(_ document: JSONValue) {
    self.document = document
  }

  /// The value at a path of keys.
  subscript(keys: [String]) -> JSONValue? {
    keys.reduce(Optional(document)) { $0?[$1] }
  }

  /// The entries of the time line.
  var entries: [JSONValue] {
    if case .array(let entries)? = document["timeline"] { entries } else { [] }
  }

  /// Returns the document with all of the given edits.
  func edited(_ edits: [ScenarioEdit]) -> JSONValue {
    var result = document
    var left: Set<Int> = []
    var added: [JSONValue] = []
    for edit in edits {
      switch edit {
      case .write(let keys, let value): result = result.replacing(keys, with: value)
      case .leaveOut(let keys, _): result = result.replacing(keys, with: nil)
      case .add(let entry): added.append(.string(entry))
      case .leaveOutEntry(let index, _, _): left.insert(index)
      // This document states reminders in long form, so it has no list of reminders.
      case .replaceReminder: break
      }
    }
    if left.isEmpty, added.isEmpty { return result }
    let rest = entries.enumerated().filter { !left.contains($0.offset) }.map(\.element)
    return result.replacing(["timeline"], with: .array(rest + added))
  }
}

extension JSONValue {
  /// Returns a copy in which the value at a path of keys is replaced or removed.
  fileprivate func replacing(_ keys: ArraySlice<String>, with value: JSONValue?) -> JSONValue? {
    guard let key = keys.first else { return value }
    var members: [Member] = []
    if case .object(let own) = self { members = own }
    let place = members.firstIndex { $0.key == key }
    let inner = (place.map { members[$0].value } ?? .object([])).replacing(keys.dropFirst(), with: value)
    switch (place, inner) {
    case (let place?, let inner?): members[place].value = inner
    case (let place?, nil): members.remove(at: place)
    case (nil, let inner?): members.append(.init(key, inner))
    case (nil, nil): break
    }
    return .object(members)
  }

  fileprivate func replacing(_ keys: [String], with value: JSONValue?) -> JSONValue {
    replacing(keys[...], with: value) ?? .object([])
  }

  /// Returns the value as one line of YAML, quoted only if necessary.
  ///
  /// - Parameter isOutermost: Whether to write the outermost mapping without braces.
  package func shortest(isOutermost: Bool = false) -> String {
    switch self {
    case .string(let text): return text.isPlain ? text : line
    case .array(let items): return "[" + items.map { $0.shortest() }.joined(separator: ", ") + "]"
    case .rows(let rows): return JSONValue.array(rows.map { $0 }).shortest()
    case .object(let members):
      let inner = members.map { JSONValue.string($0.key).shortest() + ": " + $0.value.shortest() }
      return isOutermost ? inner.joined(separator: ", ") : "{" + inner.joined(separator: ", ") + "}"
    case .integer, .number, .truth: return line
    }
  }
}

extension String {
  /// Whether YAML parses the unquoted text as the same string, even inside brackets.
  fileprivate var isPlain: Bool {
    guard let first = unicodeScalars.first, let last = unicodeScalars.last,
      first.properties.isAlphabetic || ("0"..."9").contains(first) || first == "+" || first == "_",
      last != " ", last != ":", self != "null"
    else { return false }
    return !contains(": ") && !contains(" #")
      && unicodeScalars.allSatisfy {
        (" "..."~").contains($0) ? !",[]{}".unicodeScalars.contains($0) : $0.properties.isAlphabetic
      }
  }
}
