package import Foundation

/// A program in another language to measure beside ours, compiled here and now.
package struct ComparisonProgram: Sendable {
  private let program: URL

  /// Compiles a program; nil where there is no such compiler.
  ///
  /// - Parameters:
  ///   - compiler: The compiler and its options.
  ///   - name: What the source file is called, with its ending.
  ///   - folder: An existing folder to compile in.
  package init?(_ compiler: [String], _ source: [UInt8], name: String, in folder: URL) throws {
    let file = folder.appendingPathComponent(name)
    try Data(source).write(to: file)
    program = file.deletingPathExtension()
    let compiled = try Self.run(
      URL(fileURLWithPath: "/usr/bin/env"), compiler + ["-o", program.path, file.path])
    guard compiled.status == 0 else { return nil }
  }

  /// What the program prints first, as words; nothing where it fails.
  ///
  /// - Throws: ``Failure`` where it does not print so many words or more.
  package func words(_ count: Int, _ arguments: [String], input: Data = Data()) throws -> [Substring] {
    let run = try Self.run(program, arguments, input: input)
    let words = run.output.split(whereSeparator: \.isWhitespace)
    guard run.status == 0, words.count >= count else {
      throw Failure(status: run.status, output: run.output)
    }
    return Array(words.prefix(count))
  }

  /// The comparison program did not do what it should.
  package struct Failure: Error, CustomStringConvertible {
    package var status: Int32
    package var output: String
    package var description: String { "a comparison program ended with status \(status): \(output)" }
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
    return (process.terminationStatus, String(decoding: output, as: UTF8.self))
  }
}
