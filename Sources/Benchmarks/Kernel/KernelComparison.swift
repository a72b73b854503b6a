package import Foundation

/// The same models in C++ with `std::priority_queue`, compiled here and now.
package struct KernelComparison {
  private let program: ComparisonProgram

  /// Compiles the program with `g++ -O3`; nil where there is no such compiler.
  ///
  /// - Parameter folder: an existing folder to compile in.
  package init?(compilingIn folder: URL) throws {
    let program = try ComparisonProgram(
      ["g++", "-std=c++17", "-O3"], PackageResources.hold_cpp, name: "hold.cpp", in: folder)
    guard let program else { return nil }
    self.program = program
  }

  /// One timed run.
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
