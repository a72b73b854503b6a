import EnginesUnderTest
import ArgumentParser
import EngineWire
import Foundation
import TestBench

struct ServeEngineCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "engine",
    abstract: "The built-in engine over the wire: messages in on standard input, effects out.",
    discussion: """
      What any engine under test does that 'run --engine' starts; an example of one, and a way to try your own \
      bench against it. One JSON object a line; see 'triggerbench schema --journal'.

      With --claims it does one half of the work: 'match' says which reminders ask for a notification, 'caps' \
      decides which requests become one. The bench does the other half.

      Examples:
        triggerbench run milk.yaml --engine "triggerbench engine"
        triggerbench run milk.yaml --engine "triggerbench engine --claims match"
      """)

  @Option(help: "What of the work it does: match, caps, or match,caps.")
  var claims = "match,caps"

  // What a benchmark takes off as the time of the wire.
  @Flag(help: .hidden)
  var silent = false

  func validate() throws { _ = try capabilities() }

  private func capabilities() throws -> Set<EngineGreeting.Capability> {
    let words = claims.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    let known = words.compactMap { EngineGreeting.Capability(rawValue: $0) }
    guard !words.isEmpty, known.count == words.count else {
      throw ValidationError("--claims: '\(claims)' is not match, caps, or match,caps")
    }
    return Set(known)
  }

  func run() throws {
    if silent {
      var server = SilentEngine()
      return try serve(&server)
    }
    var server = EngineServer(version: Tool.version, claims: try capabilities())
    try serve(&server)
  }

  /// Looks for the next question for some 20 µs before sleeping: the bench asks again sooner than a process
  /// that sleeps can be woken. Whoever else wants to run goes first.
  private func glance() {
    var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    for _ in 0..<40 {
      if poll(&input, 1, 0) != 0 { return }
      sched_yield()
    }
  }

  private func serve(_ server: inout some LineServer) throws {
    var waiting: [UInt8] = []
    var output: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while !server.hasEnded {
      glance()
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
