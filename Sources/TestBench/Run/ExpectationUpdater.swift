import ReminderMatching
import Simulation
import ScenarioFiles
import TextFormats
import ScenarioModel
import Foundation
import TriggerModel

/// Writes what happened into a scenario's file as its new expectations, where one failed.
///
/// Only the sentence is replaced, where it stands in the file; comments and layout stay. Expectations in a
/// long form, bounds of metrics, and lists are left alone.
package struct ExpectationUpdater {
  private let result: ScenarioResult

  package init(_ result: ScenarioResult) {
    self.result = result
  }

  /// - Returns: How many expectations were rewritten.
  package func write() throws -> Int {
    let url = URL(fileURLWithPath: result.program.scenario.file)
    // Split as bytes: in a String, "\r\n" is one character and no line feed. The "\r" stay where they are.
    var lines = try Data(contentsOf: url)
      .split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    let names = result.program.scenario.reminders.map(\.declaration.id)
    var count = 0
    for (expectation, outcome) in zip(result.program.scenario.expectations, result.expectations)
    where !outcome.passed {
      let index = Int(expectation.position.line) - 1
      guard lines.indices.contains(index), let range = lines[index].range(of: expectation.text),
        let sentence = outcome.instead?.sentence(reminders: names)
      else { continue }
      lines[index].replaceSubrange(range, with: sentence)
      count += 1
    }
    if count > 0 { try Data(lines.joined(separator: "\n").utf8).write(to: url, options: .atomic) }
    return count
  }
}
