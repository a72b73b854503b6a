import DeviceSimulation
import Geofencing
import SimulationKernel
import Testing
import TriggerModel

/// Alarms on Android: Doze, battery saver and the permission (rules A1 to A4).
@Suite struct AlarmTests {
  private static let events: [PhoneEvent] = [
    .lock, .unlock, .plugIn, .unplug, .openOwnApp, .leaveOwnApp, .lowPowerMode(true), .lowPowerMode(false),
    .exactAlarms(true), .exactAlarms(false), .terminate, .focus(true), .channel(TypeID(0), .silent),
    .locationServices(false),
  ]

  @Test func `a request for now is shown immediately in every state`() throws {
    for profile in PlatformProfile.all {
      for round in 0..<20 {
        let luck = RandomKey(seed: UInt64(round), person: 0, purpose: .device)
        var rig = try PhoneRig(profile, ["pendingCapacity": "3"].filter { _ in profile.name != "ideal" })
        for step in 0..<30 as Range<UInt64> {
          rig.apply(Self.events[Int(luck.below(UInt64(Self.events.count), step))])
          rig.wait(.minutes(Int64(luck.below(200, 1_000 + step))))
          rig.add(1, UInt32(step), in: .hours(50))
          let before = rig.delivered.count
          rig.add(0, UInt32(step), in: .zero)
          rig.wait(.zero)
          #expect(rig.delivered.count == before + 1, "\(profile.name) \(round) \(step)")
          #expect(rig.delivered.last == 0, "\(profile.name) \(round) \(step)")
        }
      }
    }
  }

  /// A reference that computes Doze minute by minute. The phone enters Doze one hour after it was last
  /// locked, unplugged or moved. Its maintenance windows follow 1, 3, 7, 13, 19 … hours later.
  private struct Lying {
    var isOff = false
    var isPlugged = false
    var since = 0
    func isHeldBack(at minute: Int) -> Bool {
      let dozing = minute - since - 60
      guard isOff, !isPlugged, dozing >= 0 else { return false }
      return ![60, 180, 420].contains(dozing) && !(dozing >= 780 && (dozing - 780) % 360 == 0)
    }
  }

  @Test func `an alarm in Doze waits for the next maintenance window or for the user`() throws {
    for round in 0..<60 {
      let luck = RandomKey(seed: UInt64(round), person: 1, purpose: .device)
      var rig = try PhoneRig(.android, ["exactAlarms": "granted"])
      var due: [Int: Int] = [:]
      for reminder in 0..<40 {
        let minute = 1 + Int(luck.below(2_880, UInt64(reminder)))
        due[reminder] = minute
        rig.add(reminder, in: .minutes(Int64(minute)))
      }
      let hands: [(minute: Int, event: PhoneEvent)] = (0..<10).map { step in
        let events: [PhoneEvent] = [.lock, .lock, .unlock, .plugIn, .unplug, .enterRegion(RegionID(0))]
        let event = events[Int(luck.below(6, 200 + UInt64(step)))]
        return (Int(luck.below(2_880, 100 + UInt64(step))), event)
      }.sorted { $0.0 < $1.0 }
      var lying = Lying()
      var expected: [Int: Int] = [:]
      var next = 0
      for minute in 0...3_600 {
        while next < hands.count, hands[next].minute == minute {
          let wasInside = !rig.phone.inside.isEmpty
          let event = hands[next].event
          rig.apply(event)
          switch event {
          case .lock: lying.isOff = true
          case .unlock: lying.isOff = false
          case .plugIn where !lying.isPlugged: lying.isPlugged = true
          case .unplug where lying.isPlugged: lying.isPlugged = false
          case .enterRegion where !wasInside: break
          default:
            next += 1
            continue
          }
          lying.since = minute
          next += 1
        }
        for (reminder, dueAt) in due where dueAt <= minute && expected[reminder] == nil {
          if !lying.isHeldBack(at: minute) { expected[reminder] = minute }
        }
        rig.wait(.minutes(1))
      }
      var seen: [Int: Int] = [:]
      for event in rig.log.observed where event.kind == .delivered {
        seen[Int(event.subject)] = Int((event.moment.wall - PhoneRig.start).milliseconds / 60_000)
      }
      #expect(seen == expected, "round \(round)")
    }
  }

  @Test func `moving a dozing phone delivers deferred notifications`() throws {
    var rig = try PhoneRig(.android, ["exactAlarms": "granted"], regions: [PhoneRig.region(0, radius: 150)])
    rig.walk(10_000, speed: 1)
    rig.apply(.lock)
    rig.add(0, in: .minutes(90))
    // The fixes of a resting phone scatter slightly.
    for metres in [10_020.0, 9_990, 10_010] {
      rig.apply(.fix(Fix(instant: rig.now, coordinate: PhoneRig.coordinate(metresNorth: metres))))
      rig.wait(.minutes(33))
    }
    #expect(rig.delivered.isEmpty)
    rig.apply(.fix(Fix(instant: rig.now + .minutes(1), coordinate: PhoneRig.coordinate(metresNorth: 9_000))))
    rig.wait(.zero)
    #expect(rig.delivered == [0])
  }

  @Test func `a phone that is never locked does not enter Doze`() throws {
    var rig = try PhoneRig(.android, ["exactAlarms": "granted"])
    rig.add(0, in: .hours(20))
    rig.wait(.hours(20))
    #expect(rig.delivered == [0])
  }

  @Test func `alarms allowed in Doze keep their minimum interval`() throws {
    var rig = try PhoneRig(.android, ["alarmsWhileIdle": "true", "deliveryLatenessTo": "0"])
    rig.apply(.lock)
    for reminder in 0..<4 { rig.add(reminder, in: .hours(2)) }
    rig.wait(.hours(3))
    #expect(rig.minutes(.delivered) == "120 129 138 147")
  }

  /// When one alarm goes off, all alarms of the app whose time has passed go off too (AOSP,
  /// `LazyAlarmStore.removePendingAlarms`).
  @Test func `no inexact alarm overtakes an earlier one on 2,000 phones`() throws {
    var batches = 0
    for seed in 0..<2_000 as Range<UInt64> {
      let luck = RandomKey(seed: seed, person: 2, purpose: .device)
      func below(_ limit: Int, _ number: UInt64) -> Int { Int(luck.below(UInt64(limit), number)) }
      let idle = ["false", "true"][below(2, 0)]
      var rig = try PhoneRig(.android, ["alarmsWhileIdle": idle], seed: seed)
      // Notifications have even numbers, and wake requests have odd numbers.
      let minutes = (0..<8).map { 1 + below(240, 10 + UInt64($0)) }
      for (number, minute) in minutes.enumerated() {
        if number % 2 == 0 {
          rig.add(number, in: .minutes(Int64(minute)))
        } else {
          rig.perform(.wake(ReminderID(number), at: PhoneRig.start + .minutes(Int64(minute))))
        }
      }
      for step in 0..<4 as Range<UInt64> {
        rig.wait(.minutes(Int64(below(120, 100 + step))))
        let events: [PhoneEvent] = [.lock, .lowPowerMode(true), .unlock, .plugIn, .unplug]
        rig.apply(events[below(5, 200 + step)])
      }
      rig.wait(.hours(12))
      let alarms = rig.log.observed.filter { $0.kind == .delivered || $0.kind == .woken }
      #expect(alarms.count == 8, "seed \(seed)")
      for (earlier, later) in zip(alarms, alarms.dropFirst()) {
        if earlier.moment.wall == later.moment.wall {
          batches += 1
        } else {
          #expect(minutes[Int(earlier.subject)] <= minutes[Int(later.subject)], "seed \(seed)")
        }
      }
    }
    #expect(batches > 2_000)
  }

  @Test func `battery saver delays inexact alarms until it ends`() throws {
    func minutes(_ overrides: [String: String], _ change: (inout PhoneRig) -> Void) throws -> [Int64] {
      var minutes: [Int64] = []
      // Alarms of one app go off together, so each alarm is on its own phone.
      for reminder in 0..<100 {
        var rig = try PhoneRig(.android, overrides)
        rig.apply(.lowPowerMode(true))
        rig.add(reminder, in: .minutes(10))
        rig.wait(.minutes(10))
        change(&rig)
        rig.wait(.hours(4))
        minutes += rig.times(.delivered).map { $0.milliseconds / 60_000 }
      }
      return minutes
    }
    let saving = try minutes(["deliveryLatenessTo": "0"]) { _ in }
    #expect(saving.count == 100 && saving.allSatisfy { (10...130).contains($0) })
    #expect(saving.contains { $0 > 100 })
    #expect(try minutes(["exactAlarms": "granted"]) { _ in }.allSatisfy { $0 == 10 })
    for end in [PhoneEvent.lowPowerMode(false), .plugIn] {
      #expect(try minutes(["deliveryLatenessTo": "0"]) { $0.apply(end) }.allSatisfy { $0 == 10 }, "\(end)")
    }
  }

  @Test func `the permission for exact alarms can be granted and revoked`() throws {
    var rig = try PhoneRig(.android)
    rig.add(0, in: .hours(2))
    rig.wait(.hours(1))
    rig.apply(.exactAlarms(true))
    rig.wait(.hours(1))
    #expect(rig.minutes(.delivered) == "120")
    rig.add(1, in: .hours(2))
    rig.apply(.exactAlarms(false))
    rig.wait(.hours(9))
    #expect(rig.delivered == [0])
    #expect(rig.removed(.exactAlarmsRevoked) == [1])
    // The app observes the dropped requests when it runs again.
    #expect(rig.count(.pendingDropped) == 0)
    rig.apply(.openOwnApp)
    #expect(rig.count(.pendingDropped) == 1)
    var iphone = try PhoneRig(.ios)
    iphone.apply(.exactAlarms(true))
    #expect(iphone.log.outcomes.contains(.ignored(.notOnThisPlatform)))
  }

  /// A wake request is an alarm, so a reboot drops it.
  @Test func `a reboot drops a wake request`() throws {
    var times: Set<TimeSpan> = []
    for reminder in 0..<50 {
      var rig = try PhoneRig(.android)
      rig.perform(.wake(ReminderID(reminder), at: PhoneRig.start + .hours(1)))
      rig.wait(.hours(3))
      times.formUnion(rig.times(.woken))
    }
    #expect(times.count > 40)
    #expect(times.allSatisfy { $0 >= .hours(1) && $0 <= .hours(2) })
    for (rule, woken) in [("atBoot", 1), ("never", 0)] {
      var rig = try PhoneRig(.android, ["exactAlarms": "granted", "bootStart": rule])
      rig.perform(.wake(ReminderID(0), at: PhoneRig.start + .hours(1)))
      rig.apply(.powerOff, .powerOn)
      rig.wait(.hours(3))
      #expect(rig.count(.woken) == woken, "\(rule)")
    }
  }
}
