import ArgumentParser
import Foundation
import TestBench

struct OracleCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "oracle",
    abstract:
      "One component alone, JSON lines in and out, so that other implementations can be tested against it.",
    subcommands: [Caps.self, Match.self, Recurrence.self, Geofence.self])

  struct Caps: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "The cap scheduler: a vector a line in, its decisions out.")

    func run() throws {
      var oracle = CapsOracle()
      try OracleLoop.run { line in try oracle.answer(line) }
    }
  }

  struct Match: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "The reminder engine: an event a line in, what fired out.",
      discussion: """
        Example of a reminder:
          {"id":0,"trigger":{"type":"unlock"},"conditions":[{"type":"charging"}]}
        Example of an event:
          {"i":0,"t":"2026-01-05T00:05:17","type":"unlock"}
        """)

    @Option(help: ArgumentHelp("The reminders, one a line.", valueName: "file"))
    var reminders: String

    @Option(help: "How often a reminder fires: once or daily.")
    var mode: String

    @Flag(help: "Answer with one line: how many fires, and their digest.")
    var digest = false

    func validate() throws {
      if MatchOracle.Mode(rawValue: mode) == nil { throw ValidationError("--mode is once or daily") }
    }

    func run() throws {
      guard let mode = MatchOracle.Mode(rawValue: mode) else { return }
      let lines: Data
      do {
        lines = try Data(contentsOf: URL(fileURLWithPath: reminders))
      } catch {
        throw Exit.saying("cannot read \(reminders): \(FileProblem.reading(reminders))")
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
        throw Exit.saying("\(error)")
      }
    }
  }

  struct Recurrence: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Recurrences: a rule a line in, its occurrences out.",
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
      abstract: "Regions: a fix, or a segment, and a region a line in; distance or crossings out.")

    func run() throws {
      var oracle = GeofenceOracle()
      try OracleLoop.run { line in try oracle.answer(line) }
    }
  }
}

/// Reads lines from standard input and writes an answer for each.
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
        throw Exit.saying("line \(number): \(error)")
      }
      if output.utf8.count > 1 << 16 {
        Terminal.write(output, to: .standardOutput)
        output = ""
      }
    }
    Terminal.write(output, to: .standardOutput)
  }
}
