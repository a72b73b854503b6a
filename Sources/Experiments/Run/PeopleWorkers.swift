import Dispatch
import Synchronization

/// Simulates people under several arms on several cores.
package struct PeopleWorkers: Sendable {
  package var jobs: Int
  /// Returns whether to stop. It is called before each block of people. A worker completes the block that it has
  /// begun.
  package var isCancelled: @Sendable () -> Bool
  /// Called with the number of newly completed plays. A play is one person under one arm.
  package var progress: @Sendable (Int64) -> Void

  package init(
    jobs: Int, isCancelled: @escaping @Sendable () -> Bool = { false },
    progress: @escaping @Sendable (Int64) -> Void = { _ in }
  ) {
    self.jobs = max(1, jobs)
    self.isCancelled = isCancelled
    self.progress = progress
  }

  /// The number of people in a worker's block.
  private static let block: UInt64 = 32
  /// The maximum number of people whose rows are buffered, so that the rows can be written in order.
  private static let slice: UInt64 = 8_192

  /// Returns the sums over a range of people.
  ///
  /// The result does not depend on the number of jobs, and equals the sum of the results of any partition.
  /// The memory does not depend on the number of people.
  ///
  /// - Parameter rows: The rows to write, in the order of the people.
  /// - Returns: The sums, and the end of the completed range. After a cancellation, this end is lower than that of
  ///   `people`.
  package func sums(
    of people: Range<UInt64>, under arms: [any PolicyArm], _ metrics: [PeopleMetric], types: Int,
    rows: PersonRows? = nil
  ) -> (sums: ExperimentSums, end: UInt64) {
    var total = ExperimentSums(arms: arms.count, metrics: metrics.count, types: types)
    var start = people.lowerBound
    while start < people.upperBound {
      let end = rows == nil ? people.upperBound : min(start + Self.slice, people.upperBound)
      let done = play(start..<end, under: arms, metrics, types: types, rows: rows, into: &total)
      if done < end { return (total, done) }
      start = end
    }
    return (total, people.upperBound)
  }

  private func play(
    _ people: Range<UInt64>, under arms: [any PolicyArm], _ metrics: [PeopleMetric], types: Int,
    rows: PersonRows?, into total: inout ExperimentSums
  ) -> UInt64 {
    let next = Atomic<UInt64>(0)
    let blocks = (UInt64(people.count) + Self.block - 1) / Self.block
    let result = Mutex((sums: total, texts: [UInt64: String](), end: people.lowerBound))
    DispatchQueue.concurrentPerform(iterations: jobs) { _ in
      var arms = arms
      var outcomes = arms.map { _ in PersonOutcome(types: types) }
      var sums = ExperimentSums(arms: arms.count, metrics: metrics.count, types: types)
      var texts: [UInt64: String] = [:]
      var last = people.lowerBound
      while !isCancelled() {
        let block = next.add(1, ordering: .relaxed).oldValue
        if block >= blocks { break }
        let start = people.lowerBound + block * Self.block
        let end = min(start + Self.block, people.upperBound)
        var text = ""
        for person in start..<end {
          Self.play(person, under: &arms, into: &outcomes)
          sums.add(person, outcomes, metrics)
          rows?.write(person, outcomes, &text)
        }
        if rows != nil { texts[block] = text }
        last = max(last, end)
        progress(Int64(end - start) * Int64(arms.count))
      }
      result.withLock {
        $0.sums += sums
        $0.texts.merge(texts) { first, _ in first }
        // Workers take blocks in order and complete them, so all people up to the end are included.
        $0.end = max($0.end, last)
      }
    }
    let (sums, texts, end) = result.withLock { $0 }
    total = sums
    if let rows { for block in texts.keys.sorted() { rows.sink(texts[block] ?? "") } }
    return end
  }

  private static func play(
    _ person: UInt64, under arms: inout [any PolicyArm], into outcomes: inout [PersonOutcome]
  ) {
    for arm in arms.indices {
      if let equivalent = arms[arm].equivalentArm(for: person, among: arms[..<arm]) {
        outcomes[arm] = outcomes[equivalent]
      } else {
        arms[arm].run(person, into: &outcomes[arm])
      }
    }
  }

  /// Returns the counts of each person, or `nil` if the run was cancelled.
  ///
  /// The result does not depend on the number of jobs. Its memory grows with the number of people.
  func counts(
    of people: Range<UInt64>, under arms: [any PolicyArm], _ metrics: [PeopleMetric], types: Int
  ) -> PersonCounts? {
    let next = Atomic<UInt64>(0)
    let blocks = (UInt64(people.count) + Self.block - 1) / Self.block
    let result = Mutex(PersonCounts(people: people.count, arms: arms.count, metrics: metrics.count))
    let isComplete = Mutex(true)
    DispatchQueue.concurrentPerform(iterations: jobs) { _ in
      var arms = arms
      var outcomes = arms.map { _ in PersonOutcome(types: types) }
      while true {
        let block = next.add(1, ordering: .relaxed).oldValue
        if block >= blocks { break }
        if isCancelled() { return isComplete.withLock { $0 = false } }
        let start = people.lowerBound + block * Self.block
        let end = min(start + Self.block, people.upperBound)
        var numbers: [Int64] = []
        for person in start..<end {
          Self.play(person, under: &arms, into: &outcomes)
          for metric in metrics {
            for outcome in outcomes {
              let (numerator, denominator) = metric.counts(outcome)
              numbers += [numerator, denominator]
            }
          }
        }
        result.withLock { $0.replace(from: Int(start - people.lowerBound), with: numbers) }
        progress(Int64(end - start) * Int64(arms.count))
      }
    }
    return isComplete.withLock { $0 } ? result.withLock { $0 } : nil
  }
}

/// The numerators and denominators of metrics for each person and arm.
struct PersonCounts: Sendable {
  let people: Int
  private let arms: Int
  private let metrics: Int
  private var numbers: [Int64]

  init(people: Int, arms: Int, metrics: Int) {
    (self.people, self.arms, self.metrics) = (people, arms, metrics)
    numbers = Array(repeating: 0, count: people * arms * metrics * 2)
  }

  /// Replaces the numbers of consecutive people.
  fileprivate mutating func replace(from person: Int, with more: [Int64]) {
    let first = person * arms * metrics * 2
    numbers.replaceSubrange(first..<first + more.count, with: more)
  }

  subscript(person: Int, metric: Int, arm: Int) -> (numerator: Double, denominator: Double) {
    let index = ((person * metrics + metric) * arms + arm) * 2
    return (Double(numbers[index]), Double(numbers[index + 1]))
  }
}

/// Rows to write for each person.
package struct PersonRows: Sendable {
  /// Appends the lines of one person.
  package var write: @Sendable (UInt64, [PersonOutcome], inout String) -> Void
  /// Receives the lines of consecutive people.
  package var sink: @Sendable (String) -> Void

  package init(
    write: @escaping @Sendable (UInt64, [PersonOutcome], inout String) -> Void,
    sink: @escaping @Sendable (String) -> Void
  ) {
    self.write = write
    self.sink = sink
  }
}
