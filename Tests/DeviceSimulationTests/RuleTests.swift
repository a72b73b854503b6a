import DeviceSimulation
import Geofencing
import Testing
import TriggerModel

/// Every rule has a demonstration whose outcome differs between values of the rule. The demonstration is
/// listed here, or it is a story that `rules` prints and `RuleStoryTests` runs.
@Suite struct RuleTests {
  static let demonstrations =
    RuleDemonstration.notifications + RuleDemonstration.place + RuleDemonstration.battery
    + RuleDemonstration.lifeCycle

  @Test func `every rule has a demonstration`() {
    let shown = Set(Self.demonstrations.map(\.key) + PlatformRules.stories.map(\.key))
    let missing = PlatformRules.all.map(\.key).filter { !shown.contains($0) }
    #expect(missing.isEmpty)
  }

  @Test func `every rule has its effect`() throws {
    for demonstration in Self.demonstrations {
      for (value, outcome) in demonstration.cases {
        let played = try demonstration.outcome(under: value)
        #expect(played == outcome, "\(demonstration.key): \(value)")
      }
      #expect(Set(demonstration.cases.map(\.outcome)).count > 1, "\(demonstration.key) changes nothing")
    }
  }

  @Test func `full means plugged in at 100 %`() throws {
    var rig = try PhoneRig { $0.batteryLevel = 97 }
    rig.apply(.plugIn)
    rig.wait(.minutes(58))
    #expect(rig.phone.batteryState == .charging)
    rig.wait(.minutes(2))
    #expect(rig.phone.batteryState == .full)
    // The change from charging to full does not count as a start of charging.
    #expect(rig.observed == [.chargingStarted])
    rig.apply(.unplug)
    #expect(rig.phone.batteryState == .unplugged)
  }
}

/// A sequence of events whose outcome depends on one platform rule.
struct RuleDemonstration: Sendable {
  /// The rule's key.
  let key: String
  let profile: PlatformProfile
  /// The values of other rules, which isolate the effect of this rule.
  let others: [String: String]
  /// The battery level at the start, in per cent.
  let level: Double
  /// The values of the rule, each with its outcome.
  let cases: [(value: String, outcome: String)]
  /// Plays the events and returns the outcome.
  let story: @Sendable (inout PhoneRig) throws -> String

  init(
    _ key: String, _ profile: PlatformProfile = .ios, _ others: [String: String] = [:], level: Double = 80,
    _ cases: (value: String, outcome: String)..., story: @escaping @Sendable (inout PhoneRig) throws -> String
  ) {
    self.key = key
    self.profile = profile
    self.others = others
    self.level = level
    self.cases = cases
    self.story = story
  }

  /// Returns the outcome for a value.
  func outcome(under value: String) throws -> String {
    var rig = try PhoneRig(
      profile, others.merging([key: value]) { _, new in new },
      regions: [PhoneRig.region(0, radius: 80), PhoneRig.region(1, radius: 3_000, metresNorth: 20_000)]
    ) { $0.batteryLevel = level }
    return try story(&rig)
  }
}

extension PhoneRig {
  /// The kinds of the observed events, as text.
  var story: String { observed.map(\.name).joined(separator: " ") }

  /// Returns when the app observed each event of a kind, in whole minutes since the start.
  func minutes(_ kind: ObservedEvent.Kind) -> String {
    times(kind).map { String($0.milliseconds / 60_000) }.joined(separator: " ")
  }

  /// Returns when the app observed each event of a kind, in whole seconds since the start.
  func seconds(_ kind: ObservedEvent.Kind) -> String {
    times(kind).map { String($0.milliseconds / 1_000) }.joined(separator: " ")
  }

  /// The reminders of the delivered notifications, as text.
  var deliveries: String { delivered.map(String.init).joined(separator: " ") }

  /// Adds a notification that is due soon, and returns how it is presented.
  mutating func presentationOfNext(_ reminder: Int, bucket: Bucket = .standard) -> String {
    add(reminder, bucket: bucket)
    wait(.minutes(2))
    return presentationOfLast
  }

  /// How the last notification was presented.
  var presentationOfLast: String {
    let last = log.outcomes.last { if case .delivered = $0 { true } else { false } }
    guard case .delivered(_, let presentation)? = last else { return "not delivered" }
    return presentation.cause.map { "\(presentation.surface) \($0)" } ?? "\(presentation.surface)"
  }
}
