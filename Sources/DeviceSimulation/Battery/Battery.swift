package import TriggerModel

/// The value of `UIDevice.batteryState` (rules P1 and P2).
package enum BatteryState: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
  /// Monitoring is off.
  case unknown
  case unplugged
  /// On the charger, below 100 %.
  case charging
  /// On the charger, at 100 %.
  case full

  /// The name used in files and reports.
  package var name: String { String(describing: self) }
}

/// A phone's battery, with its level, charger, charge limit and charge hold at 80 %.
///
/// The model is event-driven: it computes when the level will reach the next whole per cent, and the phone
/// advances the battery to that instant. Between two whole per cents the level follows a ``BatteryCurve``.
/// The gauge rounds down while charging and up while discharging, so it differs from the level by less than 1
/// %.
package struct Battery: Hashable, Sendable {
  private let steps: BatterySteps
  /// The level at which charging ends, in per cent.
  private let limit: Int
  /// The duration of the charge hold at 80 %, or `nil` if the system never holds the charge.
  private let holdLength: TimeSpan?
  private static let holdLevel = 80
  /// The granularity of the reported level, in per cent.
  private let step: Int

  /// The level that the gauge shows, in whole per cent, 0…100.
  package private(set) var percent: Int
  /// The level that the platform reports, in per cent: the last multiple of the step that the gauge reached
  /// (rule P4).
  package private(set) var publicLevel: Int
  package private(set) var isPluggedIn: Bool
  /// Whether the phone is on. The battery does not discharge while the phone is off.
  private var isOn = true
  /// Whether a recording sets the level. The battery then no longer follows its curve.
  private var isImposed = false
  /// The level at ``since``, in per cent.
  private var anchor: Double
  private var since: Instant
  /// The end of the charge hold, or `.distantPast` if the battery has not been held since the charger was
  /// connected.
  private var holdEnds = Instant.distantPast

  package init(
    level: Double, isPluggedIn: Bool, at start: Instant, steps: BatterySteps = BatterySteps(BatteryCurve()),
    step: Int = 1, limit: Int = 100, holdLength: TimeSpan? = nil
  ) {
    self.steps = steps
    self.limit = limit
    self.holdLength = holdLength
    self.isPluggedIn = isPluggedIn
    anchor = min(max(level, 0), 100)
    percent = Int(anchor.rounded(isPluggedIn ? .down : .up))
    self.step = step
    publicLevel = Self.step(step, at: percent, isRising: isPluggedIn)
    since = start
  }

  /// The battery state that an app reads while it monitors the battery.
  package var state: BatteryState {
    if !isPluggedIn { return .unplugged }
    return percent == 100 ? .full : .charging
  }

  /// Returns whether the system holds the charge at 80 %.
  package func isHolding(at now: Instant) -> Bool { now < holdEnds }

  /// Returns the level in per cent at an instant at or after the last change.
  package func level(at now: Instant) -> Double {
    guard isMoving(at: now) else { return anchor }
    return steps.curve.level(from: anchor, after: now - since, isCharging: isPluggedIn)
  }

  /// Returns the next instant at which the level or the hold changes, or `.distantFuture` if neither will.
  package func nextChange(after now: Instant) -> Instant {
    if isHolding(at: now) { return holdEnds }
    guard isMoving(at: now) else { return .distantFuture }
    if anchor == Double(percent) { return since + (isPluggedIn ? steps.rising : steps.falling)[percent] }
    let next = isPluggedIn ? percent + 1 : percent - 1
    // `time(from:to:)` returns `nil` if the level has already been reached.
    return since + (steps.curve.time(from: anchor, to: Double(next), isCharging: isPluggedIn) ?? .zero)
  }

  /// Returns the first instant at or after `start` at which the level or the hold changes if nothing else
  /// happens, or `.distantFuture` if neither will.
  package func firstChange(notBefore start: Instant) -> Instant {
    if start == .distantFuture { return .distantFuture }
    var later = self
    later.catchUp(before: start)
    return later.nextChange(after: start)
  }

  /// Returns an instant shortly before, or at, the first change of the level that has an effect.
  ///
  /// - Parameters:
  ///   - falling: The level that has an effect while discharging, or `nil` if there is none.
  ///   - rising: The lowest level that has an effect while charging, or `nil` if there is none.
  package func nextTurn(after now: Instant, falling: Int?, rising: Int?) -> Instant {
    if isHolding(at: now) { return holdEnds }
    guard isMoving(at: now) else { return .distantFuture }
    guard isPluggedIn else {
      guard let falling, percent > falling else { return .distantFuture }
      return instant(of: falling + 1, isNear: percent <= falling + 2, after: now)
    }
    if let rising, percent >= rising { return nextChange(after: now) }
    guard let target = [rising, mayHold ? Self.holdLevel : nil].compactMap(\.self).min() else {
      return .distantFuture
    }
    return instant(of: target - 1, isNear: percent >= target - 2, after: now)
  }

  private func instant(of percent: Int, isNear: Bool, after now: Instant) -> Instant {
    guard !isNear, let span = steps.curve.time(from: anchor, to: Double(percent), isCharging: isPluggedIn)
    else {
      return nextChange(after: now)
    }
    return since + span
  }

  /// Applies all changes before `now`.
  package mutating func catchUp(before now: Instant) {
    var time = since
    while true {
      let next = nextChange(after: time)
      if next >= now { return }
      _ = advance(to: next)
      time = next
      if anchor == Double(percent) { time = glide(from: time, before: now) }
    }
  }

  /// Advances through whole per cents that neither start nor end a hold.
  ///
  /// - Parameter time: The instant of the last change.
  /// - Returns: The new instant of the last change.
  private mutating func glide(from time: Instant, before now: Instant) -> Instant {
    guard time == since, isMoving(at: time) else { return time }
    // `advance` handles the step that starts a hold.
    let last = isPluggedIn ? (mayHold ? min(limit, Self.holdLevel - 1) : limit) : 0
    let (first, isRising) = (percent, isPluggedIn)
    let reached = steps.reached(from: first, to: last, inLessThan: now - since, isRising: isRising)
    percent = reached.percent
    since = since + reached.after
    // The reported level is the last multiple of the step that the gauge passed.
    let passed = Self.step(step, at: percent, isRising: isRising)
    if isRising ? passed > first : passed < first { publicLevel = passed }
    anchor = Double(percent)
    return since
  }

  /// Advances to `now` or to the next change, whichever is earlier.
  /// - Returns: Whether the gauge moved.
  package mutating func advance(to now: Instant) -> Bool {
    if holdEnds != .distantPast, since < holdEnds, now >= holdEnds {
      since = holdEnds
      return false
    }
    let next = nextChange(after: now)
    guard next <= now else { return false }
    percent += isPluggedIn ? 1 : -1
    publicLevel = percent % step == 0 ? percent : publicLevel
    anchor = Double(percent)
    since = next
    if isPluggedIn, percent == Self.holdLevel, holdEnds == .distantPast, let holdLength {
      holdEnds = next + holdLength
    }
    return true
  }

  /// Connects or disconnects the charger.
  package mutating func setPluggedIn(_ isIn: Bool, at now: Instant) {
    settle(at: now)
    isPluggedIn = isIn
    holdEnds = .distantPast
  }

  /// Switches the phone on or off.
  package mutating func setOn(_ isOn: Bool, at now: Instant) {
    settle(at: now)
    self.isOn = isOn
  }

  /// Sets the level from a recording.
  /// - Returns: Whether the gauge moved.
  package mutating func impose(thousandths: Int32, at now: Instant) -> Bool {
    isImposed = true
    holdEnds = .distantPast
    anchor = min(max(Double(thousandths) / 10, 0), 100)
    since = now
    let new = Int(anchor)
    guard new != percent else { return false }
    publicLevel = Self.step(step, at: new, isRising: new > percent)
    percent = new
    return true
  }

  /// Whether charging to 80 % would start a hold.
  private var mayHold: Bool { holdLength != nil && holdEnds == .distantPast && percent < Self.holdLevel }

  /// Returns the reported level for a gauge level. The gauge must reach a multiple of the step to change it.
  private static func step(_ step: Int, at percent: Int, isRising: Bool) -> Int {
    let below = percent / step * step
    return isRising || below == percent ? below : min(below + step, 100)
  }

  private func isMoving(at now: Instant) -> Bool {
    if isImposed || isHolding(at: now) { return false }
    return isPluggedIn ? percent < limit : isOn && percent > 0
  }

  private mutating func settle(at now: Instant) {
    anchor = level(at: now)
    since = now
  }
}

extension Battery: Packable {
  package mutating func pack(in parcel: inout Parcel) {
    parcel.carry(
      &self, \.percent, \.publicLevel, \.isPluggedIn, \.isOn, \.isImposed, \.anchor, \.since, \.holdEnds)
  }
}
