import CivilTime
import DeviceSimulation
import TestSupport
import Testing
import TriggerModel

@Suite struct NotificationCentreTests {
  @Test(arguments: [
    ("lastAdded", Array(6..<70)), ("soonest", Array(0..<64)), ("rejectNew", Array(0..<64)),
  ])
  func `64 of 70 requests stay pending`(eviction: String, survivors: [Int]) throws {
    var rig = try PhoneRig(.ideal, ["pendingEviction": eviction])
    for reminder in 0..<70 { rig.add(reminder, in: .minutes(Int64(reminder) + 1)) }
    rig.wait(.hours(2))
    #expect(rig.delivered == survivors)
    #expect(rig.removed(.pendingLimit).count == 6)
    #expect(rig.count(.pendingDropped) == 6)
  }

  @Test func `the requests that are due first stay pending, whatever their order`() throws {
    var rig = try PhoneRig(.ideal, ["pendingEviction": "soonest", "pendingCapacity": "2"])
    for (reminder, minutes) in [(0, 9), (1, 3), (2, 5), (3, 5), (4, 1)] as [(Int, Int64)] {
      rig.add(reminder, in: .minutes(minutes))
    }
    rig.wait(.hours(1))
    #expect(rig.delivered == [4, 1])
    #expect(rig.removed(.pendingLimit) == [0, 3, 2])
  }

  @Test func `a request replaces a pending request with the same identifier`() throws {
    // Reminder 1 has two requests for the same time and one for a later time.
    for (identifier, delivered) in [
      ("perOccurrence", [2, 1, 1]), ("perReminder", [2, 1]), ("perRequest", [1, 2, 1, 1]),
    ] {
      var rig = try PhoneRig(.ideal, ["requestIdentifier": identifier])
      rig.add(1, 0, in: .minutes(10))
      rig.add(2, 0, in: .minutes(10))
      rig.add(1, 1, in: .minutes(10))
      rig.wait(.minutes(5))
      rig.add(1, 2, in: .minutes(10))
      #expect(rig.removed(.superseded).count == 4 - delivered.count, "\(identifier)")
      rig.wait(.hours(1))
      #expect(rig.delivered == delivered, "\(identifier)")
    }
  }

  @Test func `a request added twice is delivered once under every identifier rule (case 74)`() throws {
    for identifier in ["perOccurrence", "perReminder", "perRequest"] {
      var rig = try PhoneRig(.ideal, ["requestIdentifier": identifier])
      for _ in 0..<3 { rig.add(1, 0, in: .minutes(10)) }
      #expect(rig.phone.centre.pending.count == 1, "\(identifier)")
      rig.wait(.hours(1))
      #expect(rig.delivered == [1], "\(identifier)")
    }
  }

  @Test func `every request has an outcome or is pending`() throws {
    var random = SplitMix64(seed: 7)
    for round in 0..<60 {
      let eviction = ["lastAdded", "soonest", "rejectNew", "refuse"][round % 4]
      let reboot = ["deliverMissed", "dropMissed", "loseAll"][round % 3]
      var rig = try PhoneRig(
        .ideal,
        ["pendingEviction": eviction, "pendingCapacity": "5", "pendingAfterReboot": reboot])
      var handed = 0
      for step in 0..<300 {
        switch random.below(14) {
        case 0...5:
          let floats = random.below(2) == 0
          rig.add(random.below(12), UInt32(step), in: .minutes(Int64(random.below(200)) - 20), floats: floats)
          handed += 1
        case 6: rig.perform(.remove(rig.id(random.below(12), UInt32(random.below(step + 1))), .cancelled))
        case 7: rig.apply(.notificationPermission(random.below(4) == 0 ? .denied : .authorized))
        case 8: rig.apply(.failNextAdd(1))
        case 9: rig.apply(.setClock(ahead: .minutes(Int64(random.below(120)) - 60)))
        case 10: rig.apply(.travel(random.below(2) == 0 ? PhoneRig.berlin : PhoneRig.tokyo))
        case 11: rig.apply(random.below(2) == 0 ? .powerOff : .powerOn)
        case 12: rig.apply(random.below(2) == 0 ? .openOwnApp : .leaveOwnApp, .focus(random.below(2) == 0))
        default: rig.wait(.minutes(Int64(random.below(60))))
        }
        let pending = rig.phone.centre.pending
        #expect(pending.count { $0.isAlarm } <= 5, "round \(round) step \(step)")
        #expect(fates(of: rig).count == handed - pending.count, "round \(round) step \(step)")
      }
      #expect(Set(fates(of: rig).map(\.0)).count == handed - rig.phone.centre.pending.count, "round \(round)")
    }
  }

  /// Returns the requests that are no longer pending, each with its outcome.
  private func fates(of rig: PhoneRig) -> [(RequestID, PhoneOutcome)] {
    rig.log.outcomes.compactMap { outcome in
      switch outcome {
      case .refused(let id, _), .removed(let id, _), .delivered(let id, _): (id, outcome)
      default: nil
      }
    }
  }

  @Test func `a failed add is reported and leaves nothing pending`() throws {
    var rig = try PhoneRig()
    rig.apply(.failNextAdd(1))
    rig.add(1)
    rig.add(2)
    #expect(rig.observed == [.addFailed])
    #expect(rig.log.observed.first?.request == rig.id(1))
    rig.wait(.hours(1))
    #expect(rig.delivered == [2])
  }

  @Test func `requests need the permission, and revoking it removes pending requests`() throws {
    var rig = try PhoneRig { $0.notificationPermission = .notDetermined }
    rig.add(0)
    #expect(rig.observed == [.addFailed])
    rig.apply(.notificationPermission(.authorized))
    rig.add(1)
    rig.add(2)
    rig.apply(.notificationPermission(.denied), .notificationPermission(.authorized))
    rig.wait(.hours(1))
    #expect(rig.delivered.isEmpty)
    #expect(rig.removed(.permissionRevoked) == [1, 2])
    #expect(
      rig.observed == [
        .addFailed, .permissionChanged, .pendingDropped, .pendingDropped, .permissionChanged,
        .permissionChanged,
      ])
  }

  @Test func `delivery follows the wall clock when it is set`() throws {
    var rig = try PhoneRig()
    rig.add(1, in: .hours(2))
    rig.add(2, in: .hours(5))
    rig.wait(.hours(1))
    rig.apply(.setClock(ahead: .hours(-1)))
    rig.wait(.hours(1))
    #expect(rig.delivered.isEmpty)
    rig.wait(.hours(1))
    #expect(rig.delivered == [1])
    // Setting the clock beyond a due instant causes an immediate delivery.
    rig.apply(.setClock(ahead: .hours(4)))
    #expect(rig.delivered == [1, 2])
    #expect(rig.times(.delivered) == [.hours(2), .hours(7)])
  }

  @Test func `floating requests move with the zone`() throws {
    var rig = try PhoneRig()
    // The request is due at 20:00 in Berlin. The clock in Tokyo is eight hours ahead.
    rig.add(1, in: .hours(13), floats: true)
    rig.add(2, in: .hours(13))
    rig.apply(.travel(PhoneRig.tokyo))
    rig.wait(.hours(12))
    #expect(rig.delivered == [1])
    #expect(rig.times(.delivered) == [.hours(5)])
    rig.wait(.hours(12))
    #expect(rig.times(.delivered) == [.hours(5), .hours(13)])
  }

  @Test func `a floating request keeps its local time through many changes of zone`() throws {
    var rig = try PhoneRig()
    rig.add(1, in: .hours(48), floats: true)
    for _ in 0..<5 { rig.apply(.travel(PhoneRig.tokyo), .travel(PhoneRig.berlin)) }
    rig.wait(.days(3))
    #expect(rig.times(.delivered) == [.hours(48)])
  }

  @Test func `requests that fell due while the phone was off are delivered together at the boot`() throws {
    for (rule, expected) in [("deliverMissed", [0, 1, 2, 3]), ("dropMissed", [3]), ("loseAll", [3])] {
      var rig = try PhoneRig(.ideal, ["pendingAfterReboot": rule])
      for reminder in 0..<4 { rig.add(reminder, in: .hours(Int64(reminder) * 2 + 1)) }
      rig.apply(.powerOff)
      rig.wait(.hours(6))
      rig.apply(.powerOn)
      #expect(rig.delivered == Array(expected.dropLast(1)), "\(rule)")
      rig.wait(.hours(6))
      #expect(rig.delivered == expected, "\(rule)")
    }
  }

  @Test func `foreground, Focus, summary and quiet permission determine the presentation`() throws {
    var rig = try PhoneRig(.ideal, ["presentsInForeground": "false"])
    rig.apply(.openOwnApp)
    rig.add(0)
    rig.wait(.minutes(2))
    rig.apply(.leaveOwnApp, .focus(true))
    rig.add(1)
    rig.add(2, bucket: .critical)
    rig.wait(.minutes(2))
    rig.apply(.focus(false), .notificationPermission(.provisional))
    rig.add(3)
    rig.wait(.minutes(2))
    #expect(rig.presentation(of: rig.id(0)) == .hidden(.foreground))
    #expect(rig.presentation(of: rig.id(1)) == .listed(.focus))
    #expect(rig.presentation(of: rig.id(2)) == .banner)
    #expect(rig.presentation(of: rig.id(3)) == .listed(.provisional))
    // Only the notification that was delivered while the app was in the foreground stays hidden.
    #expect(rig.phone.centre.visible.map(\.id) == [rig.id(1), rig.id(2), rig.id(3)])
  }

  @Test func `the summary at 18:00 shows the notifications held for it`() throws {
    var rig = try PhoneRig()
    rig.apply(.summary(true))
    rig.add(0)
    rig.add(1)
    rig.wait(.minutes(2))
    #expect(rig.presentation(of: rig.id(0)) == .hidden(.summary))
    // The held notification is not visible, so the person can neither respond to it nor clear it. The app can
    // remove it.
    rig.apply(.dismiss(ReminderID(1)), .tap(ReminderID(1)), .clearNotifications)
    #expect(rig.log.outcomes.filter { $0 == .ignored(.nothingToSee) }.count == 3)
    rig.perform(.remove(rig.id(0), .cancelled))
    #expect(rig.phone.centre.visible.isEmpty)
    rig.wait(.hours(12))
    // The notification was delivered at 07:01 and shown at 18:00 Berlin time.
    #expect(rig.log.outcomes.contains(.presentedLate(rig.id(1), after: .minutes(10 * 60 + 59))))
    #expect(rig.phone.centre.visible.map(\.id) == [rig.id(1)])
    rig.forget()
    rig.apply(.dismiss(ReminderID(1)), .dismiss(ReminderID(1)))
    #expect(rig.log.outcomes == [.ignored(.nothingToSee)])
  }

  @Test func `taps and dismissals apply to the newest notification`() throws {
    var rig = try PhoneRig(.ideal, ["requestIdentifier": "perRequest"])
    rig.add(1, 0, in: .minutes(1))
    rig.add(1, 1, in: .minutes(2))
    rig.wait(.minutes(3))
    rig.forget()
    rig.apply(.tap(ReminderID(1)), .leaveOwnApp, .dismiss(ReminderID(1)), .tap(ReminderID(1)))
    #expect(rig.observed == [.opened, .tapped, .backgrounded, .dismissed])
    #expect(rig.log.observed.filter { $0.kind != .opened }.map(\.value) == [1, 0, 0])
    #expect(rig.log.outcomes == [.ignored(.nothingToSee)])
  }

  @Test func `removing a request also removes its delivered notification`() throws {
    var rig = try PhoneRig()
    rig.add(1)
    rig.add(2)
    rig.wait(.minutes(2))
    rig.perform(.remove(rig.id(1), .cancelled))
    #expect(rig.phone.centre.visible.map(\.id) == [rig.id(2)])
    rig.apply(.clearNotifications)
    #expect(rig.phone.centre.visible.isEmpty)
    #expect(rig.delivered == [1, 2])
  }

  @Test func `a reinstall removes all requests and wake-ups`() throws {
    var rig = try PhoneRig()
    rig.add(1, in: .hours(1))
    rig.perform(.wake(ReminderID(1), at: PhoneRig.start + .hours(1)))
    rig.apply(.reinstall)
    #expect(rig.observed == [.launched, .reinstalled])
    rig.wait(.hours(2))
    #expect(rig.observed == [.launched, .reinstalled])
    #expect(rig.removed(.cancelled) == [1])
  }
}
