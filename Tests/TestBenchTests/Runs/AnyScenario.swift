import Foundation
import RandomScenarios
import ScenarioModel
import ScenarioSamples
import Simulation
import TextFormats

@testable import Scenarios
@testable import TestBench

/// Scenarios as an author might write them, and now and then as nobody would.
enum AnyScenario {
  /// What a seed stands for, the same on every machine; nil when it cannot be run.
  ///
  /// - Parameter formats: What reading scenarios before has made.
  static func scenario(seed: UInt64, profile: String, _ formats: MadeFormats) throws -> Scenario? {
    var scenario =
      try seed % 3 == 0
      ? RandomScenario.scenario(seed: seed, withRecordings: false) : story(seed, profile, formats)
    scenario.profile.value = profile
    return (try? Program(scenario)) == nil ? nil : scenario
  }

  private static func story(
    _ seed: UInt64, _ profile: String, _ formats: MadeFormats
  ) throws -> Scenario {
    try read(RandomStory(seed: seed, profile: profile).text, "seed \(seed)", formats)
  }

  /// A scenario without its first lines.
  static func read(_ text: String, _ name: String, _ formats: MadeFormats) throws -> Scenario {
    let head = "kind: scenario\nversion: 1\ntitle: test\nstart: 2026-05-04T07:00\nzone: Europe/Berlin\n"
    let text = SourceText(file: name, text: head + text)
    let reader = Reader(source: text, formats: formats, fileExists: { _ in false })
    return try ScenarioFile.decode(try YAMLDocument(text).root, reader).get()
  }
}
