package import TriggerModel

/// Whose notifications changed fate between two policies: a difference of totals hides that most of what is
/// gained takes the place of something else.
package struct ChangeSums: WholeNumbers, Hashable, Sendable {
  /// Requests that are shown under one of the two policies only.
  package struct Moves: WholeNumbers, Hashable, Sendable, BitwiseCopyable {
    /// Under the variant alone, and tapped of these.
    package var gained: Int64 = 0
    package var tappedGained: Int64 = 0
    /// Under the base alone, and tapped of these.
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

  /// Stands for the absence of a request.
  private static let notMade = Reason.allCases.count

  package private(set) var all = Moves()
  package private(set) var byType: [Moves]
  package private(set) var byHour = [Moves](repeating: Moves(), count: 24)
  /// By what denied it under the base what is gained, and by what denies it now what is displaced.
  private var gainedFrom = [Int64](repeating: 0, count: notMade + 1)
  private var displacedTo = [Int64](repeating: 0, count: notMade + 1)
  /// Shown under both, and tapped under one of them: an earlier notification has made the person tired, or not.
  package private(set) var tapsWon: Int64 = 0
  package private(set) var tapsLost: Int64 = 0
  /// People to whom nothing changes; with gains alone; with losses alone; with both.
  package private(set) var unchanged: Int64 = 0
  package private(set) var onlyGaining: Int64 = 0
  package private(set) var onlyLosing: Int64 = 0
  package private(set) var gainingAndLosing: Int64 = 0
  /// People to whom fewer notifications are shown in all.
  package private(set) var shownFewer: Int64 = 0
  /// People who turn notifications off under the variant alone, and under the base alone.
  package private(set) var optOutsAdded: Int64 = 0
  package private(set) var optOutsSpared: Int64 = 0
  package internal(set) var people = NamedPeople()

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
      NamedPerson(
        person: person, gained: gained, displaced: displaced, shown: (base.shown, variant.shown),
        tapped: (base.tapped, variant.tapped), optedOut: (base.optedOut, variant.optedOut)))
  }

  /// Both are sorted by key.
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
  ///   - old: Its fate under the base; nil: it is not made there. The same goes for `new`.
  ///   - request: Which one it is.
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

  /// Who is named is no number.
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

  /// What had denied the gained ones, and what denies the displaced ones now; nil: no request was made, or none
  /// is.
  package var reasons: [(reason: Reason?, gainedFrom: Int64, displacedTo: Int64)] {
    (0...Self.notMade).compactMap { index in
      let (from, to) = (gainedFrom[index], displacedTo[index])
      return from + to == 0 ? nil : (index < Self.notMade ? Reason.allCases[index] : nil, from, to)
    }
  }
}
