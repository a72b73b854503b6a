/// Finds the names that somebody may have meant.
package enum NearestNames {
  /// The names at the least edit distance (letters added, left out or changed; case does not count),
  /// in the order given, at most `limit`; none when more than a third of the letters would have to change.
  ///
  /// - Complexity: O(n · m · names) for words of n and m letters
  package static func of(_ word: String, among names: [String], limit: Int = 3) -> [String] {
    let word = Array(word.lowercased().unicodeScalars.prefix(64))
    var best = max(1, word.count / 3)
    var nearest: [String] = []
    for name in names {
      let candidate = Array(name.lowercased().unicodeScalars)
      guard abs(candidate.count - word.count) <= best else { continue }
      let distance = editDistance(word, candidate)
      if distance < best { nearest = [] }
      if distance <= best {
        best = distance
        nearest.append(name)
      }
    }
    return Array(nearest.prefix(limit))
  }

  /// Levenshtein's distance, one row at a time.
  private static func editDistance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
    var row = Array(0...b.count)
    for (i, letter) in a.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, other) in b.enumerated() {
        let replaced = diagonal + (letter == other ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(replaced, row[j] + 1, diagonal + 1)
      }
    }
    return row[b.count]
  }
}
