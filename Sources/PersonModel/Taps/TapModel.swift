public import TriggerModel

/// The person model tap-v1: the probability that a person taps a notification.
///
/// The odds are a product of factors: the person, the kind of notification, the hour, earlier notifications,
/// and whether the phone is in use. A model is defined by the values of its constants (``TapConstant``).
public struct TapModel: Hashable, Sendable {
  public static let name = "tap-v1"
  public static let summary =
    "whether and when people tap, dismiss or ignore notifications, and when they turn them off"

  /// The kind of a notification. It determines how often the notification is tapped.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// A notification that fits the person's day.
    case context
    /// A notification that asks the person to return to the app.
    case engagement
    /// A notification that the person requested.
    case user
  }

  /// The platform of the phone. It determines how soon the person looks at the phone.
  public enum Platform: String, Hashable, Sendable, CaseIterable {
    case ios, android
  }

  /// The variables that determine the odds of a tap, in addition to the kind of the notification.
  public struct Situation: Hashable, Sendable {
    /// The person's contribution to the log odds. It is 0 for the median person.
    public var eagerness = 0.0
    /// The hour of the local day, 0 ..< 24.
    public var hour = 20.0
    /// The number of earlier notifications, each weighted by 2^(−age / half-life).
    public var fatigue = 0.0
    /// The time since the last notification of the same type, or `nil` if there was none.
    public var sinceSameType: TimeSpan?
    /// Whether the phone is unlocked.
    public var isInUse = false

    public init() {}
  }

  /// The values in the order of the cases of ``TapConstant``.
  private var values: [Double]

  /// Creates a model with the default of each constant.
  public init() { values = TapConstant.allCases.map(\.row.value) }

  /// Accesses the value of a constant. Setting it traps if the value is not finite, or is negative although
  /// the constant cannot be negative.
  public subscript(constant: TapConstant) -> Double {
    get { values[Int(constant.rawValue)] }
    set {
      precondition(newValue.isFinite && (newValue >= 0 || constant.row.sweep.lowerBound < 0), constant.name)
      values[Int(constant.rawValue)] = newValue
    }
  }

  /// Returns the probability that a person who looks at the phone taps within the window.
  public func probability(of kind: Kind, _ situation: Situation) -> Double {
    let chance = self[kind.rate]
    if chance <= 0 || chance >= 1 { return max(0, min(chance, 1)) }
    var logOdds = DeterministicMath.log(chance / (1 - chance)) + situation.eagerness
    logOdds +=
      self[.hourAmplitude] * DeterministicMath.cosDegrees(15 * (situation.hour - self[.hourPeak]))
    logOdds -= self[.fatigue] * situation.fatigue
    if situation.isInUse { logOdds += DeterministicMath.log(max(self[.inUseOdds], 1e-9)) }
    if let since = situation.sinceSameType {
      logOdds -= self[.repetition] * Self.decay(since, halfLife: .days(1) * self[.repetitionHalfLife])
    }
    return 1 / (1 + DeterministicMath.exp(-logOdds))
  }

  /// Returns the mean probability of a tap among people who differ only in their eagerness. It differs from
  /// the median person's probability, because the effect of eagerness is not linear.
  public func meanProbability(of kind: Kind, _ situation: Situation) -> Double {
    // Simpson's rule over the normal density, up to six standard deviations.
    let steps = 240
    var (sum, weights) = (0.0, 0.0)
    for step in 0...steps {
      let x = 12 * Double(step) / Double(steps) - 6
      let weight =
        DeterministicMath.exp(-x * x / 2) * (step == 0 || step == steps ? 1 : step % 2 == 1 ? 4 : 2)
      var other = situation
      other.eagerness = situation.eagerness + x * self[.eagernessSpread]
      sum += weight * probability(of: kind, other)
      weights += weight
    }
    return sum / weights
  }

  /// Returns the weight for an age: 2^(−age / half-life).
  static func decay(_ age: TimeSpan, halfLife: TimeSpan) -> Double {
    if halfLife.milliseconds <= 0 { return age <= .zero ? 1 : 0 }
    let lives = Double(age.milliseconds) / Double(halfLife.milliseconds)
    return DeterministicMath.exp(-0.693147180559945309417 * lives)
  }

  func chanceTaken(_ platform: Platform) -> Double {
    self[platform == .ios ? .chanceTakenIOS : .chanceTakenAndroid]
  }

  func medianLatency(_ platform: Platform) -> TimeSpan {
    .minutes(1) * self[platform == .ios ? .medianLatencyIOS : .medianLatencyAndroid]
  }

  var fatigueHalfLife: TimeSpan { .hours(1) * self[.fatigueHalfLife] }
  var tapWindow: TimeSpan { .hours(1) * self[.tapWindow] }
  var reaction: TimeSpan { .seconds(1) * self[.reaction] }

  func permission(_ platform: Platform) -> Double {
    self[platform == .ios ? .permissionIOS : .permissionAndroid]
  }
}

extension TapModel.Kind {
  var rate: TapConstant {
    switch self {
    case .context: .contextRate
    case .engagement: .engagementRate
    case .user: .userRate
    }
  }
}

extension TimeSpan {
  /// Multiplies a span and rounds to the nearest millisecond.
  static func * (span: TimeSpan, factor: Double) -> TimeSpan {
    TimeSpan(milliseconds: Int64((Double(span.milliseconds) * factor).rounded()))
  }
}
