import Recordings
import TextFormats
import TriggerModel

/// Names in an order of their own: a name by its position, a position by its name.
package final class NameTable: Sendable {
  /// What one of them is called in messages: "reminder".
  package let noun: String
  package let names: [String]
  /// They are words of the wire form, and none that a scenario could add to.
  private let isClosed: Bool
  private let positions: [String: UInt32]
  /// The names as JSON strings, one after the other.
  private let quoted: [UInt8]
  /// Where each of them ends in ``quoted``, after a 0 for the first's beginning.
  private let bounds: [Int]

  /// Of a name that is there twice the first position counts.
  package init(_ noun: String, _ names: [String], isClosed: Bool = false) {
    self.noun = noun
    self.names = names
    self.isClosed = isClosed
    positions = Dictionary(
      names.enumerated().map { ($0.element, UInt32($0.offset)) }, uniquingKeysWith: { first, _ in first })
    var quoted: [UInt8] = []
    var bounds = [0]
    for name in names {
      quoted.append(quoting: name)
      bounds.append(quoted.count)
    }
    self.quoted = quoted
    self.bounds = bounds
  }

  /// - Complexity: O(1), and O(length of the name)
  package func position(of name: String) -> UInt32? { positions[name] }

  func position(of text: JSONText) -> UInt32? { positions[text.string] }

  /// What to write in place of a name that is none of them.
  func remedy(for name: String) -> String {
    NearestNames.hint(for: name, among: names)
      ?? (isClosed ? "known: " + names.joined(separator: ", ") : "name one that the scenario has")
  }

  /// Appends the name at a position as a JSON string.
  @inline(__always)
  func append(_ position: Int, to bytes: inout [UInt8]) {
    quoted.withUnsafeBufferPointer {
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: $0[bounds[position]..<bounds[position + 1]]))
    }
  }
}
