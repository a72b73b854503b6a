/// Finds known names that are similar to a misspelled name.
package enum NearestNames {
  /// The maximum number of names whose beginnings are also compared.
  private static let shortList = 1_000

  /// Returns up to `limit` other names with the smallest edit distance, in the given order. Excludes names
  /// that differ in more than a third of their letters. Case is ignored.
  ///
  /// - Complexity: O(n · m) for each name, for words of n and m letters.
  package static func of(_ word: String, among names: [String], limit: Int = 3) -> [String] {
    let wanted = letters(String(word.prefix(64)))
    var best = max(1, wanted.count / 3)
    var nearest: [String] = []
    for name in names where name != word {
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

  /// Returns the most similar other name, or else one with a similar beginning, such as `quietHours` for
  /// `qiet`. Returns `nil` if there is none.
  package static func likely(_ word: String, among names: some Sequence<String>) -> String? {
    let names = names.filter { $0 != word }
    if let whole = of(word, among: names, limit: 1).first { return whole }
    let count = word.count
    guard count >= 3, names.count <= Self.shortList else { return nil }
    // The end of the word may be missing, so also compare it with the beginnings of names.
    let beginnings = names.flatMap { name in (count - 1...count + 1).map { (name, String(name.prefix($0))) } }
    let nearest = of(word, among: beginnings.map(\.1), limit: 1).first
    return beginnings.first { $0.1 == nearest }?.0
  }

  /// Returns `did you mean 'x'?`. If no name is similar, returns a list of all names, or `nil` if there are
  /// none or too many to list.
  package static func hint(for word: String, among names: [String]) -> String? {
    if let near = likely(word, among: names) { return "did you mean '\(near)'?" }
    guard !names.isEmpty, names.count <= 12 else { return nil }
    return "known: " + names.joined(separator: ", ")
  }

  /// Returns the edit distance between two words. Insertions, deletions, replacements and swaps of adjacent
  /// letters count as one edit.
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

/// Converts names to the spelling that stores and analytics use.
package enum SnakeCase {
  /// Returns a name in snake case: `trainingDay` becomes `training_day`, and `openURL` becomes `open_url`.
  ///
  /// HealthKit counts as one word because it is a product name: `healthKitConnect` becomes
  /// `healthkit_connect`, which is the key in the FitMe app.
  package static func of(_ name: String) -> String {
    let isOneWord = name.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) }
    if isOneWord { return name }
    var text = ""
    var isInWord = false
    for letter in name {
      if letter.isUppercase, isInWord { text.append("_") }
      text += letter.lowercased()
      isInWord = letter.isLowercase || letter.isNumber
    }
    var words = text.split(separator: "_", omittingEmptySubsequences: false)
    for index in words.indices.dropLast().reversed() where words[index...].starts(with: ["health", "kit"]) {
      words.replaceSubrange(index...index + 1, with: ["healthkit"])
    }
    return words.joined(separator: "_")
  }
}
