import PersonModel
import TestSupport
import Testing
import TriggerModel

/// Compares the traits of many people with the distributions in the table of constants.
@Suite struct PersonTraitsTests {
  private static let count = 20_000
  private static let people = (0..<UInt64(count)).map {
    PersonTraits($0, seed: 11, TapModel(), on: .ios)
  }

  private func share(_ holds: (PersonTraits) -> Bool) -> Double {
    Double(Self.people.count(where: holds)) / Double(Self.count)
  }

  /// By the fitted distribution, 9.1, 54.0 and 76.4 % of people do not tolerate 1, 5 and 10 notifications a
  /// week. Four standard errors are 1.4 percentage points.
  @Test(arguments: [(1.0, 0.091), (5.0, 0.540), (10.0, 0.764)])
  func `tolerance has the fitted distribution`(_ perWeek: Double, _ expected: Double) {
    #expect(abs(share { $0.tolerance < perWeek } - expected) < 0.0145)
  }

  @Test func `eagerness is normally distributed`() {
    let mean = Self.people.reduce(0) { $0 + $1.eagerness } / Double(Self.count)
    let variance =
      Self.people.reduce(0) { $0 + ($1.eagerness - mean) * ($1.eagerness - mean) } / Double(Self.count)
    #expect(abs(mean) < 0.023)
    #expect(abs(variance.squareRoot() - 0.8) < 0.017)
    #expect(abs(share { $0.eagerness < 0.8 } - 0.8413) < 0.011)
  }

  @Test func `the share of people who allow notifications depends on the platform`() {
    #expect(abs(share(\.allowsNotifications) - 0.56) < 0.0142)
    let android = (0..<UInt64(Self.count)).count {
      PersonTraits($0, seed: 11, TapModel(), on: .android).allowsNotifications
    }
    #expect(abs(Double(android) / Double(Self.count) - 0.67) < 0.0134)
    // A single draw decides. A person who allows notifications on an iPhone therefore also allows them on
    // Android, where this is more probable.
    for number in 0..<500 as Range<UInt64> where Self.people[Int(number)].allowsNotifications {
      #expect(PersonTraits(number, seed: 11, TapModel(), on: .android).allowsNotifications)
    }
  }

  /// Of all people, 5 % give up after one week with too many notifications, and 1 - 0.95⁴ after four weeks.
  @Test(arguments: [(1, 0.05), (4, 0.185_494)])
  func `the stated share of people runs out of patience`(_ weeks: Int64, _ expected: Double) {
    #expect(abs(share { $0.patience < .days(7 * weeks) } - expected) < 0.011)
  }

  @Test func `people are the same in any order, and differ from each other`() {
    for number in [0, 77, 19_999] as [UInt64] {
      #expect(PersonTraits(number, seed: 11, TapModel(), on: .ios) == Self.people[Int(number)])
      #expect(PersonTraits(number, seed: 12, TapModel(), on: .ios) != Self.people[Int(number)])
    }
    #expect(Set(Self.people.map(\.eagerness)).count > Self.count - 5)
  }

  /// If a sweep changes the spread, the same people must have scaled traits.
  @Test func `a sweep of a constant does not change the people`() {
    var wide = TapModel()
    wide[.eagernessSpread] = 1.2
    for number in 0..<50 as Range<UInt64> {
      let stretched = PersonTraits(number, seed: 11, wide, on: .ios)
      #expect(abs(stretched.eagerness - 1.5 * Self.people[Int(number)].eagerness) < 1e-12)
      #expect(stretched.tolerance == Self.people[Int(number)].tolerance)
    }
  }
}

/// Compares the end of patience with an hourly count.
@Suite struct ToleranceMeterTests {
  private static let start = Instant(millisecondsSince1970: 1_767_571_200_000)

  private func traits(_ tolerance: Double, hours: Int64) -> PersonTraits {
    PersonTraits(eagerness: 0, tolerance: tolerance, patience: .hours(hours), allowsNotifications: true)
  }

  /// Returns the end of patience according to an hourly count.
  private func obvious(_ hours: [Int64], _ traits: PersonTraits) -> Instant? {
    var left = traits.patience
    for hour in 0..<Int64(3_000) {
      let count = hours.count { $0 <= hour && hour < $0 + 168 }
      guard Double(count) > traits.tolerance else { continue }
      left = left - .hours(1)
      if left <= .zero { return Self.start + .hours(hour + 1) }
    }
    return nil
  }

  @Test func `patience ends at the same time as in an hourly count`() {
    var random = SplitMix64(seed: 3)
    func below(_ bound: Int) -> Int64 { Int64(random.below(bound)) }
    var ended = 0
    for _ in 0..<400 {
      let traits = traits(Double(below(60)) / 10, hours: 1 + below(300))
      let hours = (0..<Int(1 + below(25))).map { _ in below(900) }.sorted()
      var meter = ToleranceMeter(traits)
      var foreseen: Instant?
      for hour in hours {
        let at = Self.start + .hours(hour)
        if let foreseen, foreseen <= at {
          #expect(meter.end == foreseen)
        }
        meter.show(at: at)
        foreseen = meter.end
      }
      #expect(meter.end == obvious(hours, traits), "\(hours) \(traits)")
      meter.advance(to: Self.start + .days(200))
      #expect(meter.endedAt == obvious(hours, traits))
      ended += meter.endedAt == nil ? 0 : 1
    }
    #expect(ended > 100 && ended < 390)
  }

  @Test func `more notifications are never tolerated longer`() {
    for tolerance in [0.5, 2.5, 6] {
      for step in [6, 20, 50] as [Int64] {
        var (few, many) = (
          ToleranceMeter(traits(tolerance, hours: 50)), ToleranceMeter(traits(tolerance, hours: 50))
        )
        for hour in stride(from: Int64(0), to: 600, by: Int(step)) {
          many.show(at: Self.start + .hours(hour))
          if hour % (2 * step) == 0 { few.show(at: Self.start + .hours(hour)) }
        }
        guard let end = few.end else { continue }
        #expect((many.end ?? .distantFuture) <= end)
      }
    }
  }
}
