import CivilTime
import Foundation
import TextFormats
import TriggerModel

@testable import Scenarios

/// The regular expression of a place's sentences, and the ways to say something that it is made of.
struct SentencePattern {
  private let text: [Character]
  private let expression: NSRegularExpression?

  init(_ text: String) {
    self.text = Array(text)
    expression = try? NSRegularExpression(pattern: text)
  }

  /// The patterns of a schema's first form, put together.
  static func find(in forms: JSONValue) -> String? {
    guard case .array(let items) = forms, let first = items.first else { return nil }
    let patterns = patterns(in: first)
    return patterns.isEmpty ? nil : patterns.joined(separator: "|")
  }

  private static func patterns(in schema: JSONValue) -> [String] {
    if case .string(let pattern)? = schema["pattern"] { return [pattern] }
    if case .array(let items)? = schema["anyOf"] { return items.flatMap(patterns) }
    return []
  }

  func matches(_ sentence: String) -> Bool {
    expression?.firstMatch(in: sentence, range: NSRange(sentence.startIndex..., in: sentence)) != nil
  }

  /// What stands for one value has its own description, and is not taken apart.
  private static let atoms = [
    Atom<[Int]>.timesOfDay.pattern, Atom<TimeSpan>.duration.pattern, Atom<CivilDate>.date.pattern,
    Atom<Int32>.timeOfDay.pattern, Atom<Int>.minuteOfDay.pattern, Atom<WeekdaySet>.days.pattern,
    Atom<Int64>.ratio.pattern, Atom<ReminderID>.reminderID.pattern, Atom<String>.newName.pattern,
    Atom<Double>.distance.pattern,
    // Offsets, steps and levels, and a position.
    #"\d+(?:\.\d+)?[a-z]+"#, #"\d+(?:\.\d+)? *[a-z]+"#, #"\d+(?:\.\d)? *%"#,
    #"\[ *-?\d+(?:\.\d+)? *, *-?\d+(?:\.\d+)? *\]"#,
  ].map(Array.init)

  /// The alternatives and the optional parts, outside of values and of lists of fixed words, as ranges.
  var branches: [Range<Int>] {
    var branches: [Range<Int>] = []
    var open: [(start: Int, bars: [Int])] = []
    var index = 0
    while index < text.count {
      if let atom = Self.atoms.filter({ text[index...].starts(with: $0) }).max(by: { $0.count < $1.count }) {
        index += atom.count
        continue
      }
      switch text[index] {
      case "\\": index += 1
      case "[":
        while index < text.count, text[index] != "]" { index += text[index] == "\\" ? 2 : 1 }
      case "(": open.append((index, []))
      case "|": if !open.isEmpty { open[open.count - 1].bars.append(index) }
      case ")":
        let group = open.removeLast()
        branches += self.branches(from: group.start, bars: group.bars, to: index)
      default: break
      }
      index += 1
    }
    return branches
  }

  private func branches(from start: Int, bars: [Int], to end: Int) -> [Range<Int>] {
    let first = text[start...].starts(with: "(?:") ? start + 3 : start + 1
    let isOptional = end + 1 < text.count && "?*".contains(text[end + 1])
    let ends = bars + [end]
    let alternatives = zip([first] + bars.map { $0 + 1 }, ends).map { $0..<$1 }
    // Closed lists of words are printed as such.
    let words = ClosedWords(String(text[first..<end]))
    if bars.isEmpty { return isOptional ? [first..<end] : [] }
    return words.rest.isEmpty ? [] : alternatives
  }

  func without(_ branch: Range<Int>) -> String {
    String(text[..<branch.lowerBound]) + "(?!)" + String(text[branch.upperBound...])
  }

  /// The branch as words, when it is nothing else: a name may fit them as well.
  func words(of branch: Range<Int>) -> String? {
    let closed = ClosedWords(text(of: branch))
    return closed.rest.isEmpty && closed.words.count == 1 ? closed.words[0] : nil
  }

  func text(of branch: Range<Int>) -> String { String(text[branch]) }

  func before(_ branch: Range<Int>) -> String { String(text[..<branch.lowerBound]) }
}
