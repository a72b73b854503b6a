/// Finds the known names that a wrong one was probably meant to be.
package enum NearestNames {
  /// In longer lists only whole names are looked at.
  private static let shortList = 1_000

  /// The names at the least edit distance, in the order given, at most `limit`; none when more than a third
  /// of the letters would have to change. Case does not count.
  ///
  /// - Complexity: O(n · m · names) for words of n and m letters
  package static func of(_ word: String, among names: [String], limit: Int = 3) -> [String] {
    let wanted = letters(String(word.prefix(64)))
    var best = max(1, wanted.count / 3)
    var nearest: [String] = []
    for name in names {
      let candidate = letters(name)
      guard abs(candidate.count - wanted.count) <= best else { continue }
      let distance = distance(wanted, candidate)
      if distance < best { nearest = [] }
      if distance <= best {
        best = distance
        nearest.append(name)
      }
    }
    return Array(nearest.prefix(limit))
  }

  /// The one name that was most likely meant; failing that, one that begins like the word: `qiet` for
  /// `quietHours`.
  package static func likely(_ word: String, among names: some Sequence<String>) -> String? {
    let names = Array(names)
    if let whole = of(word, among: names, limit: 1).first { return whole }
    let count = word.count
    guard count >= 3, names.count <= Self.shortList else { return nil }
    // What was left out at the end does not count.
    let beginnings = names.flatMap { name in (count - 1...count + 1).map { (name, String(name.prefix($0))) } }
    let nearest = of(word, among: beginnings.map(\.1), limit: 1).first
    return beginnings.first { $0.1 == nearest }?.0
  }

  /// `did you mean 'x'?`, or, when nothing is near and there are few, all that is known.
  package static func hint(for word: String, among names: [String]) -> String? {
    if let near = likely(word, among: names) { return "did you mean '\(near)'?" }
    guard !names.isEmpty, names.count <= 12 else { return nil }
    return "known: " + names.joined(separator: ", ")
  }

  /// Insertions, deletions, replacements and swaps of neighbours that turn one word into the other.
  package static func distance(_ a: String, _ b: String) -> Int { distance(Array(a), Array(b)) }

  private static func letters(_ word: String) -> [Character] { Array(word.lowercased()) }

  private static func distance(_ a: [Character], _ b: [Character]) -> Int {
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
