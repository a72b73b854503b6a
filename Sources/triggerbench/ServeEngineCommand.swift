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

  private func serve(_ server: inout some LineServer) throws {
    var input = LineInput(STDIN_FILENO)
    do {
      try server.serve(&input) { Terminal.write($0, to: .standardOutput) }
    } catch {
      Terminal.diagnose("triggerbench engine: \(error)")
      throw Exit.failure
    }
  }
}
