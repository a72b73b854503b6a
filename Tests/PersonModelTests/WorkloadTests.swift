import PersonModel
import SimulationKernel
import Testing

/// Compares the people of POPCAP-1 with a direct implementation of its specification.
@Suite struct WorkloadTests {
  /// Returns a person's candidates according to `popcap1.json`, each as its seconds and its type.
  private func candidates(of number: UInt64, seed: UInt64, days: Int) -> (events: Int, all: [[Int]]) {
    let key = RandomKey.mix64(seed ^ number &* RandomKey.gamma)
    var (seconds, event, all) = (0, 0, [[Int]]())
    while true {
      let draw = RandomKey.mix64(key &+ UInt64(event + 1) &* RandomKey.gamma)
      seconds += 1 + Int(((draw & 0xFFFF_FFFF) * 1_151) >> 32)
      if seconds >= days * 86_400 { return (event, all) }
      let x = Int(draw >> 32) & 0xFFFF
      if x >> 12 < 6 || x >> 12 == 6 && x & 63 == 0 { all.append([seconds, event, x >> 12]) }
      event += 1
    }
  }

  @Test func `the candidates equal those of the specification`() {
    var criticals = 0
    for number in 0..<40 as Range<UInt64> {
      for days in [1, 30] {
        var person = PopulationWorkload.popcap1.person(number, seed: 9, days: days)
        var block = CandidateBlock()
        var all: [[Int]] = []
        while person.next(into: &block) {
          for index in 0..<block.count {
            let candidate = block[index]
            all.append([Int(candidate.seconds), Int(candidate.event), Int(candidate.type)])
            #expect(candidate.isCritical == (candidate.type == 6))
            criticals += candidate.isCritical ? 1 : 0
          }
        }
        let expected = candidates(of: number, seed: 9, days: days)
        #expect(all == expected.all)
        #expect(person.eventCount == UInt64(expected.events))
      }
    }
    #expect(criticals > 0)
  }

  @Test func `a person's traits depend only on the person's number`() {
    let people = (0..<2_000 as Range<UInt64>).map { PopulationWorkload.popcap1.person($0, seed: 1, days: 1) }
    #expect(people.map(\.offsetHours).min() == -12)
    #expect(people.map(\.offsetHours).max() == 14)
    let allowed = people.count(where: \.allowsNotifications)
    #expect((1_240...1_360).contains(allowed), "65 % of 2,000: \(allowed)")
  }

  /// The draws that decide a tap depend only on the event. Earlier notifications make a tap less probable but
  /// do not affect the draw.
  @Test func `earlier notifications only reduce the probability of a tap`() {
    var (fresh, tired) = (0, 0)
    for number in 0..<300 as Range<UInt64> {
      var person = PopulationWorkload.popcap1.person(number, seed: 2, days: 1)
      var block = CandidateBlock()
      guard person.next(into: &block), block.count > 4 else { continue }
      var other = person
      for index in 0..<3 { _ = other.respond(to: block[index]) }
      let (first, later) = (person.respond(to: block[3]), other.respond(to: block[3]))
      if later.latency != nil { #expect(first.latency == later.latency) }
      fresh += first.latency == nil ? 0 : 1
      tired += later.latency == nil ? 0 : 1
      for response in [first, later] { #expect(response.latency == nil || !response.optsOut) }
    }
    #expect(fresh > tired)
  }
}
