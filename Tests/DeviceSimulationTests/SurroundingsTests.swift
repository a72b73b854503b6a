import DeviceSimulation
import Geofencing
import Testing
import TriggerModel

/// Tests when an app observes its position and its exit from the registered surroundings.
@Suite struct SurroundingsTests {
  private static let prompt = [
    "regionLatency": "0", "regionCushion": "0", "regionDwell": "0", "exitFactor": "1", "minimumRadius": "0",
  ]

  /// Returns a phone that can monitor two of three places, which are several kilometres apart.
  private func rig(_ more: [String: String] = [:], limit: Int = 2) throws -> PhoneRig {
    let regions = try (0..<3).map {
      try PhoneRig.region($0, radius: 100, metresNorth: Double($0) * 5_000 + 20_000)
    }
    return try PhoneRig(
      .ios, Self.prompt.merging(["regionLimit": "\(limit)"]) { $1 }.merging(more) { $1 }, regions: regions,
      beginningAt: 0)
  }

  private static func circle(_ metresNorth: Double, radius: UInt32) -> Surroundings {
    Surroundings(center: Position(PhoneRig.coordinate(metresNorth: metresNorth)), radius: radius)
  }

  private static func metres(_ events: [ObservedEvent]) -> [Int] {
    events.filter { $0.kind == .located }.map {
      Int((($0.position.coordinate.latitude - 52.52) * 111_270).rounded())
    }
  }

  @Test func `the app observes its position when it is opened`() throws {
    var rig = try rig()
    #expect(Self.metres(rig.log.observed) == [0])
    rig.apply(.openOwnApp)
    rig.walk(0, 3_000, speed: 10)
    rig.apply(.openOwnApp)
    #expect(Self.metres(rig.log.observed) == [0, 0, 3_000])
    // The phone is moving to the next fix.
    rig.apply(
      .fix(Fix(instant: rig.now + .seconds(100), coordinate: PhoneRig.coordinate(metresNorth: 4_000))))
    rig.wait(.seconds(40))
    rig.apply(.openOwnApp)
    #expect(Self.metres(rig.log.observed).last == 3_400)
    let kinds = rig.observed
    #expect(kinds.last == .opened && kinds.dropLast().last == .located)
  }

  @Test func `the app does not observe its position if the system monitors all places`() throws {
    var rig = try rig(limit: 3)
    rig.apply(.openOwnApp)
    rig.walk(0, 3_000, speed: 10)
    rig.apply(.openOwnApp)
    #expect(rig.count(.located) == 0)
  }

  @Test func `leaving the surroundings is reported at their boundary`() throws {
    var rig = try rig()
    rig.walk(0, 500, speed: 10)
    // The phone is already moving.
    rig.apply(
      .fix(Fix(instant: rig.now + .seconds(400), coordinate: PhoneRig.coordinate(metresNorth: 4_500))))
    rig.wait(.seconds(50))
    rig.forget()
    rig.perform(.watch(Self.circle(1_000, radius: 1_500)))
    rig.wait(.seconds(140))
    #expect(rig.count(.located) == 0)
    rig.wait(.seconds(20))
    #expect(Self.metres(rig.log.observed).allSatisfy { abs($0 - 2_500) < 12 })
    #expect(rig.count(.located) == 1)
    // The app observes one exit. The next one is reported only after the phone has returned to the
    // surroundings.
    rig.wait(.seconds(190))
    rig.walk(4_500, 1_000, 4_000, speed: 10)
    #expect(rig.count(.located) == 2)
  }

  @Test func `new surroundings replace the old ones`() throws {
    var rig = try rig()
    rig.forget()
    rig.perform(.watch(Self.circle(0, radius: 1_000)), .watch(Self.circle(0, radius: 3_000)))
    rig.walk(0, 2_000, speed: 10)
    #expect(rig.count(.located) == 0)
    rig.perform(.unwatch)
    rig.walk(2_000, 5_000, speed: 10)
    #expect(rig.count(.located) == 0)
  }

  @Test func `surroundings count towards the region limit`() throws {
    var rig = try rig()
    rig.perform(.watch(Self.circle(0, radius: 1_000)), .monitor(RegionID(0)), .monitor(RegionID(1)))
    #expect(rig.log.observed.filter { $0.kind == .regionFailed }.map(\.subject) == [1])
    rig.perform(.unwatch, .monitor(RegionID(1)))
    #expect(rig.count(.regionFailed) == 1)
    rig.perform(.watch(Self.circle(0, radius: 1_000)))
    #expect(rig.missed(.located) == [.noSign])
  }

  @Test(arguments: ["airplane", "permission", "forceQuit", "off"])
  func `the system does not report an exit from the surroundings in some states`(why: String) throws {
    var rig = try rig()
    rig.perform(.watch(Self.circle(0, radius: 1_000)))
    switch why {
    case "airplane": rig.apply(.airplaneMode(true))
    case "permission": rig.apply(.locationPermission(.whenInUse))
    case "forceQuit": rig.apply(.openOwnApp, .forceQuit)
    default: rig.apply(.powerOff)
    }
    rig.forget()
    rig.walk(0, 3_000, speed: 10)
    #expect(rig.count(.located) == 0)
    guard why == "off" else {
      #expect(rig.missed(.located) == [why == "forceQuit" ? .forceQuit : .noSign])
      return
    }
    // The system checks the position at the boot.
    rig.apply(.powerOn, .unlock)
    rig.wait(.minutes(1))
    #expect(Self.metres(rig.log.observed) == [3_000])
  }

  @Test func `entering a region by override leaves the surroundings`() throws {
    var rig = try rig()
    rig.perform(.watch(Self.circle(0, radius: 1_000)), .monitor(RegionID(0)))
    rig.forget()
    rig.apply(.enterRegion(RegionID(0)))
    rig.wait(.minutes(1))
    #expect(Set(Self.metres(rig.log.observed)) == [20_000])
  }
}
