import ArgumentParser
import Foundation
import TestBench

struct ServeEngineCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "engine",
    abstract: "The built-in engine over the wire: messages in on standard input, effects out.",
    discussion: """
      What any engine under test does that 'run --engine' starts; an example of one, and a way to try your own
      bench against it. One JSON object a line; see 'triggerbench schema --form journal'.

      Example:
        triggerbench run scenarios/milk.yaml --engine "triggerbench engine"
      """)

  func run() throws {
    var server = EngineServer(version: Tool.version)
    var waiting: [UInt8] = []
    var output: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while !server.hasEnded {
      let count = read(STDIN_FILENO, &chunk, chunk.count)
      if count <= 0 { break }
      waiting += chunk[..<count]
      var start = 0
      while let end = waiting[start...].firstIndex(of: UInt8(ascii: "\n")) {
        do {
          try waiting[start..<end].withUnsafeBufferPointer { try server.answer($0, into: &output) }
        } catch {
          Terminal.diagnose("triggerbench engine: \(error)")
          throw Exit.failure
        }
        start = end + 1
      }
      waiting.removeFirst(start)
      Terminal.write(output, to: .standardOutput)
      output.removeAll(keepingCapacity: true)
    }
  }
}
