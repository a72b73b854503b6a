import Testing
import TriggerModel

@Suite struct InstantTests {
  @Test func addingASpanAndTakingItAwayAgainChangesNothing() {
    for milliseconds in [-86_400_000, -1, 0, 1, 1_767_225_600_000] as [Int64] {
      let instant = Instant(millisecondsSince1970: milliseconds)
      #expect(instant + .days(3) - .hours(72) == instant)
      #expect((instant + .minutes(5)) - instant == .seconds(300))
      #expect(instant < instant + TimeSpan(milliseconds: 1))
    }
  }
}
