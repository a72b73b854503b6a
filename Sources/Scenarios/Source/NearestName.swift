/// Finds the known name that a wrong one was probably meant to be.
package enum NearestName {
  /// The candidate with the smallest edit distance, when that is small enough to be a likely slip; the
  /// first of several. Failing that, one that begins like the word.
  ///
  /// - Complexity: O(candidates × length²)
  package static func of(_ word: String, among candidates: some Sequence<String>) -> String? {
    let wanted = Array(word.lowercased())
    let names = candidates.map { (name: $0, letters: Array($0.lowercased())) }
    if let whole = nearest(wanted, names.map { ($0.name, $0.letters) }) { return whole }
    guard wanted.count >= 3 else { return nil }
    // `qiet` for `quietHours`: what was left out does not count.
    return nearest(
      wanted,
      names.flatMap { name in
        (wanted.count - 1...wanted.count + 1).map { (name.name, Array(name.letters.prefix($0))) }
      })
  }

  private static func nearest(_ word: [Character], _ candidates: [(name: String, letters: [Character])])
    -> String?
  {
    var best: (name: String, distance: Int)?
    for (name, letters) in candidates {
      // A third of the letters may be wrong, and one always.
      let allowed = max(1, max(word.count, letters.count) / 3)
      guard abs(letters.count - word.count) <= allowed else { continue }
      let distance = distance(word, letters)
      if distance <= allowed, distance < best?.distance ?? .max {
        best = (name, distance)
      }
    }
    return best?.name
  }

  /// `did you mean 'x'?`, or, when nothing is near and there are few, all that is known.
  package static func hint(for word: String, among candidates: [String]) -> String? {
    if let near = of(word, among: candidates) { return "did you mean '\(near)'?" }
    guard !candidates.isEmpty, candidates.count <= 12 else { return nil }
    return "known: " + candidates.joined(separator: ", ")
  }

  /// Insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`.
  package static func distance(_ a: [Character], _ b: [Character]) -> Int {
    var beforeLast = [Int](repeating: 0, count: b.count + 1)
    var last = Array(0...b.count)
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var cost = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          cost = min(cost, beforeLast[j - 1] + 1)
        }
        row.append(cost)
      }
      beforeLast = last
      last = row
    }
    return last[b.count]
  }
}
