import Foundation

/// The fenced blocks of a Markdown text.
enum Markdown {
  /// The blocks of a language, in order.
  static func blocks(_ language: String, in text: String) -> [String] {
    text.components(separatedBy: "```\(language)\n").dropFirst().compactMap {
      $0.components(separatedBy: "```").first
    }
  }

  /// What a page has for its reader to put in a folder, or to type there.
  enum Piece: Equatable {
    /// A block below a line that has nothing but the file's name.
    case file(String, text: String)
    /// Any other block, with its language.
    case block(String, text: String)
  }

  /// The blocks of a section with a heading of the second level, in order.
  static func pieces(of section: String, in text: String) -> [Piece] {
    var pieces: [Piece] = []
    var isInside = false
    var name: String?
    var open: (language: String, lines: [Substring])?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if let block = open {
        guard line == "```" else {
          open?.lines.append(line)
          continue
        }
        let text = block.lines.joined(separator: "\n") + "\n"
        pieces.append(name.map { .file($0, text: text) } ?? .block(block.language, text: text))
        (open, name) = (nil, nil)
      } else if line.hasPrefix("## ") {
        isInside = line == "## \(section)"
      } else if isInside, line.hasPrefix("```") {
        open = (String(line.dropFirst(3)), [])
      } else if isInside, let match = line.wholeMatch(of: /`([^`]+)`/) {
        name = String(match.1)
      }
    }
    return pieces
  }
}
