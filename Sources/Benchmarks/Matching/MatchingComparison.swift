import CivilTime
import Foundation
import ReminderMatching
import TestBench
import TriggerModel

/// A lower bound of the time for matching: the time of a minimal C++ program with a row of bits for each
/// condition.
struct MatchingComparison {
  private let program: ComparisonProgram

  /// Compiles the program for the current processor. Returns `nil` if the compiler fails.
  ///
  /// - Parameter folder: An existing folder for the files.
  init?(compilingIn folder: URL) throws {
    let program = try ComparisonProgram(
      ["g++", "-std=c++20", "-O3", "-march=native"], PackageResources.bitmap_cpp, name: "bitmap.cpp",
      in: folder)
    guard let program else { return nil }
    self.program = program
  }

  /// Returns the input of the program: the reminders of a workload without facts, then its events.
  static func input(_ workload: ReminderWorkload) -> Data {
    var lines = ""
    for (id, declaration) in workload.reminders.enumerated() {
      lines += line([id] + declaration.numbers(workload.names))
    }
    for event in NaiveReminders.events(workload) {
      lines += line([
        event.index, event.seconds, event.type, event.parameter, event.inside, event.isCharging ? 1 : 0,
      ])
    }
    return Data(lines.utf8)
  }

  private static func line(_ numbers: [Int]) -> String {
    numbers.map { "\($0)" }.joined(separator: " ") + "\n"
  }

  /// Runs the program once.
  func measure(
    isDaily: Bool, _ workload: ReminderWorkload, _ input: Data
  ) throws -> (nanoseconds: Double, digest: FireDigest) {
    let words = try program.words(
      3, [isDaily ? "daily" : "once", "\(workload.reminders.count)", "\(workload.events.count)"], input: input
    )
    guard let nanoseconds = Double(words[0]), let fires = Int(words[1]), let hash = UInt64(words[2]) else {
      throw ComparisonProgram.Failure(status: 0, output: words.joined(separator: " "))
    }
    var digest = FireDigest()
    (digest.value, digest.fires) = (hash, fires)
    return (nanoseconds, digest)
  }
}

extension ReminderDeclaration {
  /// Returns the numbers that encode the reminder in the files of the shared workload.
  ///
  /// They encode the trigger, its parameter, the time window, the place, charging and the weekdays.
  fileprivate func numbers(_ names: EngineNames) -> [Int] {
    let (kind, parameter) =
      switch triggers.first {
      case .regionEntered(let name): (1, names.region(name)?.index ?? -1)
      case .chargingStarted: (2, -1)
      case .appOpened(let name): (3, names.app(name)?.index ?? -1)
      default: (0, -1)
      }
    var (from, to, place, charging, weekdays) = (-1, -1, -1, 0, 127)
    for condition in conditions {
      switch condition {
      case .timeWindow(let window): (from, to) = (window.from, window.to)
      case .inside(let name): place = names.region(name)?.index ?? -1
      case .charging: charging = 1
      case .weekdays(let days): weekdays = Int(days.rawValue)
      default: break
      }
    }
    return [kind, parameter, from, to, place, charging, weekdays]
  }
}
