import Testing

@testable import Benchmarks

/// Figures are compared from commit to commit, so what is played must be the same.
@Suite struct StoryTests {
  /// FNV-1a over the bytes of the files.
  private static func digest(_ story: ReplayScenario) -> UInt64 {
    (story.scenario + (story.fixes ?? "")).utf8.reduce(0xcbf2_9ce4_8422_2325) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01b3
    }
  }

  @Test func `stories are the same text as when their figures were published`() {
    #expect(Self.digest(.fortnight(reminders: 40, events: 20, days: 1)) == 17_069_489_669_838_960_518)
    #expect(Self.digest(.year(reminders: 12, events: 3_650)) == 5_935_719_503_852_514_468)
    #expect(Self.digest(.year(reminders: 12, events: 3_650, isCapped: true)) == 11_890_946_445_900_492_481)
    #expect(Self.digest(.person(happenings: 200)) == 8_822_055_272_660_374_333)
  }
}
