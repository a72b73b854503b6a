import Benchmarks
import Foundation
import Testing

@Suite struct KernelBenchTests {
  /// The suite reports a row only if all engines have the same clock and hash. The C++ program takes part if
  /// a compiler is installed.
  @Test func `all engines agree`() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var bench = KernelBench(comparison: try KernelComparison(compilingIn: folder))
    bench.rounds = 1
    bench.operations = 5_000
    bench.warmUp = 0
    for quantum in [1, 1_000_000, 60_000_000_000] as [Int64] {
      for model in KernelModel.allCases {
        let row = try bench.row(model, pending: 1_000, quantum: quantum)
        #expect(row.result.clock > 0)
        #expect(row.nanoseconds > 0)
        #expect((row.cppNanoseconds != nil) == (bench.comparison != nil))
      }
    }
  }

  @Test func `events take little memory and are seldom moved`() throws {
    var bench = KernelBench(comparison: nil)
    bench.rounds = 1
    bench.operations = 30_000
    bench.warmUp = 0
    for pending in [10_000, 50_000] {
      for model in KernelModel.allCases {
        let row = try bench.row(model, pending: pending)
        #expect(row.bytesPerEvent <= 32, "\(model), \(pending)")
        #expect(row.movesPerOperation < 3, "\(model), \(pending)")
      }
    }
  }

  /// The result differs if two events are exchanged or an entity differs, even if the clock is the same.
  @Test func `the result depends on the order of events`() {
    func result(_ events: [(time: Int64, entity: UInt64)]) -> KernelResult {
      events.reduce(into: KernelResult(clock: 0, hash: 0)) { $0.note($1.time, $1.entity) }
    }
    let order = result([(5, 1), (7, 2), (7, 3), (9, 4)])
    #expect(order == result([(5, 1), (7, 2), (7, 3), (9, 4)]))
    #expect(order != result([(5, 1), (7, 3), (7, 2), (9, 4)]))
    #expect(order != result([(5, 1), (7, 2), (7, 2), (9, 4)]))
    #expect(order != result([(4, 2), (7, 2), (7, 3), (9, 4)]))
  }

  /// Recorded results are comparable only if the increments are the same.
  @Test func `the workload is fixed`() {
    let workload = KernelWorkload()
    #expect(workload.table.reduce(0, &+) == 4_095_653_434_538)
    #expect((0..<1_000).map(workload.increment).reduce(0, &+) == 977_653_106_547)
  }
}
