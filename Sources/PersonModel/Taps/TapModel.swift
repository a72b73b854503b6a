public import TriggerModel

/// The person model tap-v1: how likely a person taps what is shown to them.
///
/// The odds are multiplied by what each of these says: who the person is, what kind of notification it is, the
/// hour, what was shown before it, whether the phone is in use. A model is its numbers, and every number has a
/// row that can be printed (``TapConstant``).
public struct TapModel: Hashable, Sendable {
  public static let name = "tap-v1"
  public static let summary =
    "how likely people tap, dismiss or ignore what is shown to them, how soon, and when they have had enough"

  /// What a notification is to the person, which sets how often it is tapped.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// It fits the person's day.
    case context
    /// It wants the person back.
    case engagement
    /// The person asked for it.
    case user
  }

  /// What the person has in the hand, which sets how soon they look.
  public enum Platform: String, Hashable, Sendable, CaseIterable {
    case ios, android
  }

  /// What the odds of a tap depend on besides the kind.
  public struct Situation: Hashable, Sendable {
    /// The person's own term, in log odds; 0 for the median person.
    public var eagerness = 0.0
    /// Of the local day, 0 ..< 24.
    public var hour = 20.0
    /// What was shown before, each one by 2 to the power of minus its age in half-lives.
    public var fatigue = 0.0
    /// Since a notification of the same type was shown; nil: never.
    public var sinceSameType: TimeSpan?
    /// Whether the phone is unlocked.
    public var isInUse = false

    public init() {}
  }

  /// By ``TapConstant``, in the order of its cases.
  private var values: [Double]

  /// The model with the defaults of every constant.
  public init() { values = TapConstant.allCases.map(\.row.value) }

  /// The value of a constant. One that is no number, or below zero where only more makes sense, is a
  /// programmer's mistake.
  public subscript(constant: TapConstant) -> Double {
    get { values[Int(constant.rawValue)] }
    set {
      precondition(newValue.isFinite && (newValue >= 0 || constant.row.sweep.lowerBound < 0), constant.name)
      values[Int(constant.rawValue)] = newValue
    }
  }

  /// The probability of a tap within the window, when the phone gives the person the chance.
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

  /// The share of taps among all people, each of whom has the same situation but for their eagerness. Above
  /// the median person's: eager people tap more by more than reluctant ones tap less.
  public func meanProbability(of kind: Kind, _ situation: Situation) -> Double {
    // Simpson's rule over the density of the normal distribution, to six standard deviations.
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

  /// 2 to the power of minus the age in half-lives.
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
  /// To the nearest millisecond.
  static func * (span: TimeSpan, factor: Double) -> TimeSpan {
    TimeSpan(milliseconds: Int64((Double(span.milliseconds) * factor).rounded()))
  }
}
