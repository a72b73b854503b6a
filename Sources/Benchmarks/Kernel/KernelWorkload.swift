package import Foundation
import SimulationKernel
import TriggerModel

/// The increments of the kernel benchmark. An increment is the time between an event and its successor.
///
/// Increment i is a function of i, and all compared programs use the same function. A hash of i selects one
/// of 4,096 exponential quantiles from a table, and adds 24 more of its bits. The increments therefore have
/// no period that a branch predictor could learn.
package struct KernelWorkload: Sendable {
  /// The quantiles in milliseconds.
  package let table: [Int64]
  /// The unit in milliseconds. Increments are rounded up to a multiple of it.
  package let quantum: Int64

  /// - Parameter quantum: The unit of increments in milliseconds. If it is 1, hardly any events have the same
  ///   instant. If it is greater than all increments, all events do.
  package init(quantum: Int64 = 1) {
    table = (0..<4_096).map { entry in
      Int64(-1e9 * DeterministicMath.log(1 - (Double(entry) + 0.5) / 4_096))
    }
    self.quantum = quantum
  }

  @inline(__always)
  package func increment(_ index: Int) -> Int64 {
    let bits = Self.hash(UInt64(truncatingIfNeeded: index))
    let exact = table[Int(bits & 4_095)] + Int64(bits >> 12 & 0xFF_FFFF)
    return quantum == 1 ? exact : (exact + quantum - 1) / quantum * quantum
  }

  /// Returns the entity whose event operation `index` of the snooze model reschedules.
  @inline(__always)
  package func victim(_ index: Int, of count: Int) -> Int {
    Int(Self.hash(UInt64(truncatingIfNeeded: index) ^ 0xD1B5_4A32_D192_ED03) % UInt64(count))
  }

  /// Returns the SplitMix64 number at an index.
  @inline(__always)
  private static func hash(_ index: UInt64) -> UInt64 { RandomKey(rawValue: 0).draw(index) }
}

/// The same models, in a C++ program with `std::priority_queue`.
package struct KernelComparison {
  private let program: ComparisonProgram

  /// Compiles the program with `g++ -O3`. Returns `nil` if the compiler fails.
  ///
  /// - Parameter folder: An existing folder for the files.
  package init?(compilingIn folder: URL) throws {
    let program = try ComparisonProgram(
      ["g++", "-std=c++17", "-O3"], PackageResources.hold_cpp, name: "hold.cpp", in: folder)
    guard let program else { return nil }
    self.program = program
  }

  /// Runs the program once.
  package func measure(
    _ model: KernelModel, pending: Int, warmUp: Int, operations: Int, workload: KernelWorkload
  ) throws -> (nanoseconds: Double, result: KernelResult) {
    let table = workload.table.map { "\($0)" }.joined(separator: "\n") + "\n"
    let arguments = [model.rawValue] + [pending, warmUp, operations, Int(workload.quantum)].map { "\($0)" }
    let words = try program.words(3, arguments, input: Data(table.utf8))
    guard let nanoseconds = Double(words[0]), let clock = Int64(words[1]), let hash = UInt64(words[2]) else {
      throw ComparisonProgram.Failure(status: 0, output: words.joined(separator: " "))
    }
    return (nanoseconds, KernelResult(clock: clock, hash: hash))
  }
}
