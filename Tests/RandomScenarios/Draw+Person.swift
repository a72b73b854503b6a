import CivilTime
import PersonModel
import ScenarioModel
import TestSupport

extension Draw {
  /// Nobody, or a person who differs from the usual one in anything.
  mutating func person() -> PersonSetup? {
    guard random.chance(40) else { return nil }
    var setup = PersonSetup(number: random.chance(50) ? 0 : random.next())
    for constant in TapConstant.allCases where random.chance(15) {
      setup.model[constant] = figure(constant.limits)
    }
    if random.chance(30) { setup.eagerness = figure(-20...20) }
    if random.chance(30) { setup.tolerance = figure(0...50) }
    if random.chance(50) {
      setup.organicOpens =
        random.chance(50)
        ? OrganicOpens(perDay: figure(0...20)) : OrganicOpens(perDay: figure(0...20), waking: window())
    }
    for type in types where random.chance(30) {
      setup.kinds[type] = random.one(of: TapModel.Kind.allCases)
    }
    return setup
  }

  /// With at most six decimals.
  private mutating func figure(_ limits: ClosedRange<Double>) -> Double {
    Double(random.int(Int(limits.lowerBound * 1_000_000)...Int(limits.upperBound * 1_000_000))) / 1_000_000
  }
}
