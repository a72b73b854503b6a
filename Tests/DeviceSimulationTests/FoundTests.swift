import DeviceSimulation
import Geofencing
import Testing
import TriggerModel

@Suite("A phone found at a position")
struct FoundTests {
  private static func rig(_ profile: PlatformProfile) throws -> PhoneRig {
    try PhoneRig(
      profile,
      regions: [PhoneRig.region(0, radius: 100), PhoneRig.region(1, radius: 100, metresNorth: 2_000)])
  }

  private static func found(_ rig: PhoneRig, metresNorth: Double) -> PhoneEvent {
    .found(Fix(instant: rig.now, coordinate: PhoneRig.coordinate(metresNorth: metresNorth)))
  }

  private static let places: [ObservedEvent.Kind] = [.regionEntered, .regionExited]

  @Test(arguments: [PlatformProfile.ideal, .ios, .android])
  func `a jump over a region crosses no boundary`(_ profile: PlatformProfile) throws {
    var rig = try Self.rig(profile)
    for region in 0..<2 { rig.perform(.monitor(RegionID(region))) }
    rig.apply(Self.found(rig, metresNorth: -5_000))
    rig.wait(.minutes(10))
    rig.apply(Self.found(rig, metresNorth: 5_000))
    rig.wait(.minutes(30))
    #expect(rig.log.truth.filter { Self.places.contains($0.kind) }.isEmpty)
    #expect(rig.log.observed.filter { Self.places.contains($0.kind) }.isEmpty)
  }

  @Test(arguments: [PlatformProfile.ideal, .ios, .android])
  func `a jump from one region into another reports both states`(
    _ profile: PlatformProfile
  ) throws {
    var rig = try Self.rig(profile)
    for region in 0..<2 { rig.perform(.monitor(RegionID(region))) }
    rig.apply(Self.found(rig, metresNorth: 0))
    rig.wait(.minutes(10))
    rig.apply(Self.found(rig, metresNorth: 2_000))
    rig.wait(.minutes(30))
    #expect(rig.phone.inside == RegionSet(RegionID(1)))
    let truth = rig.log.truth.filter { Self.places.contains($0.kind) }
    #expect(truth.map(\.kind) == [.regionEntered, .regionExited, .regionEntered])
    #expect(truth.map(\.subject) == [0, 0, 1])
    // Android reports an initial enter when the position becomes known (INITIAL_TRIGGER_ENTER, rule L15).
    let state = ObservedEvent.reportedState
    let initial = profile.name == "android" ? ObservedEvent.initialEnter : state
    #expect(truth.map(\.value) == [initial, state, state])
    let told = rig.log.observed.filter { Self.places.contains($0.kind) }.map(\.value)
    let expected = ["ideal": [state, state, state], "ios": [], "android": [initial]]
    #expect(told == expected[profile.name])
  }

  @Test func `leaving the region where the phone was found is reported`() throws {
    var rig = try Self.rig(.ios)
    rig.perform(.monitor(RegionID(0)))
    rig.apply(Self.found(rig, metresNorth: -5_000))
    rig.wait(.minutes(1))
    rig.apply(Self.found(rig, metresNorth: 0))
    rig.walk(0, 3_000, speed: 10)
    rig.stay(.minutes(20))
    #expect(rig.count(.regionExited) == 1)
    #expect(rig.count(.regionEntered) == 0)
  }

  @Test func `a fix earlier than the current destination is ignored`() throws {
    var rig = try Self.rig(.ideal)
    rig.apply(Self.found(rig, metresNorth: -500))
    rig.apply(.fix(Fix(instant: rig.now + .minutes(10), coordinate: PhoneRig.coordinate(metresNorth: 500))))
    rig.wait(.minutes(1))
    rig.apply(.fix(Fix(instant: rig.now, coordinate: PhoneRig.coordinate(metresNorth: 5_000))))
    #expect(rig.log.outcomes.contains(.ignored(.onItsWay)))
    rig.wait(.minutes(10))
    #expect(rig.truth.filter(Self.places.contains) == [.regionEntered, .regionExited])
  }
}
