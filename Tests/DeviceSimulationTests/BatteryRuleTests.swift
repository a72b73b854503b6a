import DeviceSimulation
import TriggerModel

extension RuleDemonstration {
  /// Settings that let the app always run, so that only the rule under test determines what it observes.
  private static let awake = ["backgroundExecution": "always"]

  private static func levels(_ rig: PhoneRig) -> String {
    rig.log.observed.filter { $0.kind == .batteryLevel }.map { "\($0.value)" }.joined(separator: " ")
  }

  static let battery: [RuleDemonstration] = [
    RuleDemonstration(
      "batteryMonitored", .ios, awake, ("true", "chargingStarted charging"), ("false", " unknown")
    ) { rig in
      rig.apply(.plugIn)
      rig.wait(.hours(1))
      return rig.story + " \(rig.phone.batteryState)"
    },
    RuleDemonstration(
      "levelThrottle", .ios, awake.merging(["dischargeRate": "850"]) { $1 }, ("0", "75 70 65 60"),
      ("60", "75 65")
    ) { rig in
      rig.wait(.seconds(85))
      return levels(rig)
    },
    RuleDemonstration("levelStep", .ios, awake, ("5", "75"), ("1", "79 78 77 76 75"), ("10", "")) { rig in
      rig.wait(.minutes(20))
      return levels(rig)
    },
    RuleDemonstration(
      "chargerSeen", .ios, [:], ("nextRun", "60"), ("never", ""), ("atOnce", "0")
    ) { rig in
      rig.apply(.plugIn)
      rig.wait(.hours(1))
      rig.apply(.openOwnApp)
      return rig.minutes(.chargingStarted)
    },
    RuleDemonstration(
      "chargeHold", .ios, awake, level: 20, ("off", "chargingStarted full"),
      ("seenAsCharging", "chargingStarted charging"),
      ("seenAsUnplugged", "chargingStarted chargingStopped charging")
    ) { rig in
      rig.apply(.plugIn)
      rig.wait(.hours(4))
      return rig.story + " \(rig.phone.batteryState)"
    },
    RuleDemonstration(
      "chargeHoldLength", .ios, awake.merging(["chargeHold": "seenAsUnplugged"]) { $1 }, level: 20,
      ("240", "chargingStarted chargingStopped"), ("60", "chargingStarted chargingStopped chargingStarted")
    ) { rig in
      rig.apply(.plugIn)
      rig.wait(.hours(4))
      return rig.story
    },
    RuleDemonstration("chargeLimit", .ios, awake, ("100", "100 full"), ("90", "90 charging")) { rig in
      rig.apply(.plugIn)
      rig.wait(.hours(9))
      return "\(rig.phone.battery.percent) \(rig.phone.batteryState)"
    },
    RuleDemonstration("lowPowerOnAt", .ios, awake, ("0", "false"), ("20", "true")) { rig in
      rig.wait(.hours(4))
      return "\(rig.phone.isInLowPowerMode)"
    },
    RuleDemonstration("lowPowerOffAt", .ios, awake, ("80", "false"), ("100", "true")) { rig in
      rig.apply(.lowPowerMode(true), .plugIn)
      rig.wait(.minutes(30))
      return "\(rig.phone.isInLowPowerMode)"
    },
    RuleDemonstration("lowPowerStopsRefresh", .ios, [:], ("true", ""), ("false", "woken")) { rig in
      rig.apply(.lowPowerMode(true))
      rig.perform(.wake(ReminderID(0), at: PhoneRig.start + .hours(1)))
      rig.wait(.hours(5))
      return rig.story
    },
    RuleDemonstration("dischargeRate", .ios, awake, ("16.25", "64"), ("10", "70")) { rig in
      rig.wait(.hours(1))
      return "\(rig.phone.battery.percent)"
    },
    RuleDemonstration("chargeRate", .ios, awake, level: 20, ("59.9", "59"), ("20", "33")) { rig in
      rig.apply(.plugIn)
      rig.wait(.minutes(40))
      return "\(rig.phone.battery.percent)"
    },
    RuleDemonstration("chargeKnee", .ios, awake, level: 20, ("80", "79"), ("50", "89")) { rig in
      rig.apply(.plugIn)
      rig.wait(.minutes(60))
      return "\(rig.phone.battery.percent)"
    },
    RuleDemonstration("chargeTimeConstant", .ios, awake, ("18.8", "92"), ("60", "85")) { rig in
      rig.apply(.plugIn)
      rig.wait(.minutes(18) + .seconds(48))
      return "\(rig.phone.battery.percent)"
    },
  ]
}
