/// A command line, split into words by the rules of a shell but without starting one.
///
/// Single quotes, double quotes and backslashes have the same meaning as in `sh`. All other special
/// characters of a shell must be quoted (variables, wildcards, pipes, redirections, comments). Unquoted ones
/// are refused, because users would not expect their literal meaning.
package struct CommandWords {
  /// The program and its arguments. There is at least one word, and the first word is not empty.
  package let words: [String]

  /// - Complexity: O(n) in the length of the command.
  package init(splitting command: String) throws(EngineProcessError) {
    var splitter = Splitter(command)
    words = try splitter.split()
    guard let program = words.first, !program.isEmpty else {
      throw splitter.refusal("names no program", "write for example: node my-engine.js")
    }
  }
}

private struct Splitter {
  private let command: String
  private var rest: Substring.UnicodeScalarView
  private var words: [String] = []
  /// The current word, or `nil` between words. A quoted word may be empty.
  private var word: String.UnicodeScalarView?

  init(_ command: String) {
    self.command = command
    rest = Substring(command).unicodeScalars
  }

  func refusal(_ message: String, _ remedy: String) -> EngineProcessError {
    EngineProcessError(.badCommand, command: command, message, remedy: remedy)
  }

  mutating func split() throws(EngineProcessError) -> [String] {
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\0": throw refusal("contains a zero byte", "remove it")
      case " ", "\t", "\n": endWord()
      case "'": try singleQuoted()
      case "\"": try doubleQuoted()
      case "\\":
        guard let next = rest.popFirst() else {
          throw refusal("ends with a backslash", "double it, or remove it")
        }
        if next != "\n" { append(next) }
      case "|", "&", ";", "<", ">", "(", ")", "$", "`", "*", "?", "[":
        throw needsShell(scalar)
      case "~", "#":
        if word == nil { throw needsShell(scalar) }
        append(scalar)
      default: append(scalar)
      }
    }
    endWord()
    return words
  }

  private mutating func singleQuoted() throws(EngineProcessError) {
    word = word ?? .init()
    while let scalar = rest.popFirst() {
      if scalar == "'" { return }
      append(scalar)
    }
    throw refusal("has an unclosed '", "close the quotes")
  }

  private mutating func doubleQuoted() throws(EngineProcessError) {
    word = word ?? .init()
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\"": return
      case "$", "`": throw needsShell(scalar)
      case "\\":
        guard let next = rest.popFirst() else { continue }
        switch next {
        case "\n": break
        case "$", "`", "\"", "\\": append(next)
        default:
          append(scalar)
          append(next)
        }
      default: append(scalar)
      }
    }
    throw refusal("has an unclosed \"", "close the quotes")
  }

  private func needsShell(_ scalar: Unicode.Scalar) -> EngineProcessError {
    refusal(
      "has a \(scalar) that only a shell understands",
      "put it in single quotes to use it literally, or run: sh -c '…'")
  }

  private mutating func append(_ scalar: Unicode.Scalar) {
    word = word ?? .init()
    word?.append(scalar)
  }

  private mutating func endWord() {
    if let word { words.append(String(word)) }
    word = nil
  }
}
