/// Somebody whose notifications changed fate, to be looked at.
package struct NamedPerson: Hashable, Sendable, BitwiseCopyable {
  package var person: UInt64
  package var gained: Int64
  package var displaced: Int64
  /// Under the base, and under the variant.
  package var shown: (base: Int64, variant: Int64)
  package var tapped: (base: Int64, variant: Int64)
  package var optedOut: (base: Int64, variant: Int64)

  package static func == (a: Self, b: Self) -> Bool {
    a.person == b.person && a.gained == b.gained && a.displaced == b.displaced && a.shown == b.shown
      && a.tapped == b.tapped && a.optedOut == b.optedOut
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(person) }
}

extension NamedPerson {
  /// As a row of numbers.
  var row: [Int64] {
    [
      Int64(person), gained, displaced, shown.base, shown.variant, tapped.base, tapped.variant, optedOut.base,
      optedOut.variant,
    ]
  }

  /// Nil where the row is none of these.
  init?(row: [Int64]) {
    guard row.count == 9, row.allSatisfy({ $0 >= 0 }) else { return nil }
    self.init(
      person: UInt64(row[0]), gained: row[1], displaced: row[2], shown: (row[3], row[4]),
      tapped: (row[5], row[6]), optedOut: (row[7], row[8]))
  }
}

/// The people who show most of what a change of policy does: the same ones in whatever order, and in whatever
/// parts, people are taken.
package struct NamedPeople: Hashable, Sendable {
  /// In each list, and of all that are chosen from them.
  private static let limit = 10
  /// Each in the order of its score, and of equal scores by number.
  private var lists: [[NamedPerson]] = Array(repeating: [], count: Self.scores.count)

  private static let scores: [@Sendable (NamedPerson) -> Int64] = [
    // Lost most, for what they gained; gained most; turned notifications off under the variant alone.
    { $0.displaced > 0 ? 1_000 &* ($0.displaced &- $0.gained) &+ $0.displaced : 0 },
    { $0.gained },
    { $0.optedOut.variant > $0.optedOut.base ? 1 &+ $0.displaced : 0 },
  ]

  package init() {}

  mutating func add(_ person: NamedPerson) {
    for index in lists.indices {
      let score = Self.scores[index]
      if score(person) <= 0 { continue }
      if lists[index].count == Self.limit, let last = lists[index].last, !Self.isBefore(person, last, score) {
        continue
      }
      // Of two parts both may name them, in several lists.
      if lists[index].contains(where: { $0.person == person.person }) { continue }
      let place = lists[index].firstIndex { Self.isBefore(person, $0, score) } ?? lists[index].count
      lists[index].insert(person, at: place)
      if lists[index].count > Self.limit { lists[index].removeLast() }
    }
  }

  private static func isBefore(_ a: NamedPerson, _ b: NamedPerson, _ score: (NamedPerson) -> Int64) -> Bool {
    let (first, second) = (score(a), score(b))
    return first != second ? first > second : a.person < b.person
  }

  /// Everybody in any of the lists, each once, by number: adding them again makes the same lists.
  var everybody: [NamedPerson] {
    lists.joined().reduce(into: [NamedPerson]()) { all, person in
      if !all.contains(where: { $0.person == person.person }) { all.append(person) }
    }.sorted { $0.person < $1.person }
  }

  package static func += (total: inout Self, part: Self) {
    for person in part.lists.joined() { total.add(person) }
  }

  /// Ten of them, or as many as there are: from each list in turn.
  package var ten: [NamedPerson] {
    var chosen: [NamedPerson] = []
    for rank in 0..<Self.limit {
      for list in lists where rank < list.count && chosen.count < Self.limit {
        if !chosen.contains(where: { $0.person == list[rank].person }) { chosen.append(list[rank]) }
      }
    }
    return chosen
  }
}
