import DeviceSimulation
import Geofencing
import RandomScenarios
import TestSupport
import Testing
import TriggerModel

/// Tests how fixes and overrides determine which regions contain the phone.
@Suite struct WhereaboutsTests {
  /// The centres of the regions in metres north of a point. Only the last two regions overlap, and one
  /// contains the other.
  private static let centres = [0.0, 1_000, 2_000, 3_000, 3_050]
  private static let radii = [100.0, 100, 100, 300, 50]

  private static func regions() throws -> [CircularRegion] {
    try centres.indices.map { try PhoneRig.region($0, radius: radii[$0], metresNorth: centres[$0]) }
  }

  /// Returns the regions that contain a point on the meridian.
  private static func inside(_ metres: Double) -> Set<Int> {
    Set(centres.indices.filter { abs(centres[$0] - metres) < radii[$0] })
  }

  private static func apart(from region: Int) -> [Int] {
    centres.indices.filter { abs(centres[$0] - centres[region]) > radii[$0] + radii[region] }
  }

  @Test func `an override ends when the phone reaches a fix`() throws {
    var rig = try PhoneRig(regions: Self.regions())
    rig.apply(.fix(Fix(instant: rig.now, coordinate: PhoneRig.coordinate(metresNorth: 0))))
    rig.wait(.hours(1))
    rig.apply(.exitRegion(RegionID(0)))
    rig.wait(.hours(1))
    // The fix is at the centre of the region, so the phone enters it again.
    rig.apply(.fix(Fix(instant: rig.now, coordinate: PhoneRig.coordinate(metresNorth: 0))))
    #expect(rig.truth == [.regionEntered, .regionExited, .regionEntered])
    let values = rig.log.truth.filter { $0.kind != .batteryLevel }.map(\.value)
    #expect(values == [ObservedEvent.reportedState, 0, 0])
    #expect(rig.log.outcomes.isEmpty)
    rig.forget()
    // Entering another region by override leaves the first one.
    rig.wait(.hours(1))
    rig.apply(.enterRegion(RegionID(2)))
    rig.wait(.hours(1))
    rig.apply(.fix(Fix(instant: rig.now, coordinate: PhoneRig.coordinate(metresNorth: 500))))
    #expect(rig.truth == [.regionExited, .regionEntered, .regionExited], "nobody is in two places")
    #expect(rig.phone.inside.isEmpty && rig.log.outcomes.isEmpty)
  }

  @Test(arguments: ["ideal", "ios"])
  func `enters and exits alternate for fixes and overrides`(_ profile: String) throws {
    for seed in 0..<120 {
      var random = SplitMix64(seed: UInt64(seed))
      var rig = try PhoneRig(PlatformProfile.named(profile), regions: Self.regions(), seed: UInt64(seed))
      for region in Self.centres.indices { rig.perform(.monitor(RegionID(region))) }
      // The last known state of each region, or `nil` before the first fix or override.
      var said: [Bool?] = Array(repeating: nil, count: Self.centres.count)
      for _ in 0..<30 {
        rig.wait(.minutes(Int64(random.int(1...90))))
        let region = random.int(0...4)
        if random.chance(50) {
          let isEnter = random.chance(50)
          rig.apply(isEnter ? .enterRegion(RegionID(region)) : .exitRegion(RegionID(region)))
          said[region] = isEnter
          if isEnter {
            for other in Self.apart(from: region) { said[other] = said[other].map { _ in false } }
          }
        } else {
          let metres = Self.centres[region] + Double(random.int(-400...400))
          // The next fix is reached immediately, or after a movement during which overrides may occur.
          let span = TimeSpan.minutes(random.chance(50) ? 0 : Int64(random.int(1...30)))
          rig.apply(
            .fix(Fix(instant: rig.now + span, coordinate: PhoneRig.coordinate(metresNorth: metres))))
          if span > .zero, random.chance(50) {
            rig.wait(TimeSpan(milliseconds: span.milliseconds / 2))
            rig.apply(random.chance(50) ? .enterRegion(RegionID(region)) : .exitRegion(RegionID(region)))
          }
          rig.wait(span)
          let inside = Self.inside(metres)
          said = said.indices.map { inside.contains($0) }
        }
        for index in said.indices {
          #expect(rig.phone.inside.contains(RegionID(index)) == (said[index] ?? false), "seed \(seed)")
        }
      }
      for index in Self.centres.indices {
        let kinds = rig.log.truth.filter {
          $0.subject == UInt32(index) && ($0.kind == .regionEntered || $0.kind == .regionExited)
        }
        for (earlier, later) in zip(kinds, kinds.dropFirst()) {
          #expect(earlier.kind != later.kind, "seed \(seed), region \(index)")
        }
        #expect(kinds.first?.kind != .regionExited)
        // Only the first fix reports a state. All later events are changes.
        #expect(kinds.dropFirst().allSatisfy { $0.value != ObservedEvent.reportedState })
      }
    }
  }

  @Test func `a phone that starts in a region is inside it before any event`() throws {
    var rig = try PhoneRig(regions: Self.regions(), beginningAt: 3_050)
    #expect(rig.truth == [.regionEntered, .regionEntered])
    #expect(rig.log.observed.allSatisfy { $0.value == ObservedEvent.reportedState })
    rig.forget()
    rig.apply(.fix(Fix(instant: rig.now, coordinate: PhoneRig.coordinate(metresNorth: 0))))
    #expect(rig.phone.inside.contains(RegionID(0)) && !rig.phone.inside.contains(RegionID(3)))
    #expect(rig.log.truth.count { $0.kind == .regionExited } == 4, "two at the start, and two on the way")
  }

  @Test func `registering a region from inside is reported as the profile specifies`() throws {
    for (trigger, told) in [("none", 0), ("state", 1), ("enter", 1)] {
      var rig = try PhoneRig(.ios, ["initialTrigger": trigger], regions: Self.regions(), beginningAt: 0)
      rig.perform(.monitor(RegionID(0)))
      rig.wait(.minutes(10))
      #expect(rig.count(.regionEntered) == told, "\(trigger)")
    }
  }

  @Test func `registering a region again reports its state and its next exit`() throws {
    for (trigger, told) in [("none", 0), ("state", 2), ("enter", 2)] {
      var rig = try PhoneRig(
        .ios, ["initialTrigger": trigger, "regionLatency": "0"], regions: Self.regions(), beginningAt: 0)
      rig.perform(.monitor(RegionID(0)))
      rig.wait(.minutes(1))
      rig.perform(.monitor(RegionID(0)))
      rig.wait(.minutes(1))
      #expect(rig.count(.regionEntered) == told / 2, "\(trigger): the region is registered")
      rig.perform(.unmonitor(RegionID(0)), .monitor(RegionID(0)))
      rig.wait(.minutes(1))
      #expect(rig.count(.regionEntered) == told, "\(trigger)")
      // The phone left the region before the app registers it again, and the system has not reported the exit
      // yet.
      rig.apply(.exitRegion(RegionID(0)))
      rig.perform(.unmonitor(RegionID(0)), .monitor(RegionID(0)))
      rig.wait(.minutes(1))
      #expect(rig.count(.regionEntered) == told && rig.count(.regionExited) == 1, "\(trigger)")
    }
  }

  @Test func `a position that becomes known inside a region is reported as the profile specifies`() throws {
    for (trigger, values) in [("none", []), ("state", [1]), ("enter", [2])] as [(String, [Int64])] {
      var rig = try PhoneRig(
        .ios, ["initialTrigger": trigger, "regionLatency": "0"], regions: Self.regions())
      rig.perform(.monitor(RegionID(0)))
      rig.wait(.minutes(1))
      rig.walk(0, 10, speed: 1)
      let told = rig.log.observed.filter { $0.kind == .regionEntered }
      #expect(told.map(\.value) == values, "\(trigger)")
    }
  }
}
