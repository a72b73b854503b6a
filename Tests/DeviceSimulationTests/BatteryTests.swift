import DeviceSimulation
import TestSupport
import Testing
import TriggerModel

@Suite struct BatteryTests {
  /// The measured cycle of rule P8, as pairs of minutes and level. The battery discharges from 100 % to 5 %.
  /// It then charges to 80 % in 75.7 minutes, to 97 % in 30 more, and to 100 % in 59 more.
  static let discharge = stride(from: 0.0, through: 340, by: 20).map { ($0, 100 - 16.25 / 60 * $0) }
  static let charge: [(Double, Double)] = [(0, 5), (75.7 / 2, 42.5), (75.7, 80), (105.7, 97), (164.7, 100)]

  @Test func `the curve reproduces the measured cycle`() {
    let curve = BatteryCurve()
    func fit(_ points: [(Double, Double)], from start: Double, isCharging: Bool) -> Double {
      rSquared(
        points.map { minutes, level in
          let span = TimeSpan(milliseconds: Int64(minutes * 60_000))
          return (level, curve.level(from: start, after: span, isCharging: isCharging))
        })
    }
    #expect(fit(Self.discharge, from: 100, isCharging: false) >= 0.999)
    #expect(fit(Self.charge, from: 5, isCharging: true) >= 0.99)
    // Charging is linear up to the knee. The rest then shrinks to 1/e every 18.8 minutes.
    #expect(
      abs(curve.level(from: 80, after: .seconds(1_128), isCharging: true) - (100 - 20 / 2.718_281_828)) < 1e-6
    )
    #expect(abs(curve.level(from: 20, after: .hours(1), isCharging: true) - 79.9) < 1e-9)
    let chargeTime = Double(curve.time(from: 5, to: 80, isCharging: true)?.milliseconds ?? 0) / 60_000
    #expect(abs(chargeTime - 75.7) < 1)
    let lastPart = Double(curve.time(from: 97, to: 100, isCharging: true)?.milliseconds ?? 0) / 60_000
    #expect(abs(lastPart - 59) < 0.2)
  }

  @Test func `the first change after an instant equals the change found by stepping`() {
    let start = Instant(millisecondsSince1970: 0)
    for isPluggedIn in [false, true] {
      let battery = Battery(level: 61.3, isPluggedIn: isPluggedIn, at: start, holdLength: .hours(2))
      for minutes in stride(from: Int64(0), through: 900, by: 7) {
        let instant = start + .minutes(minutes)
        var stepped = battery
        var next = stepped.nextChange(after: start)
        while next < instant {
          _ = stepped.advance(to: next)
          next = stepped.nextChange(after: next)
        }
        #expect(battery.firstChange(notBefore: instant) == next, "after \(minutes) minutes")
      }
      #expect(battery.firstChange(notBefore: .distantFuture) == .distantFuture)
    }
  }

  @Test func `the simulated battery follows the curve`() throws {
    var rig = try PhoneRig { $0.batteryLevel = 100 }
    rig.wait(.hours(5))
    rig.apply(.plugIn)
    rig.wait(.hours(4))
    let points = rig.log.truth.filter { $0.kind == .batteryLevel }.map { event in
      (event.moment.wall - PhoneRig.start, Double(event.value))
    }
    let discharge = points.filter { $0.0 <= .hours(5) }.map { span, level in
      (level, 100 - 16.25 * Double(span.milliseconds) / 3_600_000)
    }
    #expect(discharge.count == 81)
    #expect(rSquared(discharge) >= 0.9999)
    let charge = points.filter { $0.0 > .hours(5) }.map { span, level in
      let hours = Double(span.milliseconds) / 3_600_000 - 5
      let toKnee = (80 - 18.75) / 59.9
      let expected =
        hours < toKnee ? 18.75 + 59.9 * hours : 100 - 20 * exponential(-(hours - toKnee) * 60 / 18.8)
      return (level, expected)
    }
    #expect(charge.count == 81)
    #expect(rSquared(charge) >= 0.999)
    #expect(rig.phone.batteryState == .full)
  }

  @Test func `level and time are inverse functions`() throws {
    let curve = BatteryCurve()
    var random = SplitMix64(seed: 3)
    for round in 0..<2_000 {
      let isCharging = random.below(2) == 0
      let a = Double(random.below(9_900)) / 100
      let b = Double(random.below(9_900)) / 100
      let (from, to) = isCharging ? (min(a, b), max(a, b)) : (max(a, b), min(a, b))
      guard from != to else { continue }
      let time = try #require(curve.time(from: from, to: to, isCharging: isCharging))
      #expect(abs(curve.level(from: from, after: time, isCharging: isCharging) - to) < 1e-4, "round \(round)")
      #expect(curve.time(from: to, to: from, isCharging: isCharging) == nil, "round \(round)")
    }
  }

  /// One catch-up over a long time has the same result as single steps.
  @Test func `catching up equals stepping`() {
    var random = SplitMix64(seed: 8)
    var levels = Set<Int>()
    for round in 0..<400 {
      let step = [1, 2, 5, 10][random.below(4)]
      var now = PhoneRig.start
      var curve = BatteryCurve()
      if round % 2 == 1 { curve.dischargeRate = 1 + Double(random.below(400)) / 10 }
      var leaping = Battery(
        level: Double(random.below(1_001)) / 10, isPluggedIn: random.below(2) == 0, at: now,
        steps: BatterySteps(curve), step: step, limit: [100, 80, 90][random.below(3)],
        holdLength: random.below(2) == 0 ? .hours(Int64(random.below(5))) : nil)
      var stepping = leaping
      for change in 0..<12 {
        now = now + .minutes(Int64(random.below(round % 3 == 0 ? 30 : 900)))
        leaping.catchUp(before: now)
        var last = PhoneRig.start
        while case let next = stepping.nextChange(after: last), next < now {
          _ = stepping.advance(to: next)
          last = next
        }
        #expect(leaping == stepping, "round \(round), change \(change)")
        levels.insert(leaping.percent)
        switch random.below(4) {
        case 0, 1:
          leaping.setPluggedIn(!leaping.isPluggedIn, at: now)
          stepping.setPluggedIn(!stepping.isPluggedIn, at: now)
        case 2:
          leaping.setOn(change % 2 == 0, at: now)
          stepping.setOn(change % 2 == 0, at: now)
        default: break
        }
      }
    }
    #expect(levels.count > 90)
  }

  @Test func `steps agree with the curve`() {
    let curve = BatteryCurve()
    for percent in 1..<100 {
      for isCharging in [true, false] {
        let battery = Battery(level: Double(percent), isPluggedIn: isCharging, at: PhoneRig.start)
        let next = Double(isCharging ? percent + 1 : percent - 1)
        let span = curve.time(from: Double(percent), to: next, isCharging: isCharging)
        #expect(battery.nextChange(after: PhoneRig.start) == PhoneRig.start + (span ?? .zero))
      }
    }
  }

  /// Reported levels obey the steps and the throttle, and the gauge follows the level, whenever the charger
  /// is used.
  @Test(arguments: [("ideal", 1, 0), ("ios", 5, 60)])
  func `reported levels obey the steps and the throttle`(profile: String, step: Int, throttle: Int64) throws {
    var random = SplitMix64(seed: 11)
    var notices = 0
    for round in 0..<8 {
      // The battery is sixty times as fast as a real one, so that the throttle matters.
      let rates = ["dischargeRate": "900", "chargeRate": "950", "chargeTimeConstant": "0.4"]
      var rig = try PhoneRig(PlatformProfile.named(profile), rates, seed: UInt64(round))
      rig.apply(.openOwnApp)
      for _ in 0..<120 {
        rig.apply(random.below(2) == 0 ? .plugIn : .unplug)
        rig.wait(.seconds(Int64(random.below(400))))
        let battery = rig.phone.battery
        #expect(abs(battery.level(at: rig.now) - Double(battery.percent)) <= 1, "round \(round)")
        #expect((battery.percent == 100 && battery.isPluggedIn) == (battery.state == .full), "round \(round)")
      }
      let levels = rig.log.observed.filter { $0.kind == .batteryLevel }
      notices += levels.count
      #expect(
        levels.allSatisfy { $0.value % Int64(step) == 0 && (0...100).contains($0.value) }, "round \(round)")
      for (a, b) in zip(levels, levels.dropFirst()) {
        #expect(b.moment.wall - a.moment.wall >= .seconds(throttle), "round \(round)")
        #expect(a.value != b.value, "round \(round)")
      }
      // The throttle does not apply to changes of the charging state.
      #expect(rig.count(.chargingStarted) == rig.truth.count { $0 == .chargingStarted }, "round \(round)")
    }
    #expect(notices > 200)
  }

  @Test func `without a throttle, every step is reported`() throws {
    for step in [1, 2, 5, 10] {
      var rig = try PhoneRig(.ideal, ["levelStep": "\(step)"]) { $0.batteryLevel = 100 }
      rig.wait(.hours(7))
      rig.apply(.plugIn)
      rig.wait(.hours(7))
      let levels = rig.log.observed.filter { $0.kind == .batteryLevel }.map { Int($0.value) }
      let down = Array(stride(from: 100 - step, through: 0, by: -step))
      #expect(levels == down + Array(stride(from: step, through: 100, by: step)), "step \(step)")
    }
  }

  @Test func `an empty or full battery schedules no timer`() throws {
    var battery = Battery(level: 100, isPluggedIn: true, at: PhoneRig.start)
    #expect(battery.state == .full)
    #expect(battery.nextChange(after: PhoneRig.start) == .distantFuture)
    battery = Battery(level: 0, isPluggedIn: false, at: PhoneRig.start)
    #expect(battery.nextChange(after: PhoneRig.start) == .distantFuture)
    #expect(battery.level(at: PhoneRig.start + .days(9)) == 0)
  }

  @Test func `a recording overrides the curve`() throws {
    var rig = try PhoneRig(.ideal, ["levelStep": "5"])
    for thousandths in [803, 801, 790, 749, 744, 751, 760] as [Int32] {
      rig.apply(.batteryLevel(thousandths))
      rig.wait(.hours(1))
    }
    #expect(rig.log.truth.filter { $0.kind == .batteryLevel }.map(\.value) == [79, 74, 75, 76])
    #expect(rig.log.observed.filter { $0.kind == .batteryLevel }.map(\.value) == [75])
  }

  @Test func `a phone that is off keeps its battery level unless it is plugged in`() throws {
    var rig = try PhoneRig { $0.batteryLevel = 50 }
    rig.apply(.powerOff)
    rig.wait(.hours(20))
    #expect(rig.phone.battery.percent == 50)
    rig.apply(.plugIn)
    rig.wait(.hours(4))
    #expect(rig.phone.battery.percent == 100)
    #expect(rig.log.observed.isEmpty)
    rig.apply(.powerOn)
    #expect(rig.log.observed.map(\.kind) == [.launched, .chargingStarted, .batteryLevel])
  }

  private func rSquared(_ pairs: [(measured: Double, model: Double)]) -> Double {
    let mean = pairs.map(\.measured).reduce(0, +) / Double(pairs.count)
    let residual = pairs.map { ($0.measured - $0.model) * ($0.measured - $0.model) }.reduce(0, +)
    let total = pairs.map { ($0.measured - mean) * ($0.measured - mean) }.reduce(0, +)
    return 1 - residual / total
  }

  /// Returns the exponential, computed as a series. The simulation's own function is under test.
  private func exponential(_ x: Double) -> Double {
    var (sum, term) = (1.0, 1.0)
    let small = x / 64
    for n in 1...20 {
      term *= small / Double(n)
      sum += term
    }
    return (0..<6).reduce(sum) { value, _ in value * value }
  }
}

/// Compares the predicted change with single steps. Only changes with an effect are predicted.
@Suite struct BatteryTurnTests {
  /// Returns the changes up to and including the first one with an effect, or `nil` if none has an effect.
  private func changes(of battery: Battery, after now: Instant, falling: Int?, rising: Int?) -> [Instant]? {
    var (battery, last, changes) = (battery, now, [Instant]())
    while true {
      let isHeld = battery.isHolding(at: last)
      let next = battery.nextChange(after: last)
      if next == .distantFuture { return nil }
      _ = battery.advance(to: next)
      changes.append(next)
      let matters =
        battery.isPluggedIn
        ? isHeld || battery.isHolding(at: next) || battery.percent >= rising ?? 101
        : battery.percent == falling
      if matters { return changes }
      last = next
    }
  }

  @Test func `the predicted instant is shortly before the first level with an effect`() {
    var random = SplitMix64(seed: 21)
    var (turns, ends, atTheLevel) = (0, 0, 0)
    for round in 0..<3_000 {
      let isPluggedIn = random.below(2) == 0
      let limit = [100, 90][random.below(2)]
      var battery = Battery(
        level: Double(random.below(limit * 10 + 1)) / 10, isPluggedIn: isPluggedIn, at: PhoneRig.start,
        limit: limit, holdLength: random.below(2) == 0 ? .hours(1) : nil)
      // Start between two steps, or just after a step.
      var now = PhoneRig.start
      for _ in 0..<random.below(4) {
        guard case let next = battery.nextChange(after: now), next != .distantFuture else { break }
        now = next
        _ = battery.advance(to: now)
      }
      // This level is often the current one or the next one.
      let near = battery.percent - 2 + random.below(5)
      let level = min(max(random.below(2) == 0 ? near : random.below(101), 0), limit)
      let (falling, rising) = random.below(5) == 0 ? (nil, nil) : (level, level)
      let turn = battery.nextTurn(after: now, falling: falling, rising: rising)
      if let changes = changes(of: battery, after: now, falling: falling, rising: rising) {
        turns += 1
        let left = changes.count { $0 >= turn }
        #expect(left >= 1 && left <= 2, "round \(round): \(battery), \(level)")
      } else {
        ends += 1
        if !isPluggedIn, battery.percent == falling { atTheLevel += 1 }
        #expect(turn == .distantFuture, "round \(round): \(battery), \(level)")
      }
    }
    #expect(turns > 1_000 && ends > 500 && atTheLevel > 50)
  }
}
