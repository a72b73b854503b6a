import DeviceSimulation
import Geofencing
import Testing
import TriggerModel

extension PhoneRig {
  /// Answers the location prompts, and returns the number of prompts and the resulting permission.
  fileprivate mutating func answers(_ answers: LocationAnswer...) -> String {
    apply(.locationPermission(.notDetermined))
    for answer in answers { apply(.answerPrompt(.location(answer))) }
    let prompts = log.outcomes.count { if case .prompted = $0 { true } else { false } }
    return "\(prompts) prompts, \(phone.permissions.location)"
  }
}

extension RuleDemonstration {
  /// Settings without latency, cushion or dwell time.
  private static let prompt = [
    "regionLatency": "0", "regionCushion": "0", "regionDwell": "0", "exitFactor": "1", "minimumRadius": "0",
  ]

  private static func prompt(but key: String, _ more: [String: String] = [:]) -> [String: String] {
    prompt.filter { $0.key != key }.merging(more) { _, new in new }
  }

  /// Enters region 0 by override, leaves it ten minutes later, and returns the observed events.
  private static func visit(_ rig: inout PhoneRig) -> String {
    rig.apply(.enterRegion(RegionID(0)))
    rig.wait(.minutes(10))
    rig.apply(.exitRegion(RegionID(0)))
    rig.wait(.minutes(10))
    return rig.observed.filter { $0 != .launched }.map(\.name).joined(separator: " ")
  }

  static let place: [RuleDemonstration] = [
    RuleDemonstration(
      "regionReporting", .ios, prompt, ("geometric", "regionEntered regionExited"), ("delayed", "")
    ) { rig in
      // The app has not registered the region.
      rig.apply(.openOwnApp)
      rig.forget()
      rig.apply(.enterRegion(RegionID(0)), .exitRegion(RegionID(0)))
      return rig.story
    },
    RuleDemonstration("regionLimit", .ios, prompt, ("20", "1"), ("0", "0"), ("18", "3")) { rig in
      for region in 0..<21 { rig.perform(.monitor(RegionID(region))) }
      return "\(rig.count(.regionFailed))"
    },
    RuleDemonstration("maximumRadius", .ios, prompt, ("400000", ""), ("1000", "regionFailed")) { rig in
      rig.perform(.monitor(RegionID(1)))
      return rig.observed.filter { $0 != .launched }.map(\.name).joined(separator: " ")
    },
    RuleDemonstration("regionDwell", .ios, prompt(but: "regionDwell"), ("0", "0"), ("20", "20")) { rig in
      rig.perform(.monitor(RegionID(0)))
      rig.apply(.enterRegion(RegionID(0)))
      rig.wait(.minutes(5))
      return rig.seconds(.regionEntered)
    },
    RuleDemonstration(
      "regionCushion", .ios, prompt(but: "regionCushion"), ("0", "92"), ("30", "95"), ("200", "96")
    ) { rig in
      // The phone moves at 10 m/s to the centre of an 80 m region that is a kilometre away. The cushion is at
      // most half the radius.
      rig.perform(.monitor(RegionID(0)))
      rig.walk(-1_005, 0, speed: 10)
      return rig.seconds(.regionEntered)
    },
    RuleDemonstration("regionLatency", .ios, prompt(but: "regionLatency"), ("0", "0"), ("240", "late")) {
      rig in
      rig.perform(.monitor(RegionID(0)))
      rig.apply(.enterRegion(RegionID(0)))
      rig.wait(.minutes(8))
      return rig.seconds(.regionEntered) == "0" ? "0" : rig.count(.regionEntered) == 1 ? "late" : "never"
    },
    RuleDemonstration("minimumRadius", .ios, prompt(but: "minimumRadius"), ("0", "92"), ("100", "90")) {
      rig in
      rig.perform(.monitor(RegionID(0)))
      rig.walk(-1_005, 0, speed: 10)
      return rig.seconds(.regionEntered)
    },
    RuleDemonstration("exitFactor", .ios, prompt(but: "exitFactor"), ("1", "108"), ("1.5", "112")) { rig in
      rig.perform(.monitor(RegionID(0)))
      rig.walk(-1_005, 1_000, speed: 10)
      return rig.seconds(.regionExited)
    },
    RuleDemonstration(
      "initialTrigger", .ios, prompt, ("none", ""), ("state", "1"), ("enter", "2")
    ) { rig in
      rig.apply(.enterRegion(RegionID(0)))
      rig.perform(.monitor(RegionID(0)))
      rig.wait(.minutes(1))
      return rig.log.observed.filter { $0.kind == .regionEntered }.map { "\($0.value)" }.joined(
        separator: " ")
    },
    RuleDemonstration("exitMinimumDistance", .ios, prompt, ("0", "108"), ("5000", "600")) { rig in
      rig.perform(.monitor(RegionID(0)))
      rig.walk(-1_005, 6_000, speed: 10)
      return rig.seconds(.regionExited)
    },
    RuleDemonstration(
      "regionsNeedAlways", .ios, prompt, ("true", ""), ("false", "regionEntered regionExited")
    ) { rig in
      rig.perform(.monitor(RegionID(0)))
      rig.apply(.locationPermission(.whenInUse))
      return visit(&rig)
    },
    RuleDemonstration(
      "locationPrompt", .ios, [:], ("once", "2 prompts, denied"), ("twice", "3 prompts, denied"),
      ("always", "4 prompts, whenInUse"), ("never", "0 prompts, notDetermined")
    ) { rig in
      rig.answers(.notDetermined, .denied, .denied, .whenInUse)
    },
    RuleDemonstration(
      "alwaysPrompt", .ios, [:], ("afterWhenInUse", "2 prompts, whenInUse"), ("atOnce", "1 prompts, always"),
      ("inSettings", "1 prompts, whenInUse")
    ) { rig in
      // A denial at the prompt for Always keeps the permission.
      rig.answers(.always, .whenInUse, .denied, .always)
    },
    RuleDemonstration(
      "regionsNeedPrecise", .ios, prompt, ("true", ""), ("false", "regionEntered regionExited")
    ) { rig in
      rig.perform(.monitor(RegionID(0)))
      rig.apply(.preciseLocation(false))
      return visit(&rig)
    },
    RuleDemonstration(
      "regionsNeedRefresh", .ios, prompt, ("true", ""), ("false", "regionEntered regionExited")
    ) { rig in
      rig.perform(.monitor(RegionID(0)))
      rig.apply(.backgroundRefresh(false))
      return visit(&rig)
    },
    RuleDemonstration(
      "regionsNeedNetwork", .ios, prompt, ("true", ""), ("false", "regionEntered regionExited")
    ) { rig in
      rig.perform(.monitor(RegionID(0)))
      rig.apply(.airplaneMode(true))
      return visit(&rig)
    },
    RuleDemonstration(
      "forceQuitBlocksRegions", .ios, prompt, ("100", "0 of 400"), ("0", "400 of 400"), ("50", "some of 400")
    ) { rig in
      rig.perform(.monitor(RegionID(0)))
      for _ in 0..<200 {
        rig.apply(.forceQuit, .enterRegion(RegionID(0)))
        rig.wait(.minutes(1))
        rig.apply(.forceQuit, .exitRegion(RegionID(0)))
        rig.wait(.minutes(1))
      }
      let reported = rig.count(.regionEntered) + rig.count(.regionExited)
      return (160...240).contains(reported) ? "some of 400" : "\(reported) of 400"
    },
    RuleDemonstration("significantChangeWakes", .ios, [:], ("false", ""), ("true", "chargingStarted")) {
      rig in
      rig.wait(.minutes(1))
      rig.apply(.plugIn)
      rig.walk(0, 5_000, 5_000 + 5_000, speed: 10)
      return rig.story
    },
    RuleDemonstration(
      "significantChangeDistance", .ios, ["significantChangeWakes": "true"], ("500", "chargingStarted"),
      ("20000", "")
    ) { rig in
      rig.walk(0, 100, speed: 10)
      rig.apply(.plugIn)
      rig.walk(100, 5_000, 10_000, speed: 10)
      return rig.story
    },
    RuleDemonstration(
      "significantChangeInterval", .ios, ["significantChangeWakes": "true"], ("300", "chargingStarted"),
      ("7200", "")
    ) { rig in
      rig.walk(0, 100, speed: 10)
      rig.apply(.plugIn)
      rig.walk(100, 5_000, 10_000, speed: 10)
      return rig.story
    },
    RuleDemonstration(
      "regionsSurviveReboot", .ios, prompt, ("true", "regionEntered regionExited"), ("false", "")
    ) { rig in
      rig.perform(.monitor(RegionID(0)))
      rig.apply(.powerOff, .powerOn)
      return visit(&rig)
    },
  ]
}

@Suite struct PlaceRuleTests {
  @Test func `Android monitors more than 20 regions`() throws {
    var rig = try PhoneRig(.android)
    for region in 0..<21 { rig.perform(.monitor(RegionID(region))) }
    #expect(rig.count(.regionFailed) == 0)
  }

  /// B40: registering a region from inside reports no enter. A later visit is reported.
  @Test func `a region registered from inside reports its next enter`() throws {
    var rig = try PhoneRig(.ios, ["regionLatency": "0"])
    rig.apply(.enterRegion(RegionID(0)))
    rig.perform(.monitor(RegionID(0)))
    #expect(rig.suppressed == [.notMonitored, .alreadyInside])
    rig.wait(.hours(1))
    rig.apply(.exitRegion(RegionID(0)))
    rig.wait(.minutes(5))
    rig.apply(.enterRegion(RegionID(0)))
    rig.wait(.minutes(5))
    #expect(rig.observed.filter { $0 != .launched } == [.regionExited, .regionEntered])
  }

  @Test func `a phone found inside a region does not enter it`() throws {
    for profile in [PlatformProfile.ideal, .ios] {
      var rig = try PhoneRig(profile, regions: [PhoneRig.region(0, radius: 150)])
      rig.walk(0, 50, speed: 1)
      let truth = rig.log.truth.filter { $0.kind == .regionEntered }
      #expect(truth.map(\.value) == [ObservedEvent.reportedState], "\(profile.name)")
      #expect(rig.count(.regionEntered) == (profile.name == "ideal" ? 1 : 0), "\(profile.name)")
      #expect(rig.phone.inside == RegionSet(RegionID(0)), "\(profile.name)")
    }
  }

  @Test func `a region above the limit and an unregistered one are suppressed for different causes`() throws {
    var rig = try PhoneRig(.ios, ["regionLimit": "1", "regionLatency": "0"])
    rig.perform(.monitor(RegionID(0)), .monitor(RegionID(1)))
    rig.apply(.enterRegion(RegionID(1)), .enterRegion(RegionID(2)))
    #expect(rig.suppressed == [.regionLimit, .notMonitored])
    rig.perform(.unmonitor(RegionID(0)), .monitor(RegionID(1)), .unmonitor(RegionID(1)))
    rig.apply(.exitRegion(RegionID(1)))
    #expect(rig.suppressed == [.regionLimit, .notMonitored, .alreadyInside, .notMonitored])
  }

  @Test func `an app can stop monitoring a region`() throws {
    var rig = try PhoneRig(.ios, ["regionLimit": "1", "regionLatency": "0"])
    rig.perform(.monitor(RegionID(0)), .unmonitor(RegionID(0)), .monitor(RegionID(1)))
    rig.apply(.enterRegion(RegionID(0)), .enterRegion(RegionID(1)))
    rig.wait(.minutes(5))
    #expect(rig.log.observed.filter { $0.kind == .regionEntered }.map(\.subject) == [1])
    #expect(rig.count(.regionFailed) == 0)
  }
}
