import DeviceSimulation
import Testing
import TriggerModel

extension RuleDemonstration {
  static let notifications: [RuleDemonstration] = [
    RuleDemonstration("pendingCapacity", .ios, [:], ("64", "6"), ("70", "0"), ("2", "68")) { rig in
      for reminder in 0..<70 { rig.add(reminder) }
      return "\(rig.removed(.pendingLimit).count)"
    },
    RuleDemonstration(
      "pendingDropSeen", .ios, ["pendingCapacity": "1"], ("never", ""), ("nextRun", "5"), ("atOnce", "0")
    ) { rig in
      rig.add(0)
      rig.add(1)
      rig.wait(.minutes(5))
      rig.apply(.openOwnApp)
      return rig.minutes(.pendingDropped)
    },
    RuleDemonstration(
      "pendingEviction", .ios, ["pendingCapacity": "2"], ("lastAdded", "1 2"), ("soonest", "0 1"),
      ("rejectNew", "0 1"), ("refuse", "0 1")
    ) { rig in
      for reminder in 0..<3 { rig.add(reminder, in: .minutes(Int64(reminder) + 1)) }
      rig.wait(.hours(1))
      return rig.deliveries
    },
    RuleDemonstration(
      "replacementKeepsPlace", .ios, ["requestIdentifier": "perReminder", "pendingCapacity": "2"],
      ("false", "0 2"), ("true", "1 2")
    ) { rig in
      // Reminder 0 makes another request. A request above the limit then drops the oldest one.
      rig.add(0, 0)
      rig.add(1, 0)
      rig.add(0, 1)
      rig.add(2, 0)
      rig.wait(.hours(1))
      return rig.deliveries
    },
    RuleDemonstration(
      "requestIdentifier", .ios, [:], ("perReminder", "0"), ("perOccurrence", "0 0"), ("perRequest", "0 0")
    ) { rig in
      rig.add(0, 0, in: .minutes(5))
      rig.wait(.minutes(1))
      rig.add(0, 1, in: .minutes(5))
      rig.wait(.hours(1))
      return rig.deliveries
    },
    RuleDemonstration(
      "floatingMoves", .ios, ["deliveredSeen": "atOnce"], ("true", "300"), ("false", "780")
    ) { rig in
      // The request is due at 20:00 in Berlin. In Tokyo, 20:00 is eight hours earlier.
      rig.add(0, in: .hours(13), floats: true)
      rig.apply(.travel(PhoneRig.tokyo))
      rig.wait(.days(1))
      return rig.minutes(.delivered)
    },
    RuleDemonstration(
      "jumpedOverShown", .ios, ["deliveredSeen": "atOnce"], ("false", ""), ("true", "60")
    ) { rig in
      // The request is due at 09:00 in Berlin. An hour before, the phone travels to Tokyo, where the clock
      // reads 16:00.
      rig.add(0, in: .hours(2), floats: true)
      rig.wait(.hours(1))
      rig.apply(.travel(PhoneRig.tokyo))
      rig.wait(.days(1))
      return rig.minutes(.delivered)
    },
    RuleDemonstration(
      "permissionPrompt", .ios, [:], ("once", "2 prompts, denied"), ("twice", "3 prompts, denied"),
      ("always", "4 prompts, authorized"), ("never", "0 prompts, notDetermined")
    ) { rig in
      rig.apply(.notificationPermission(.notDetermined))
      // The person closes the first prompt without an answer, so the permission stays undetermined.
      for answer: NotificationPermission in [.notDetermined, .denied, .denied, .authorized] {
        rig.apply(.answerPrompt(.notifications(answer)))
      }
      let prompts = rig.log.outcomes.count { if case .prompted = $0 { true } else { false } }
      return "\(prompts) prompts, \(rig.phone.centre.permission)"
    },
    RuleDemonstration(
      "provisionalIsQuiet", .ios, [:], ("true", "list provisional"), ("false", "banner")
    ) { rig in
      rig.apply(.notificationPermission(.provisional))
      return rig.presentationOfNext(0)
    },
    RuleDemonstration("criticalLevel", .ios, [:], ("timeSensitive", "banner"), ("active", "list focus")) {
      rig in
      rig.apply(.focus(true))
      return rig.presentationOfNext(0, bucket: .critical)
    },
    RuleDemonstration("focusHides", .ios, [:], ("true", "list focus"), ("false", "banner")) { rig in
      rig.apply(.focus(true))
      return rig.presentationOfNext(0)
    },
    RuleDemonstration("summaryHolds", .ios, [:], ("true", "none summary"), ("false", "banner")) { rig in
      rig.apply(.summary(true))
      return rig.presentationOfNext(0)
    },
    RuleDemonstration("summaryTime", .ios, [:], ("480", "59"), ("1080", "659")) { rig in
      rig.apply(.summary(true))
      rig.add(0)
      rig.wait(.days(1))
      for case .presentedLate(_, let after) in rig.log.outcomes { return "\(after.milliseconds / 60_000)" }
      return "never"
    },
    RuleDemonstration(
      "presentsInForeground", .ios, [:], ("false", "none foreground"), ("true", "banner")
    ) { rig in
      rig.apply(.openOwnApp)
      return rig.presentationOfNext(0)
    },
    RuleDemonstration("deliveredLimit", .ios, [:], ("0", "3"), ("2", "2")) { rig in
      for reminder in 0..<3 { rig.add(reminder) }
      rig.wait(.hours(1))
      return "\(rig.phone.centre.visible.count)"
    },
    RuleDemonstration(
      "deliveredLimit", .android, [:], ("50", "50"), ("0", "60")
    ) { rig in
      for reminder in 0..<60 { rig.add(reminder) }
      rig.wait(.hours(1))
      return "\(rig.phone.centre.visible.count)"
    },
    RuleDemonstration(
      "deliveredEviction", .android, ["deliveredLimit": "2"], ("refuseNew", "0 1"), ("removeOldest", "1 2")
    ) { rig in
      for reminder in 0..<3 { rig.add(reminder) }
      rig.wait(.hours(1))
      return rig.phone.centre.visible.map { "\($0.id.reminder.index)" }.joined(separator: " ")
    },
    RuleDemonstration(
      "dismissSeen", .ios, [:], ("never", ""), ("nextRun", "120"), ("atOnce", "60")
    ) { rig in
      rig.add(0)
      rig.wait(.hours(1))
      rig.apply(.dismiss(ReminderID(0)))
      rig.wait(.hours(1))
      rig.apply(.openOwnApp)
      return rig.minutes(.dismissed)
    },
    RuleDemonstration(
      "pendingAfterReboot", .ios, [:], ("deliverMissed", "0 1"), ("dropMissed", "1"), ("loseAll", "")
    ) { rig in
      rig.add(0, in: .hours(1))
      rig.add(1, in: .hours(5))
      rig.apply(.powerOff)
      rig.wait(.hours(2))
      rig.apply(.powerOn)
      rig.wait(.hours(9))
      return rig.deliveries
    },
    RuleDemonstration("deliveredSeen", .ios, [:], ("nextRun", "60"), ("atOnce", "1"), ("never", "")) { rig in
      rig.add(0)
      rig.wait(.hours(1))
      rig.apply(.openOwnApp)
      return rig.minutes(.delivered)
    },
    RuleDemonstration("channelsSilent", .android, [:], ("false", "banner"), ("true", "list channelSilent")) {
      rig in
      rig.perform(.add(rig.request(0, in: .zero)))
      rig.wait(.zero)
      return rig.presentationOfLast
    },
    RuleDemonstration("focusHides", .android, [:], ("true", "list focus"), ("false", "banner")) { rig in
      rig.apply(.focus(true))
      rig.perform(.add(rig.request(0, in: .zero)))
      rig.wait(.zero)
      return rig.presentationOfLast
    },
  ]
}

@Suite struct NotificationRuleTests {
  @Test func `inexact alarms are late by up to an hour`() throws {
    var lateness: Set<TimeSpan> = []
    // Alarms of one app go off together, so each alarm is on its own phone.
    for reminder in 0..<200 {
      var rig = try PhoneRig(.android)
      rig.add(reminder, in: .minutes(1))
      rig.wait(.hours(3))
      #expect(rig.count(.delivered) == 1)
      for time in rig.times(.delivered) { lateness.insert(time - .minutes(1)) }
    }
    #expect(lateness.count > 190)
    #expect(lateness.allSatisfy { $0 >= .zero && $0 <= .hours(1) })
    #expect(lateness.contains { $0 > .minutes(45) } && lateness.contains { $0 < .minutes(15) })
  }

  @Test func `Android refuses the 501st alarm`() throws {
    var rig = try PhoneRig(.android)
    for reminder in 0...500 { rig.add(reminder) }
    #expect(rig.observed == [.addFailed])
    #expect(rig.log.observed.first?.request == rig.id(500))
    #expect(rig.phone.centre.pending.count == 500)
  }

  @Test func `Android loses pending alarms at a reboot`() throws {
    for (rule, delivered) in [("atBoot", [1]), ("never", [])] {
      var rig = try PhoneRig(.android, ["bootStart": rule, "exactAlarms": "granted"])
      rig.add(0, in: .hours(1))
      rig.add(1, in: .hours(9))
      rig.apply(.powerOff)
      rig.wait(.hours(2))
      rig.apply(.powerOn)
      rig.wait(.days(1))
      #expect(rig.delivered == delivered, "\(rule)")
      rig.apply(.openOwnApp)
      #expect(rig.count(.pendingDropped) == 2 - delivered.count, "\(rule)")
    }
  }
}
