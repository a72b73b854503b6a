import DeviceSimulation
import PlatformRuns
import Testing

@testable import TestBench

/// The demonstrations that `triggerbench rules` prints.
@Suite struct RuleStoryTests {
  @Test("each comes out as it says, and differently under each value", arguments: PlatformRules.stories)
  func shows(_ story: RuleStory) throws {
    let profile = try PlatformProfile.named(story.profile)
    let rule = try #require(profile.rules.first { $0.key == story.key })
    #expect(story.cases.count > 1)
    #expect(
      story.cases.contains { $0.value == rule.value.description }, "the profile's own value is not shown")
    for value in story.cases {
      for claim in story.cases {
        let text = story.scenario(under: value.value, expecting: claim.expectation)
        #expect(try passes(text) == (claim == value), "\(story.key) \(value.value): \(claim.expectation)")
      }
    }
  }

  private func passes(_ text: String) throws -> Bool {
    try PlatformRun(whole: text).result.passed
  }
}
