package import Foundation

/// The same models in C++ with `std::priority_queue`, compiled here and now.
package struct KernelComparison {
  private let folder: URL
  private var program: URL { folder.appendingPathComponent("hold") }

  /// Compiles the program with `g++ -O3`; nil where there is no such compiler.
  ///
  /// - Parameter folder: an existing folder to compile in.
  package init?(compilingIn folder: URL) throws {
    self.folder = folder
    let source = folder.appendingPathComponent("hold.cpp")
    try Data(PackageResources.hold_cpp).write(to: source)
    let compiler = try Self.run(
      URL(fileURLWithPath: "/usr/bin/env"), ["g++", "-std=c++17", "-O3", "-o", program.path, source.path])
    guard compiler.status == 0 else { return nil }
  }

  /// One timed run.
  package func measure(
    _ model: KernelModel, pending: Int, warmUp: Int, operations: Int, workload: KernelWorkload
  ) throws -> (nanoseconds: Double, result: KernelResult) {
    let table = workload.table.map { "\($0)" }.joined(separator: "\n") + "\n"
    let arguments = [model.rawValue] + [pending, warmUp, operations, Int(workload.quantum)].map { "\($0)" }
    let run = try Self.run(program, arguments, input: Data(table.utf8))
    let fields = run.output.split(separator: " ")
    guard run.status == 0, fields.count == 3, let nanoseconds = Double(fields[0]),
      let clock = Int64(fields[1]),
      let hash = UInt64(fields[2])
    else { throw Failure(status: run.status, output: run.output) }
    return (nanoseconds, KernelResult(clock: clock, hash: hash))
  }

  /// The comparison program did not do what it should.
  package struct Failure: Error, CustomStringConvertible {
    package var status: Int32
    package var output: String
    package var description: String { "the C++ program ended with status \(status): \(output)" }
  }

  private static func run(
    _ executable: URL, _ arguments: [String], input: Data = Data()
  ) throws -> (status: Int32, output: String) {
    let process = Process()
    let (standardInput, standardOutput) = (Pipe(), Pipe())
    process.executableURL = executable
    process.arguments = arguments
    process.standardInput = standardInput
    process.standardOutput = standardOutput
    process.standardError = FileHandle.nullDevice
    try process.run()
    try standardInput.fileHandleForWriting.write(contentsOf: input)
    try standardInput.fileHandleForWriting.close()
    let output = try standardOutput.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    let text = String(decoding: output, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    return (process.terminationStatus, text)
  }
}
