import DeviceSimulation
import Geofencing
import TriggerModel

/// A story whose outcome depends on one platform rule.
struct RuleDemonstration: Sendable {
  /// The rule's key.
  let key: String
  let profile: PlatformProfile
  /// Other rules, set so that only this one matters.
  let others: [String: String]
  /// The battery's level at the start, in per cent.
  let level: Double
  /// Values of the rule, each with what the story comes to.
  let cases: [(value: String, outcome: String)]
  /// Plays the story and says what came of it.
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

  /// What the story comes to under a value.
  func outcome(under value: String) throws -> String {
    var rig = try PhoneRig(
      profile, others.merging([key: value]) { _, new in new },
      regions: [PhoneRig.region(0, radius: 80), PhoneRig.region(1, radius: 3_000, metresNorth: 20_000)]
    ) { $0.batteryLevel = level }
    return try story(&rig)
  }
}

extension PhoneRig {
  /// The kinds observed, as text.
  var story: String { observed.map(\.name).joined(separator: " ") }

  /// Whole minutes between the start and each event of a kind.
  func minutes(_ kind: ObservedEvent.Kind) -> String {
    times(kind).map { String($0.milliseconds / 60_000) }.joined(separator: " ")
  }

  /// Whole seconds between the start and each event of a kind.
  func seconds(_ kind: ObservedEvent.Kind) -> String {
    times(kind).map { String($0.milliseconds / 1_000) }.joined(separator: " ")
  }

  /// The reminders whose notifications were delivered, as text.
  var deliveries: String { delivered.map(String.init).joined(separator: " ") }

  /// How a notification that was added now would be presented.
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
