import CivilTime
import DeviceSimulation
import ReminderMatching
import ScenarioModel
import TestSupport
import TextFormats
import TriggerModel

extension Draw {
  mutating func expectations() -> [Expectation] {
    (0..<random.int(1...5)).map { _ in Expectation(claim: claim(), text: text(), position: .start) }
  }

  private mutating func claim() -> Expectation.Claim {
    let reminder = ReminderID(random.int(0...reminders.count - 1))
    let ids = reminders.indices.map { ReminderID($0) }
    switch random.int(0...7) {
    case 0: return .fires(reminder, count(), occasion(on: anyDevice()))
    case 1: return .ends(reminder, ending(), count(), occasion(on: anyDevice()))
    case 6: return .shows(reminder, title: text(), count(), occasion(on: anyDevice()))
    case 2: return metric(of: reminder)
    case 3 where !gates.isEmpty:
      return .gate(random.one(of: gates).name, random.one(of: GateVerdict.allCases))
    case 4: return .only(random.several(of: ids, 1...3))
    case 5: return .exact((0..<random.int(0...3)).map { _ in exactFire(random.one(of: ids)) })
    default: return .app(appClaim())
    }
  }

  private mutating func exactFire(_ reminder: ReminderID) -> Expectation.ExactFire {
    Expectation.ExactFire(
      reminder: reminder,
      occasion: Occasion(
        time: moment(), date: random.chance(50) ? storyDate() : nil,
        offset: random.chance(30) ? offset() : nil))
  }

  private mutating func count() -> Expectation.Count {
    let number = random.chance(80) ? random.int(0...5) : random.int(0...1_000_000_000)
    return random.one(of: [.atLeast(number), .exactly(number), .atMost(number)])
  }

  private mutating func ending() -> Expectation.Ending {
    let scheduler = Reason.allCases.filter { $0.stage == .scheduler }
    let losses = Reason.allCases.filter {
      [.platform, .presentation, .routing].contains($0.stage) || $0 == .userDisabled
    }
    return switch random.int(0...3) {
    case 0: .denied(random.maybe(70) { $0.one(of: scheduler) })
    case 1:
      .deferred(
        random.maybe(70) { $0.one(of: scheduler) }, until: random.chance(50) ? timeOfDay() : nil)
    case 2: .notRequested(random.one(of: Reason.allCases.filter { $0.stage == .match }))
    default: .lost(random.one(of: losses))
    }
  }

  private mutating func metric(of reminder: ReminderID) -> Expectation.Claim {
    let metric = random.one(of: Metric.allCases)
    // A share above 100 % would be rejected, because nothing can meet the expectation.
    let bound = random.int(0...(metric.isShare ? 1_000_000 : 2_000_000))
    return .metric(
      metric, of: metric.isOfPerson || random.chance(50) ? nil : reminder,
      random.one(of: FactCondition.Comparison.allCases),
      millionths: Int64(metric.isRatio ? bound : bound * 1_000_000))
  }

  // MARK: - Occasions

  private mutating func anyDevice() -> String? {
    random.chance(20) ? random.one(of: [DeviceDeclaration.phone] + devices.map(\.name)) : nil
  }

  private mutating func occasion(on device: String? = nil) -> Occasion {
    var occasion = Occasion(time: nil, date: random.chance(40) ? storyDate() : nil, device: device)
    switch random.int(0...2) {
    case 0:
      occasion.time = moment()
      if random.chance(30) { occasion.offset = offset() }
    case 1:
      let from = timeOfDay()
      let to = timeOfDay()
      if from != to { occasion.time = Occasion.Range(from: from, to: to) }
    default: break
    }
    return occasion
  }

  /// Returns a range of a whole minute or a whole second.
  private mutating func moment() -> Occasion.Range {
    let from = timeOfDay()
    let to = from + (from % 60_000 == 0 && random.chance(80) ? 60_000 : 1_000)
    return Occasion.Range(from: from, to: to == 86_400_000 ? 0 : to)
  }

  private mutating func offset() -> TimeSpan { .minutes(Int64(random.int(-56...56)) * 15) }

  // MARK: - The app

  private mutating func appClaim() -> AppClaim {
    let (event, words) = appEvent()
    return AppClaim(event: event, words: words, count: count(), occasion: occasion())
  }

  private mutating func appEvent() -> (AppEvent, String) {
    if !app.primings.isEmpty, random.chance(30) {
      let priming = PrimingID(random.int(0...app.primings.count - 1))
      let name = app.primings[priming.index]
      return random.one(of: [
        (.primingShown(priming), "priming \(name) is shown"),
        (.primingSkipped(priming), "priming \(name) is skipped"),
      ])
    }
    if !app.surfaces.isEmpty, random.chance(50) {
      let surface = surface()
      let name = app.surfaces[surface.index].name
      return random.one(of: [
        (.surfaceShown(surface), "surface \(name) is shown"),
        (.surfaceCallToAction(surface), "surface \(name) is followed"),
        (.surfaceUnasked(surface), "surface \(name) is unasked"),
        (.surfaceDismissed(surface), "surface \(name) is dismissed"),
        (.surfaceUnlocked(surface), "surface \(name) is unlocked"),
      ])
    }
    if !app.milestones.isEmpty, random.chance(50) {
      let index = random.int(0...app.milestones.count - 1)
      return (.milestone(MilestoneID(index)), "milestone \(app.milestones[index].name) is reached")
    }
    return random.one(of: [
      (.permissionRequested(.notifications), "prompt is shown"),
      (.permissionGranted(.location), "location permission is granted"),
      (.promptEarly(.screenTime), "screen time prompt is early"),
      (.promptStacked(.notifications), "prompt is stacked"),
      (.permissionDenied(.notifications), "permission is denied"),
      (.settingsBannerShown, "settings banner is shown"),
    ])
  }
}
