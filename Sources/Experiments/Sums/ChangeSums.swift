package import TriggerModel

/// The counts of requests whose outcomes differ between two policies.
///
/// Most gained notifications displace others. A difference of totals would hide this.
package struct ChangeSums: IntegerSums, Hashable, Sendable {
  /// The requests that are shown under only one of the two policies.
  package struct Moves: IntegerSums, Hashable, Sendable, BitwiseCopyable {
    /// The requests that are shown only under the variant, and the taps on them.
    package var gained: Int64 = 0
    package var tappedGained: Int64 = 0
    /// The requests that are shown only under the base, and the taps on them.
    package var displaced: Int64 = 0
    package var tappedDisplaced: Int64 = 0

    package init() {}

    package mutating func forEachNumber(_ body: (inout Int64) -> Void) {
      body(&gained)
      body(&tappedGained)
      body(&displaced)
      body(&tappedDisplaced)
    }

    fileprivate mutating func add(_ move: Self) {
      gained &+= move.gained
      tappedGained &+= move.tappedGained
      displaced &+= move.displaced
      tappedDisplaced &+= move.tappedDisplaced
    }
  }

  /// The index of the count for requests that were not made or were still waiting at the end.
  private static let notMade = Reason.allCases.count

  package private(set) var all = Moves()
  package private(set) var byType: [Moves]
  package private(set) var byHour = [Moves](repeating: Moves(), count: 24)
  /// The counts by reason. Gained requests are counted by the reason of the base, displaced requests by the reason of
  /// the variant.
  private var gainedFrom = [Int64](repeating: 0, count: notMade + 1)
  private var displacedTo = [Int64](repeating: 0, count: notMade + 1)
  /// The numbers of requests shown under both policies, but tapped only under the variant (won) or only under the
  /// base (lost).
  ///
  /// Taps change because earlier notifications tire people.
  package private(set) var tapsWon: Int64 = 0
  package private(set) var tapsLost: Int64 = 0
  /// The numbers of people without a change, with only gains, with only losses, and with both.
  package private(set) var unchanged: Int64 = 0
  package private(set) var onlyGaining: Int64 = 0
  package private(set) var onlyLosing: Int64 = 0
  package private(set) var gainingAndLosing: Int64 = 0
  /// The number of people who are shown fewer notifications under the variant.
  package private(set) var shownFewer: Int64 = 0
  /// The numbers of people who turn notifications off only under the variant, and only under the base.
  package private(set) var optOutsAdded: Int64 = 0
  package private(set) var optOutsSpared: Int64 = 0
  package internal(set) var people = NotablePeople()

  package init(types: Int) {
    byType = Array(repeating: Moves(), count: types)
  }

  package mutating func add(
    _ person: UInt64, base: borrowing PersonOutcome, variant: borrowing PersonOutcome
  ) {
    let before = all
    base.decisions.withUnsafeBufferPointer { old in
      variant.decisions.withUnsafeBufferPointer { new in merge(old, new) }
    }
    let (gained, displaced) = (all.gained &- before.gained, all.displaced &- before.displaced)
    switch (gained > 0, displaced > 0) {
    case (false, false): unchanged &+= 1
    case (true, false): onlyGaining &+= 1
    case (false, true): onlyLosing &+= 1
    case (true, true): gainingAndLosing &+= 1
    }
    if variant.shown < base.shown { shownFewer &+= 1 }
    if variant.optedOut > base.optedOut { optOutsAdded &+= 1 }
    if variant.optedOut < base.optedOut { optOutsSpared &+= 1 }
    people.add(
      NotablePerson(
        person: person, gained: gained, displaced: displaced, shown: (base.shown, variant.shown),
        tapped: (base.tapped, variant.tapped), optedOut: (base.optedOut, variant.optedOut)))
  }

  /// Merges two lists of decisions, both sorted by key.
  private mutating func merge(
    _ old: UnsafeBufferPointer<PersonOutcome.Decision>, _ new: UnsafeBufferPointer<PersonOutcome.Decision>
  ) {
    var (i, j) = (0, 0)
    while i < old.count, j < new.count {
      if old[i].key == new[j].key {
        if old[i].fate != new[j].fate { count(old[i].fate, new[j].fate, new[j]) }
        i += 1
        j += 1
      } else if old[i].key < new[j].key {
        count(old[i].fate, nil, old[i])
        i += 1
      } else {
        count(nil, new[j].fate, new[j])
        j += 1
      }
    }
    while i < old.count {
      count(old[i].fate, nil, old[i])
      i += 1
    }
    while j < new.count {
      count(nil, new[j].fate, new[j])
      j += 1
    }
  }

  /// - Parameters:
  ///   - old: The outcome under the base, or `nil` if the base made no request.
  ///   - new: The outcome under the variant, or `nil` if the variant made no request.
  ///   - request: The decision from which the type and the hour are taken.
  private mutating func count(
    _ old: PersonOutcome.Fate?, _ new: PersonOutcome.Fate?, _ request: PersonOutcome.Decision
  ) {
    var move = Moves()
    switch (old?.isShown ?? false, new?.isShown ?? false) {
    case (false, false): return
    case (true, true):
      if new == .tapped { tapsWon &+= 1 } else if old == .tapped { tapsLost &+= 1 }
      return
    case (false, true):
      move.gained = 1
      move.tappedGained = new == .tapped ? 1 : 0
      gainedFrom[Self.index(old)] &+= 1
    case (true, false):
      move.displaced = 1
      move.tappedDisplaced = old == .tapped ? 1 : 0
      displacedTo[Self.index(new)] &+= 1
    }
    all.add(move)
    byType[Int(request.type)].add(move)
    byHour[Int(request.hour)].add(move)
  }

  private static func index(_ fate: PersonOutcome.Fate?) -> Int {
    fate?.reason.map { Int($0.rawValue) } ?? notMade
  }

  package static func += (total: inout Self, part: Self) {
    total.addNumbers(of: part)
    total.people += part.people
  }

  /// Visits all numbers except those of ``people``.
  package mutating func forEachNumber(_ body: (inout Int64) -> Void) {
    all.forEachNumber(body)
    for index in byType.indices { byType[index].forEachNumber(body) }
    for hour in byHour.indices { byHour[hour].forEachNumber(body) }
    for index in gainedFrom.indices { body(&gainedFrom[index]) }
    for index in displacedTo.indices { body(&displacedTo[index]) }
    body(&tapsWon)
    body(&tapsLost)
    body(&unchanged)
    body(&onlyGaining)
    body(&onlyLosing)
    body(&gainingAndLosing)
    body(&shownFewer)
    body(&optOutsAdded)
    body(&optOutsSpared)
  }

  /// The reasons that denied gained requests under the base and displaced requests under the variant.
  ///
  /// The reason is `nil` if the policy made no request, or if the request was still waiting at the end.
  package var reasons: [(reason: Reason?, gainedFrom: Int64, displacedTo: Int64)] {
    (0...Self.notMade).compactMap { index in
      let (from, to) = (gainedFrom[index], displacedTo[index])
      return from + to == 0 ? nil : (index < Self.notMade ? Reason.allCases[index] : nil, from, to)
    }
  }
}

/// A person whose notifications differ between the policies, as an example to replay.
package struct NotablePerson: Hashable, Sendable, BitwiseCopyable {
  package var person: UInt64
  package var gained: Int64
  package var displaced: Int64
  /// The exposures under the base and under the variant.
  package var shown: (base: Int64, variant: Int64)
  package var tapped: (base: Int64, variant: Int64)
  package var optedOut: (base: Int64, variant: Int64)

  package static func == (a: Self, b: Self) -> Bool {
    a.person == b.person && a.gained == b.gained && a.displaced == b.displaced && a.shown == b.shown
      && a.tapped == b.tapped && a.optedOut == b.optedOut
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(person) }
}

extension NotablePerson {
  /// The person as a row of integers.
  var row: [Int64] {
    [
      Int64(person), gained, displaced, shown.base, shown.variant, tapped.base, tapped.variant, optedOut.base,
      optedOut.variant,
    ]
  }

  /// Creates a person from a row, or returns `nil` if the row is invalid.
  init?(row: [Int64]) {
    guard row.count == 9, row.allSatisfy({ $0 >= 0 }) else { return nil }
    self.init(
      person: UInt64(row[0]), gained: row[1], displaced: row[2], shown: (row[3], row[4]),
      tapped: (row[5], row[6]), optedOut: (row[7], row[8]))
  }
}

/// The people whom a policy change affects most.
///
/// The selection does not depend on the order in which people are added, or on their division into parts.
package struct NotablePeople: Hashable, Sendable {
  /// The maximum number of people in each list and in the selection.
  private static let limit = 10
  /// One list for each score, sorted by descending score and then by person number.
  private var lists: [[NotablePerson]] = Array(repeating: [], count: Self.scores.count)

  private static let scores: [@Sendable (NotablePerson) -> Int64] = [
    // The first score favours people who lose more than they gain, the second favours gains, and the third
    // favours people who opt out only under the variant.
    { $0.displaced > 0 ? 1_000 &* ($0.displaced &- $0.gained) &+ $0.displaced : 0 },
    { $0.gained },
    { $0.optedOut.variant > $0.optedOut.base ? 1 &+ $0.displaced : 0 },
  ]

  mutating func add(_ person: NotablePerson) {
    for index in lists.indices {
      let score = Self.scores[index]
      if score(person) <= 0 { continue }
      if lists[index].count == Self.limit, let last = lists[index].last, !Self.isBefore(person, last, score) {
        continue
      }
      // Skip a person who is already in this list, because two parts may contain the same person.
      if lists[index].contains(where: { $0.person == person.person }) { continue }
      let place = lists[index].firstIndex { Self.isBefore(person, $0, score) } ?? lists[index].count
      lists[index].insert(person, at: place)
      if lists[index].count > Self.limit { lists[index].removeLast() }
    }
  }

  private static func isBefore(_ a: NotablePerson, _ b: NotablePerson, _ score: (NotablePerson) -> Int64)
    -> Bool
  {
    let (first, second) = (score(a), score(b))
    return first != second ? first > second : a.person < b.person
  }

  /// The distinct people of all lists, sorted by number. Adding these people to empty lists restores the
  /// lists.
  var everybody: [NotablePerson] {
    lists.joined().reduce(into: [NotablePerson]()) { all, person in
      if !all.contains(where: { $0.person == person.person }) { all.append(person) }
    }.sorted { $0.person < $1.person }
  }

  package static func += (total: inout Self, part: Self) {
    for person in part.lists.joined() { total.add(person) }
  }

  /// At most ten people, taken from the lists in turn.
  package var ten: [NotablePerson] {
    var chosen: [NotablePerson] = []
    for rank in 0..<Self.limit {
      for list in lists where rank < list.count && chosen.count < Self.limit {
        if !chosen.contains(where: { $0.person == list[rank].person }) { chosen.append(list[rank]) }
      }
    }
    return chosen
  }
}
