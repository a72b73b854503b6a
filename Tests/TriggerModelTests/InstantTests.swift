import Testing
import TriggerModel

@Suite struct InstantTests {
  @Test func `adding and subtracting a span is exact`() {
    for milliseconds in [-86_400_000, -1, 0, 1, 1_767_225_600_000] as [Int64] {
      let instant = Instant(millisecondsSince1970: milliseconds)
      #expect(instant + .days(3) - .hours(72) == instant)
      #expect((instant + .minutes(5)) - instant == .seconds(300))
      #expect(instant < instant + TimeSpan(milliseconds: 1))
      #expect((instant - (instant + .hours(1))).magnitude == .hours(1))
    }
  }

  @Test func `the monotonic clock measures elapsed time within one boot`() {
    // The person sets the wall clock back by a day. Then ten minutes pass.
    let earlier = moment(wall: .days(2), boot: 0, span: .hours(1))
    let later = moment(wall: .days(1), boot: 0, span: .minutes(70))
    #expect(later.elapsed(since: earlier) == .minutes(10))
  }

  @Test func `the wall clock measures elapsed time across a reboot`() {
    let before = moment(wall: .days(2), boot: 0, span: .hours(50))
    #expect(moment(wall: .days(3), boot: 1, span: .zero).elapsed(since: before) == .hours(24))
    // If the clock was also set back, the elapsed time is zero, not negative.
    #expect(moment(wall: .days(1), boot: 1, span: .hours(9)).elapsed(since: before) == .zero)
  }

  @Test func `an observed event is small`() {
    // The only padding follows the kind, which takes one of four bytes. Matching reads every event, so the
    // size matters.
    #expect(MemoryLayout<Moment>.stride == 24)
    #expect(MemoryLayout<ObservedEvent>.stride == 48)
  }

  private func moment(wall: TimeSpan, boot: UInt32, span: TimeSpan) -> Moment {
    Moment(
      wall: Instant(millisecondsSince1970: 0) + wall, uptime: Uptime(boot: boot, span: span), zone: ZoneID(0))
  }
}
