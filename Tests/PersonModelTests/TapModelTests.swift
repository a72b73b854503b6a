import PersonModel
import Testing
import TriggerModel

/// Tests the formula of tap-v1 and its published numbers.
@Suite struct TapModelTests {
  private let model = TapModel()

  private func probability(
    _ kind: TapModel.Kind = .context, _ change: (inout TapModel.Situation) -> Void = { _ in },
    model: TapModel = TapModel()
  ) -> Double {
    var situation = TapModel.Situation()
    // Six hours from its peak, the effect of the hour is zero.
    situation.hour = 14
    change(&situation)
    return model.probability(of: kind, situation)
  }

  private func odds(_ probability: Double) -> Double { probability / (1 - probability) }

  @Test func `the defaults are those of the table`() {
    #expect(TapConstant.allCases.map(\.rawValue) == Array(0..<UInt8(TapConstant.allCases.count)))
    #expect(Set(TapConstant.allCases.map(\.name)).count == TapConstant.allCases.count)
    for constant in TapConstant.allCases {
      #expect(model[constant] == constant.row.value)
      #expect(constant.row.sweep.contains(constant.row.value), "\(constant)")
      #expect(constant.row.sweep.lowerBound < constant.row.sweep.upperBound)
      #expect(!constant.row.meaning.isEmpty && !constant.row.source.isEmpty)
    }
  }

  /// The base rates apply to the median person at a neutral hour, without earlier notifications.
  @Test func `the base rates are those of the table`() {
    #expect(abs(probability(.context) - 0.144) < 1e-12)
    #expect(abs(probability(.engagement) - 0.0419) < 1e-12)
    #expect(abs(probability(.user) - 0.20) < 1e-12)
  }

  /// Each term must multiply the odds by the factor in the table.
  @Test func `every term multiplies the odds`() {
    let base = odds(0.144)
    func factor(_ change: (inout TapModel.Situation) -> Void) -> Double {
      odds(probability(.context, change)) / base
    }
    func near(_ value: Double, _ expected: Double) -> Bool { abs(value - expected) < 1e-9 }
    let e = DeterministicMath.exp
    #expect(near(factor { $0.isInUse = true }, 1.5))
    #expect(near(factor { $0.eagerness = 0.8 }, e(0.8)))
    #expect(near(factor { $0.hour = 20 }, e(0.25)))
    #expect(near(factor { $0.hour = 8 }, e(-0.25)))
    #expect(near(factor { $0.hour = 17 }, e(0.25 * DeterministicMath.cosDegrees(45))))
    // A notification from a day ago counts half.
    #expect(near(factor { $0.fatigue = 0.5 }, e(-0.125)))
    #expect(near(factor { $0.sinceSameType = .zero }, e(-0.5)))
    #expect(near(factor { $0.sinceSameType = .days(7) }, e(-0.25)))
    #expect(near(factor { $0.sinceSameType = .days(28) }, e(-0.03125)))
  }

  /// For example, more fatigue must never increase the probability, whatever the other terms are.
  @Test func `the probability is monotone in every term`() {
    var situation = TapModel.Situation()
    for hour in stride(from: 0.0, to: 24, by: 1.5) {
      for eagerness in stride(from: -2.0, through: 2, by: 0.5) {
        for kind in TapModel.Kind.allCases {
          situation = TapModel.Situation()
          situation.hour = hour
          situation.eagerness = eagerness
          let base = model.probability(of: kind, situation)
          #expect(base > 0 && base < 1)
          situation.fatigue = 1
          let tired = model.probability(of: kind, situation)
          situation.fatigue = 2
          let exhausted = model.probability(of: kind, situation)
          situation.sinceSameType = .days(3)
          let repeated = model.probability(of: kind, situation)
          situation.sinceSameType = .hours(1)
          let again = model.probability(of: kind, situation)
          situation.isInUse = true
          let inUse = model.probability(of: kind, situation)
          #expect(base > tired && tired > exhausted && exhausted > repeated && repeated > again)
          #expect(inUse > again)
        }
      }
    }
  }

  /// The mean tap probability of people with different traits exceeds that of the median person.
  @Test func `the mean over people agrees with sampling`() {
    var situation = TapModel.Situation()
    situation.hour = 14
    for (kind, mean) in [(TapModel.Kind.context, 0.1697352), (.engagement, 0.0544554), (.user, 0.2266568)] {
      #expect(abs(model.meanProbability(of: kind, situation) - mean) < 1e-6)
    }
    var same = model
    same[.eagernessSpread] = 0
    #expect(abs(same.meanProbability(of: .context, situation) - 0.144) < 1e-12)
  }

  /// The target of 25 % exceeds any published rate. In the model, no kind reaches it except requested
  /// notifications.
  @Test func `the target of 25 % is above every kind's rate`() {
    for kind in TapModel.Kind.allCases where kind != .user {
      #expect(model.meanProbability(of: kind, TapModel.Situation()) < 0.25)
    }
  }

  @Test func `with rates of 0 and 1, the outcome is certain`() {
    var model = TapModel()
    model[.contextRate] = 0
    #expect(probability(.context, model: model) == 0)
    model[.contextRate] = 1
    #expect(probability(.context, model: model) == 1)
  }
}
