/// Does the same for many things, several at a time.
enum Parallel {
  /// The results in order, whatever the number of jobs.
  ///
  /// - Parameter progress: Called after each with the number done so far.
  static func map<Result: Sendable>(
    _ count: Int, jobs: Int, progress: (Int) -> Void, _ body: @escaping @Sendable (Int) -> Result
  ) async -> [Result] {
    var results: [Result?] = Array(repeating: nil, count: count)
    await withTaskGroup(of: (Int, Result).self) { group in
      var next = 0
      var done = 0
      func start() {
        guard next < count else { return }
        let index = next
        next += 1
        group.addTask { (index, body(index)) }
      }
      for _ in 0..<min(max(1, jobs), count) { start() }
      for await (index, result) in group {
        results[index] = result
        done += 1
        progress(done)
        start()
      }
    }
    return results.compactMap(\.self)
  }
}
