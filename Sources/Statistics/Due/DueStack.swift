import TriggerModel

/// What was due of one reminder and is not answered, the latest last.
///
/// Where the phone tells the app of nothing there may be millions of them. Each may still be answered, the latest
/// first, and none is given up: all but the latest are packed, in seven bytes each where they come at odd times and in
/// three where they come at even ones.
struct DueStack: Sendable {
  /// So many are packed together: enough to make little of what each batch begins with, and few enough to be left as
  /// they are, as nearly all that is done with them comes to the latest.
  static let batch = 128

  /// The earliest, ``batch`` in each.
  private var packed: [PackedDues] = []
  private var latest: [Due] = []

  /// The earliest first.
  var all: some Sequence<Due> {
    (0...packed.count).lazy.flatMap { $0 < packed.count ? packed[$0].all : latest }
  }

  var isEmpty: Bool { packed.isEmpty && latest.isEmpty }

  mutating func append(_ due: Due) {
    latest.append(due)
    if latest.count >= 2 * Self.batch { pack() }
  }

  /// Takes out the latest of which something holds.
  ///
  /// - Returns: It, and how many were due before it; nil: it holds of none.
  mutating func removeLast(where isIt: (Due) -> Bool) -> (due: Due, position: Int)? {
    var found = latest.lastIndex(where: isIt)
    if found == nil {
      guard let batch = packed.lastIndex(where: { $0.all.contains(where: isIt) }) else { return nil }
      unpack(from: batch)
      found = latest.prefix(Self.batch).lastIndex(where: isIt)
    }
    return found.map { (latest.remove(at: $0), packed.count * Self.batch + $0) }
  }

  /// Puts one in, so many of the others before it.
  mutating func insert(_ due: Due, at position: Int) {
    if position < packed.count * Self.batch { unpack(from: position / Self.batch) }
    latest.insert(due, at: position - packed.count * Self.batch)
    if latest.count >= 2 * Self.batch { pack() }
  }

  /// Changes the latest, if there is one.
  mutating func changeLast(_ body: (inout Due) -> Void) {
    if latest.isEmpty, !packed.isEmpty { unpack(from: packed.count - 1) }
    if !latest.isEmpty { body(&latest[latest.count - 1]) }
  }

  /// Leaves at least a batch of them as they are.
  private mutating func pack() {
    let count = latest.count / Self.batch - 1
    for start in stride(from: 0, to: count * Self.batch, by: Self.batch) {
      packed.append(PackedDues(latest[start..<start + Self.batch]))
    }
    latest.removeFirst(count * Self.batch)
  }

  private mutating func unpack(from batch: Int) {
    latest = packed[batch...].flatMap(\.all) + latest
    packed.removeSubrange(batch...)
  }
}

/// A batch of them: word by word what the first one says, and by how much each next one differs; once, where that is
/// the same of all.
private struct PackedDues: Sendable {
  private let steps: Parcel.Sealed

  init(_ dues: ArraySlice<Due>) {
    var last = SIMD16<UInt64>.zero
    let steps = dues.map { due in
      let words = due.words
      defer { last = words }
      return words &- last
    }
    var parcel = Parcel()
    for word in 0..<Due.wordCount {
      var column = steps.map { $0[word] }
      if column[1...].allSatisfy({ $0 == column[1] }) { column.removeLast(column.count - 2) }
      parcel.carry(&column)
    }
    self.steps = parcel.sealed()
  }

  var all: [Due] {
    var parcel = Parcel(opening: steps)
    var steps = Array(repeating: SIMD16<UInt64>.zero, count: DueStack.batch)
    for word in 0..<Due.wordCount {
      var column: [UInt64] = []
      parcel.carry(&column)
      for index in steps.indices { steps[index][word] = column[min(index, column.count - 1)] }
    }
    var last = SIMD16<UInt64>.zero
    return steps.map { step in
      last &+= step
      return Due(words: last)
    }
  }
}
