import ArgumentParser
import EngineWire
import Foundation
import TestBench

struct ServeEngineCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "engine",
    abstract: "Serve the built-in engine over the wire: read messages from standard input, write effects.",
    discussion: """
      An example of an engine for 'run --engine', and a way to test another bench. Each line is a JSON object; see \
      'triggerbench schema --journal'.

      With --claims the engine does half of the work: 'match' requests notifications for reminders, 'caps' decides \
      on the requests. The bench does the other half.

      Examples:
        triggerbench run milk.yaml --engine "triggerbench engine"
        triggerbench run milk.yaml --engine "triggerbench engine --claims match"
      """)

  @Option(help: "The work of the engine: match, caps, or match,caps.")
  var claims = "match,caps"

  // Starts an idle engine. A benchmark uses it to measure the cost of the wire.
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

struct OracleCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "oracle",
    abstract:
      "Run one component on JSON lines, to test other implementations against it.",
    subcommands: [Caps.self, Match.self, Recurrence.self, Geofence.self])

  struct Caps: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Run the cap scheduler: read one test vector per line, write its decisions.")

    func run() throws {
      var oracle = CapsOracle()
      try OracleLoop.run { line in try oracle.answer(line) }
    }
  }

  struct Match: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Run the reminder engine: read one event per line, write the reminders that fire.",
      discussion: """
        Example of a reminder:
          {"id":0,"trigger":{"type":"unlock"},"conditions":[{"type":"charging"}]}
        Example of an event:
          {"i":0,"t":"2026-01-05T00:05:17","type":"unlock"}
        """)

    @Option(help: ArgumentHelp("The reminders, one per line.", valueName: "file"))
    var reminders: String

    @Option(help: "How often a reminder fires: once or daily.")
    var mode: String

    @Flag(help: "Print one line: the number of fires, and their digest.")
    var digest = false

    func validate() throws {
      if MatchOracle.Mode(rawValue: mode) == nil { throw ValidationError("--mode must be once or daily") }
    }

    func run() throws {
      guard let mode = MatchOracle.Mode(rawValue: mode) else { return }
      let lines: Data
      do {
        lines = try Data(contentsOf: URL(fileURLWithPath: reminders))
      } catch {
        throw Exit.failure(reporting: "cannot read \(reminders): \(FileProblem.reading(reminders))")
      }
      do {
        var oracle = try MatchOracle(reminders: lines, file: reminders, mode: mode)
        let events = try FileHandle.standardInput.readToEnd() ?? Data()
        if digest {
          Terminal.write(try oracle.digest(events, file: "events") + "\n", to: .standardOutput)
        } else {
          try oracle.answer(events, file: "events") { Terminal.write($0, to: .standardOutput) }
        }
      } catch {
        throw Exit.failure(reporting: "\(error)")
      }
    }
  }

  struct Recurrence: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Expand recurrences: read one rule per line, write its occurrences.",
      discussion: """
        Example of a line:
          {"start":"2014-01-31","time":"09:00","timeZone":"UTC","frequency":"monthly","count":4}
        """)

    func run() throws {
      var oracle = RecurrenceOracle()
      try OracleLoop.run { line in try oracle.answer(line) }
    }
  }

  struct Geofence: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract:
        "Evaluate regions: read a region with a fix or a segment per line, write distance or crossings.")

    func run() throws {
      var oracle = GeofenceOracle()
      try OracleLoop.run { line in try oracle.answer(line) }
    }
  }
}

/// Reads lines from standard input, and writes an answer to each nonblank line.
enum OracleLoop {
  static func run(_ answer: (String) throws -> String) throws {
    var number = 0
    var output = ""
    while let line = readLine(strippingNewline: true) {
      number += 1
      if line.allSatisfy(\.isWhitespace) { continue }
      do {
        output += try answer(line) + "\n"
      } catch {
        Terminal.write(output, to: .standardOutput)
        throw Exit.failure(reporting: "line \(number): \(error)")
      }
      if output.utf8.count > 1 << 16 {
        Terminal.write(output, to: .standardOutput)
        output = ""
      }
    }
    Terminal.write(output, to: .standardOutput)
  }
}
