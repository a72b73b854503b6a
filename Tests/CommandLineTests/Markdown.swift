import Foundation

/// The fenced blocks of a Markdown text.
enum Markdown {
  /// The blocks of a language, in order.
  static func blocks(_ language: String, in text: String) -> [String] {
    text.components(separatedBy: "```\(language)\n").dropFirst().compactMap {
      $0.components(separatedBy: "```").first
    }
  }
}
