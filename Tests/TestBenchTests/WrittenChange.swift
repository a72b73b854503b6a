import Foundation
import Journal
import RandomScenarios
import ScenarioModel
import Scenarios
import Simulation
import Statistics
import TextFormats
import TriggerModel

@testable import TestBench

/// A scenario's text in which changes are made as a person makes them: by the words that an explanation prints.
struct WrittenChange {
  private let root: JSONValue

  init(_ text: String) throws {
    root = JSONValue(try YAMLDocument(SourceText(file: "story.yaml", text: text)).root)
  }

  /// Whether a reminder fires within the minute, or at a later time that was named, in a run of the file with these
  /// edits.
  func fires(
    _ reminder: ReminderID, at instant: Instant, or later: String? = nil, with edits: [ScenarioEdit]
  ) throws -> Bool {
    guard let program = try program(with: edits) else { return false }
    let result = ScenarioRun(program, stopwatch: { 0 }).run().result
    return result.accounts.appeared.contains {
      $0.request.reminder == reminder
        && ((instant..<instant + .minutes(1)).contains($0.instant)
          || RunWords(program).time($0.moment) == later)
    }
  }

  /// Nil when the file cannot be used.
  private func program(with edits: [ScenarioEdit]) throws -> Program? {
    try scenario(with: edits).flatMap { try? Program($0) }
  }

  /// Nil when the file cannot be used.
  func scenario(with edits: [ScenarioEdit]) throws -> Scenario? {
    let text = try edited(edits).text
    let outcome = ScenarioFile.read(Array(text.utf8), file: "story.yaml", fileExists: { _ in false })
    guard case .scenario(let scenario, _) = outcome else { return nil }
    return scenario
  }

  private func edited(_ edits: [ScenarioEdit]) throws -> JSONValue {
    var file = root
    var entries: [JSONValue?] = []
    if case .array(let items)? = root["timeline"] { entries = items }
    for edit in edits {
      switch edit {
      case .write: file = file.laid(over: try Self.value(edit.text))
      case .leaveOut: file = file.without(try Self.value(edit.text))
      case .add:
        guard case .array(let items) = try Self.value(edit.text) else { continue }
        entries += items
      case .replaceReminder(let index, _, _):
        guard case .array(var reminders)? = file["reminders"],
          case .array(let items) = try Self.value(edit.text)
        else { continue }
        if let index { reminders[index] = items[0] } else { reminders += items }
        file = file.laid(over: .object([.init("reminders", .array(reminders))]))
      case .leaveOutEntry(let index, _, _): entries[index] = nil
      }
    }
    return file.laid(over: .object([.init("timeline", .array(entries.compactMap(\.self)))]))
  }

  private static func value(_ text: String) throws -> JSONValue {
    JSONValue(try YAMLDocument(SourceText(file: "change", text: text)).root)
  }
}

extension JSONValue {
  /// Mappings key by key; everything else takes the place of what is there.
  fileprivate func laid(over change: JSONValue) -> JSONValue {
    guard case .object(var own) = self, case .object(let others) = change else { return change }
    for other in others {
      if let place = own.firstIndex(where: { $0.key == other.key }) {
        own[place].value = own[place].value.laid(over: other.value)
      } else {
        own.append(other)
      }
    }
    return .object(own)
  }

  /// Without the key to which a chain of mappings leads.
  fileprivate func without(_ path: JSONValue) -> JSONValue {
    guard case .object(let own) = self, case .object(let steps) = path, let step = steps.first else {
      return self
    }
    return .object(
      own.compactMap { member in
        guard member.key == step.key else { return member }
        guard case .object(let inner) = step.value, inner.count == 1, case .object = member.value,
          member.value != step.value
        else { return nil }
        return Member(member.key, member.value.without(step.value))
      })
  }
}
