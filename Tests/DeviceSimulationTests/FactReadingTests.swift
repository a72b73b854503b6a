import TestSupport
import Testing
import TriggerModel

@testable import DeviceSimulation

/// Tests what an app knows about readable and unreadable facts.
@Suite struct FactReadingTests {
  /// Facts of two sources, and one fact of the app itself. The app assumes zero for one fact of each source
  /// while it is unreadable.
  private static let facts = [
    FactAccess(source: FactSourceID(0)),
    FactAccess(source: FactSourceID(0), whenUnreadable: .number(thousandths: 0)), FactAccess(),
    FactAccess(source: FactSourceID(1), whenUnreadable: .number(thousandths: 0)),
  ]

  @Test(arguments: [[], [0], [0, 1]])
  func `the app knows readable facts and assumes the defaults of unreadable ones`(
    denied: [Int]
  ) throws {
    var rig = try PhoneRig(facts: Self.facts) { $0.unreadable = denied.map { FactSourceID($0) } }
    var out = PhoneOutput()
    let initial = FactValue.number(thousandths: 7_000)
    rig.phone.find([(FactID(1), initial), (FactID(2), initial)], at: rig.now, into: &out)

    var real = [FactValue.missing, initial, initial, .missing]
    var refused = Set(denied)
    var known = Array(repeating: FactValue.missing, count: 4)
    var misses = 0
    func follow(_ out: PhoneOutput) {
      for event in out.observed where [.factChanged, .factFound].contains(event.kind) {
        known[Int(event.subject)] = FactValue(bits: event.value)
      }
      misses += out.outcomes.count {
        if case .missed(.factChanged, _, .readingDenied) = $0 { true } else { false }
      }
      for (index, fact) in Self.facts.enumerated() {
        let isReadable = fact.source.map { !refused.contains($0.index) } ?? true
        #expect(known[index] == (isReadable ? real[index] : fact.whenUnreadable), "fact \(index)")
      }
    }
    follow(out)

    var random = SplitMix64(seed: 42)
    for _ in 0..<500 {
      var out = PhoneOutput()
      if random.below(3) == 0 {
        let source = random.below(2)
        let isAllowed = random.below(2) == 0
        if isAllowed { refused.remove(source) } else { refused.insert(source) }
        rig.phone.apply(.reading(FactSourceID(source), isAllowed: isAllowed), at: rig.now, into: &out)
        #expect(out.truth.isEmpty)
      } else {
        let fact = random.below(4)
        let wasKnown = !real[fact].isMissing
        real[fact] = random.below(4) == 0 ? .missing : .number(thousandths: Int64(random.below(3)) * 1_000)
        rig.phone.apply(.fact(FactID(fact), real[fact]), at: rig.now, into: &out)
        // An unknown fact that stays unknown has not changed.
        let isNothing = !wasKnown && real[fact].isMissing
        #expect(out.truth.map(\.value) == (isNothing ? [] : [real[fact].bits]))
      }
      follow(out)
    }
    #expect(misses > 50)
  }

  @Test func `a process that did not run observes the difference when it next runs`() throws {
    var rig = try PhoneRig(.ios, facts: Self.facts)
    rig.apply(.unlock, .openOwnApp, .fact(FactID(1), .number(thousandths: 5_000)), .terminate)
    rig.wait(.minutes(5))
    let before = rig.log.observed.count
    rig.apply(.reading(FactSourceID(0), isAllowed: false), .fact(FactID(1), .number(thousandths: 9_000)))
    #expect(rig.log.observed.count == before)
    rig.apply(.openOwnApp)
    let found = rig.log.observed[before...].filter { $0.kind == .factChanged }
    #expect(found.map(\.subject) == [1] && found.map(\.value) == [0])
  }
}
