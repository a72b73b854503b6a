import TextFormats

/// SentenceNames within sentences.
enum SentenceNames {
  /// In quotes where it is a word of sentences.
  static func word(_ name: String) -> String {
    SentenceWords.reserved.contains(name) ? QuotedText.write(name) : name
  }
}
