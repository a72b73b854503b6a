/// A constant of the person model tap-v1.
///
/// Reports and sweeps use the names of the cases, so do not rename a case when you add constants.
public enum TapConstant: UInt8, Hashable, Sendable, CaseIterable {
  case contextRate, engagementRate, userRate
  case eagernessSpread
  case hourAmplitude, hourPeak
  case fatigue, fatigueHalfLife
  case inUseOdds
  case repetition, repetitionHalfLife
  case ignoredShare
  case tapWindow, reaction
  case chanceTakenIOS, chanceTakenAndroid
  case medianLatencyIOS, medianLatencyAndroid, latencySigma
  case toleranceMu, toleranceSigma, optOutHazard
  case permissionIOS, permissionAndroid

  /// The name used in files and reports.
  public var name: String { String(describing: self) }

  /// The range of valid values.
  public var limits: ClosedRange<Double> {
    switch self {
    case .contextRate, .engagementRate, .userRate, .ignoredShare, .chanceTakenIOS, .chanceTakenAndroid,
      .optOutHazard, .permissionIOS, .permissionAndroid:
      0...1
    case .hourAmplitude: -10...10
    case .hourPeak: 0...24
    case .eagernessSpread, .fatigue, .repetition, .latencySigma, .toleranceMu, .toleranceSigma: 0...10
    case .fatigueHalfLife, .repetitionHalfLife, .inUseOdds, .tapWindow, .reaction, .medianLatencyIOS,
      .medianLatencyAndroid:
      0...10_000
    }
  }

  /// The kind of evidence for a figure.
  public enum Evidence: String, Hashable, Sendable, CaseIterable {
    /// Measured, or published as the result of measurements.
    case instrumented
    /// Stated by a source without a measurement.
    case declared
    /// A default of the model, because no source gives a number.
    case assumed
  }

  /// The printed description of a constant: its meaning, default and evidence.
  public struct Row: Hashable, Sendable {
    public var meaning: String
    public var value: Double
    /// The range of values that a sweep covers.
    public var sweep: ClosedRange<Double>
    /// The unit, or an empty string for a plain number.
    public var unit: String
    public var evidence: Evidence
    public var source: String
  }
}

extension TapConstant {
  private static let batch = "Batch 2025, 700 billion messages, July 2024 to July 2025"
  private static let leanplum = "Leanplum 2015-16, 1.5 billion messages, via businessofapps.com"
  private static let threshold =
    "fitted to the stated thresholds 10, 47 and 80 % at 1, 5 and 10 a week (marketingprofs 2018/33486, n = 1,000); "
    + "the fit says 9.1, 54.0 and 76.4 %"

  public var row: Row {
    switch self {
    case .contextRate, .engagementRate, .userRate: rate
    case .eagernessSpread, .hourAmplitude, .hourPeak, .inUseOdds: situation
    case .fatigue, .fatigueHalfLife, .repetition, .repetitionHalfLife: weariness
    case .ignoredShare, .tapWindow, .reaction: outcome
    case .chanceTakenIOS, .chanceTakenAndroid, .medianLatencyIOS, .medianLatencyAndroid, .latencySigma:
      latency
    case .toleranceMu, .toleranceSigma, .optOutHazard, .permissionIOS, .permissionAndroid: permission
    }
  }

  private var rate: Row {
    switch self {
    case .engagementRate:
      Row(
        meaning: "tap probability of the median person without context: engagement, account, HealthKit",
        value: 0.0419, sweep: 0.02...0.08, unit: "", evidence: .instrumented, source: Self.batch)
    case .userRate:
      Row(
        meaning:
          "tap probability of the median person for requested notifications: contact, snoozed, progress photo",
        value: 0.20, sweep: 0.15...0.25, unit: "", evidence: .instrumented,
        source:
          "Pielot 2018, 794,525 notifications, 278 users: conversion of other apps than messengers 15 to 25 %"
      )
    default:
      Row(
        meaning: "tap probability of the median person in context: goal gap, training, rest, readiness",
        value: 0.144, sweep: 0.08...0.20, unit: "", evidence: .instrumented, source: Self.batch)
    }
  }

  private var situation: Row {
    switch self {
    case .eagernessSpread:
      Row(
        meaning: "variation among people: standard deviation of the personal term",
        value: 0.8, sweep: 0...1.2, unit: "log odds", evidence: .assumed, source: "no source gives a number")
    case .hourAmplitude:
      Row(
        meaning: "gain of a tap at the best hour against six hours from it",
        value: 0.25, sweep: -0.5...0.5, unit: "log odds", evidence: .assumed,
        source:
          "sign: Stach 2024 (10 million, 922 users), Leanplum (671 million); contradicted by Jana 2015-10-29, "
          + "where 08:00 has three times the taps of 20:00: to be swept")
    case .hourPeak:
      Row(
        meaning: "the best hour of the local day",
        // Sweep from the hour of one source to the hour of the other. Hours are cyclic, so a range of a whole
        // day would contain one hour twice.
        value: 20, sweep: 8...23, unit: "h", evidence: .instrumented,
        source:
          "Stach 2024: the lowest delays from 20 to 23 h; contradicted by Jana 2015-10-29, see hourAmplitude")
    default:
      Row(
        meaning: "factor on the odds if the phone is unlocked on arrival",
        value: 1.5, sweep: 1...3, unit: "", evidence: .assumed,
        source: "Pielot 2018: a large share arrives then; no source gives a number")
    }
  }

  private var weariness: Row {
    switch self {
    case .fatigue:
      Row(
        meaning: "loss per earlier notification, decaying",
        value: 0.25, sweep: 0...0.6, unit: "log odds", evidence: .assumed,
        source:
          "sign: Wohllebe 2021 (17,500 users, 5 arms), Saikia MDM 2017; Morrison 2017 (n = 77) saw no effect")
    case .fatigueHalfLife:
      Row(
        meaning: "half-life of fatigue",
        value: 24, sweep: 12...72, unit: "h", evidence: .assumed, source: "no source gives a number")
    case .repetition:
      Row(
        meaning: "loss by a notification of the same type just before, decaying",
        value: 0.5, sweep: 0...1, unit: "log odds", evidence: .assumed,
        source: "form: Yancey and Settles KDD 2020 (200 million rows); size unknown")
    default:
      Row(
        meaning: "half-life of the loss by repetition",
        value: 7, sweep: 3...15, unit: "d", evidence: .assumed,
        source: "form: Yancey and Settles KDD 2020; their half-life was not verified")
    }
  }

  private var outcome: Row {
    switch self {
    case .ignoredShare:
      Row(
        meaning: "share of notifications ignored; those neither tapped nor ignored are dismissed",
        value: 0.35, sweep: 0.20...0.50, unit: "", evidence: .instrumented,
        source: "Pradhan INFOCOM 2017: 20 to 50 %")
    case .tapWindow:
      Row(
        meaning: "time within which a notification can be answered, unless it expires earlier",
        value: 24, sweep: 1...24, unit: "h", evidence: .assumed,
        source: "2 h is Duolingo's window (KDD 2020), 1 h that of Drink Less (Bell 2023)")
    default:
      Row(
        meaning: "time from seeing a notification to the tap or dismissal",
        value: 5, sweep: 1...30, unit: "s", evidence: .assumed, source: "no source gives a number")
    }
  }

  private var latency: Row {
    let calibration =
      "calibrated to the median time to open, for 5 unlocks an hour of 2 minutes each (assumed); \(Self.leanplum)"
    return switch self {
    case .chanceTakenIOS:
      Row(
        meaning: "probability of a response each time an iPhone is or gets unlocked",
        value: 0.90, sweep: 0.4...1, unit: "", evidence: .assumed, source: calibration)
    case .chanceTakenAndroid:
      Row(
        meaning: "probability of a response each time an Android phone is or gets unlocked",
        value: 0.165, sweep: 0.05...0.5, unit: "", evidence: .assumed, source: calibration)
    case .medianLatencyIOS:
      Row(
        meaning: "median time to open on an iPhone whose unlocks are unspecified",
        value: 7, sweep: 2...30, unit: "min", evidence: .instrumented, source: Self.leanplum)
    case .medianLatencyAndroid:
      Row(
        meaning: "median time to open on an Android phone whose unlocks are unspecified",
        value: 48, sweep: 10...120, unit: "min", evidence: .instrumented, source: Self.leanplum)
    default:
      Row(
        meaning: "spread of the time to open: standard deviation of its logarithm",
        value: 2.5, sweep: 1.5...3.2, unit: "", evidence: .assumed,
        source:
          "implied by a mean of 20.4 h in another app (Saikia MDM 2017): 2.55 for 48 min, 3.21 for 7 min")
    }
  }

  private var permission: Row {
    switch self {
    case .toleranceMu:
      Row(
        meaning: "notifications per week that a person tolerates: mean of the logarithm",
        value: 1.497, sweep: 0.8...2.2, unit: "", evidence: .declared, source: Self.threshold)
    case .toleranceSigma:
      Row(
        meaning: "notifications per week that a person tolerates: standard deviation of the logarithm",
        value: 1.121, sweep: 0.6...1.6, unit: "", evidence: .declared, source: Self.threshold)
    case .optOutHazard:
      Row(
        meaning: "share of people who turn notifications off in a week above their tolerance",
        value: 0.05, sweep: 0.01...0.20, unit: "", evidence: .assumed,
        source: "what people state is not what they do; no source gives a number")
    case .permissionIOS:
      Row(
        meaning: "share of people who allow notifications when an iPhone asks",
        value: 0.56, sweep: 0.43...0.85, unit: "", evidence: .instrumented,
        source: "\(Self.batch); 43 % in 2014 (Urban Airship)")
    default:
      Row(
        meaning: "share of people who allow notifications on an Android phone",
        value: 0.67, sweep: 0.43...0.85, unit: "", evidence: .instrumented,
        source: "\(Self.batch); 85 % before Android asked")
    }
  }
}
