import ArgumentParser
import Foundation
import TestBench

struct OracleCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "oracle",
    abstract:
      "One component alone, JSON lines in and out, so that other implementations can be tested against it.",
    subcommands: [Caps.self, Recurrence.self, Geofence.self])

  struct Caps: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "The cap scheduler: a vector a line in, its decisions out.")

    func run() throws {
      var oracle = CapsOracle()
      try OracleLoop.run { line in try oracle.answer(line) }
    }
  }

  struct Recurrence: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Recurrences: a rule a line in, its occurrences out.",
      discussion: """
        Example of a line:
          {"start":"2014-01-31","time":"09:00","timeZone":"Europe/Berlin","frequency":"monthly","count":4}
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
        Terminal.diagnose("triggerbench: line \(number): \(error)")
        throw Exit.failure
      }
      if output.utf8.count > 1 << 16 {
        Terminal.write(output, to: .standardOutput)
        output = ""
      }
    }
    Terminal.write(output, to: .standardOutput)
  }
}
