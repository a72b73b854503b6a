package import TriggerModel

/// What `UIDevice.batteryState` tells (rules P1 and P2).
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

/// A phone's battery: level, charger, charge limit and the hold at 80 %.
///
/// Event-driven: it says when its level will reach the next whole per cent, and is advanced to that
/// instant. Between two steps the level follows a ``BatteryCurve``. The gauge counts up while
/// charging and down while not, and differs from the level by less than 1 %.
package struct Battery: Hashable, Sendable {
  private let steps: BatterySteps
  /// Charging ends at this level, per cent.
  private let limit: Int
  /// How long the system holds the battery at 80 %; nil: not at all.
  private let holdLength: TimeSpan?
  private static let holdLevel = 80
  /// The level that the platform tells is a multiple of this, in per cent.
  private let step: Int

  /// Whole per cent, 0 … 100.
  package private(set) var percent: Int
  /// The level as the platform tells it: the step that the gauge reached last (rule P4).
  package private(set) var publicLevel: Int
  package private(set) var isPluggedIn: Bool
  /// The phone is off: nothing drains the battery.
  private var isOn = true
  /// A recording states the level; the curve is not used any more.
  private var isImposed = false
  /// Per cent at ``since``.
  private var anchor: Double
  private var since: Instant
  /// The hold ends here; `.distantPast` when this charge has had none yet.
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

  /// The state, as an app with monitoring on would read it.
  package var state: BatteryState {
    if !isPluggedIn { return .unplugged }
    return percent == 100 ? .full : .charging
  }

  /// Whether the system keeps the battery from charging on.
  package func isHolding(at now: Instant) -> Bool { now < holdEnds }

  /// The level in per cent at an instant not before the last change.
  package func level(at now: Instant) -> Double {
    guard isMoving(at: now) else { return anchor }
    return steps.curve.level(from: anchor, after: now - since, isCharging: isPluggedIn)
  }

  /// When something changes next by itself; `.distantFuture` when nothing does.
  package func nextChange(after now: Instant) -> Instant {
    if isHolding(at: now) { return holdEnds }
    guard isMoving(at: now) else { return .distantFuture }
    if anchor == Double(percent) { return since + (isPluggedIn ? steps.rising : steps.falling)[percent] }
    let next = isPluggedIn ? percent + 1 : percent - 1
    // No time: it is there already.
    return since + (steps.curve.time(from: anchor, to: Double(next), isCharging: isPluggedIn) ?? .zero)
  }

  /// When the gauge moves first, at an instant or after it, if nothing else happens; `.distantFuture`: never.
  package func firstChange(notBefore start: Instant) -> Instant {
    if start == .distantFuture { return .distantFuture }
    var later = self
    later.catchUp(before: start)
    return later.nextChange(after: start)
  }

  /// An instant before which no level is reached at which something happens, and close to the first that is.
  ///
  /// - Parameters:
  ///   - falling: While not on the charger; nil: nothing happens at any.
  ///   - rising: On the charger, from it on; nil: nothing happens at any.
  package func nextTurn(after now: Instant, falling: Int?, rising: Int?) -> Instant {
    if isHolding(at: now) { return holdEnds }
    guard isMoving(at: now) else { return .distantFuture }
    guard isPluggedIn else {
      guard let falling, percent > falling else { return .distantFuture }
      return instant(of: falling + 1, isNear: percent <= falling + 2, after: now)
    }
    if let rising, percent >= rising { return nextChange(after: now) }
    let mayHold = holdLength != nil && holdEnds == .distantPast && percent < Self.holdLevel
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

  /// Lets all changes happen that come before `now`.
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

  /// Goes from one whole per cent to the next as long as nothing else comes of it than that.
  ///
  /// - Parameter time: That of the last change.
  /// - Returns: That of the last change now.
  private mutating func glide(from time: Instant, before now: Instant) -> Instant {
    guard time == since, isMoving(at: time) else { return time }
    let mayHold = isPluggedIn && holdLength != nil && holdEnds == .distantPast && percent < Self.holdLevel
    // What brings a hold with it is left to `advance`.
    let last = isPluggedIn ? (mayHold ? min(limit, Self.holdLevel - 1) : limit) : 0
    let (first, isRising) = (percent, isPluggedIn)
    let reached = steps.reached(from: first, to: last, inLessThan: now - since, isRising: isRising)
    percent = reached.percent
    since = since + reached.after
    // The step of the public level that was passed last.
    let passed = isRising ? percent / step * step : (percent + step - 1) / step * step
    if isRising ? passed > first : passed < first { publicLevel = passed }
    anchor = Double(percent)
    return since
  }

  /// Lets time pass up to `now`, at most to the next change.
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

  /// The charger comes or goes.
  package mutating func setPluggedIn(_ isIn: Bool, at now: Instant) {
    settle(at: now)
    isPluggedIn = isIn
    holdEnds = .distantPast
  }

  /// The phone is switched on or off.
  package mutating func setOn(_ isOn: Bool, at now: Instant) {
    settle(at: now)
    self.isOn = isOn
  }

  /// A recording states the level.
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

  /// Between two steps the one that the gauge came from stays.
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
