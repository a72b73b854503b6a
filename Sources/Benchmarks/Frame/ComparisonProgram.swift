package import Foundation

/// A program in another language, compiled at run time for comparison.
package struct ComparisonProgram: Sendable {
  private let program: URL

  /// Compiles a program. Returns `nil` if the compiler is not installed or fails.
  ///
  /// - Parameters:
  ///   - compiler: The compiler and its options.
  ///   - name: The name of the source file with its extension.
  ///   - folder: An existing folder for the files.
  package init?(_ compiler: [String], _ source: [UInt8], name: String, in folder: URL) throws {
    let file = folder.appendingPathComponent(name)
    try Data(source).write(to: file)
    program = file.deletingPathExtension()
    let compiled = try Self.run(
      URL(fileURLWithPath: "/usr/bin/env"), compiler + ["-o", program.path, file.path])
    guard compiled.status == 0 else { return nil }
  }

  /// Runs the program and returns the first words of its output.
  ///
  /// - Throws: ``Failure`` if the program fails or prints fewer words.
  package func words(_ count: Int, _ arguments: [String], input: Data = Data()) throws -> [Substring] {
    let run = try Self.run(program, arguments, input: input)
    let words = run.output.split(whereSeparator: \.isWhitespace)
    guard run.status == 0, words.count >= count else {
      throw Failure(status: run.status, output: run.output)
    }
    return Array(words.prefix(count))
  }

  /// The error that a comparison program failed.
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

/// Creates temporary folders and removes them after use.
///
/// A killed process cannot remove its folder. Because the folder's name contains the process identifier, the
/// next process can remove it.
package enum ScratchFolder {
  private static let prefix = "triggerbench-"

  /// Creates a folder and passes it to a closure.
  ///
  /// - Throws: The error of the closure, or of creating the folder.
  package static func with<Result>(_ body: (URL) throws -> Result) throws -> Result {
    let place = FileManager.default.temporaryDirectory
    removeLeftovers(in: place)
    let folder = place.appendingPathComponent("\(prefix)\(getpid())-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder)
  }

  /// Returns the identifier of the process that created a folder, or `nil` if its name has another form.
  private static func owner(of name: String) -> Int32? {
    guard name.hasPrefix(prefix) else { return nil }
    let parts = name.dropFirst(prefix.count).split(separator: "-", maxSplits: 1)
    guard parts.count == 2, let process = Int32(parts[0]), process > 0,
      UUID(uuidString: String(parts[1])) != nil
    else { return nil }
    return process
  }

  /// Removes the folders of processes that no longer exist.
  package static func removeLeftovers(in place: URL) {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? [] {
      guard let process = owner(of: name), kill(process, 0) != 0, errno == ESRCH else { continue }
      try? FileManager.default.removeItem(at: place.appendingPathComponent(name))
    }
  }
}
