import CivilTime
import PersonModel
import ScenarioSamples
import Testing
import TextFormats

@testable import ScenarioModel

/// Tests the section `person`, which selects the model that responds to notifications.
@Suite struct PersonFormatTests {
  private func sample(_ person: String) -> Sample {
    var sample = Sample()
    sample.head += "\n" + person
    return sample
  }

  private func person(_ text: String) throws -> PersonSetup? {
    var person = try scenario(sample("person: \(text)")).person
    person?.position = .start
    return person
  }

  @Test func `a scenario has no person, the default person, or a described person`() throws {
    #expect(try scenario(Sample()).person == nil)
    #expect(try person("tap-v1") == PersonSetup())
    #expect(try person("{model: tap-v1}") == PersonSetup())
    var model = TapModel()
    model[.contextRate] = 0.2
    model[.hourAmplitude] = -0.25
    let described = PersonSetup(
      number: 4711, model: model, eagerness: -1.5, tolerance: 3,
      organicOpens: OrganicOpens(perDay: 2.5, waking: DailyWindow(from: 480, to: 1_320)),
      kinds: ["milk": .engagement])
    #expect(
      try person(
        """
        {model: tap-v1, number: 4711, contextRate: 20 %, hourAmplitude: -0.25, eagerness: -1.5, tolerance: 3,
          organicOpens: 2.5, waking: 08:00-22:00, kinds: {milk: engagement}}
        """) == described)
  }

  /// The constants have the names that `triggerbench rules --person` prints.
  @Test(arguments: TapConstant.allCases)
  func `every constant can be set within its limits`(constant: TapConstant) throws {
    let limits = constant.limits
    #expect(limits.contains(constant.row.value) && limits.contains(constant.row.sweep.lowerBound))
    #expect(limits.contains(constant.row.sweep.upperBound))
    for value in [limits.lowerBound, constant.row.sweep.lowerBound, limits.upperBound] {
      #expect(try person("{model: tap-v1, \(constant.name): \(value)}")?.model[constant] == value)
    }
    let beyond = "{model: tap-v1, \(constant.name): \(limits.upperBound + 0.5)}"
    let problems = read(sample("person: \(beyond)").text).problems
    #expect(problems.count == 1 && problems[0].contains("is not a number from"), "\(problems)")
  }

  @Test(arguments: [
    ("tap-v2", "9: error: 'tap-v2' is not the name of a model of persons; did you mean 'tap-v1'?"),
    ("{number: 3}", "9: error: the key 'model' is missing; it is the model of the person: tap-v1"),
    (
      "{model: tap-v1, contextRate: 1.5}",
      "38: error: '1.5' is not a number from 0 to 1 with at most six decimals, or a percentage"
    ),
    ("{model: tap-v1, contxtRate: 0.5}", "25: error: unknown key 'contxtRate'; did you mean 'contextRate'?"),
    (
      "{model: tap-v1, kinds: {mlik: user}}",
      "33: error: unknown notification type 'mlik'; did you mean 'milk'?"
    ),
    (
      "{model: tap-v1, kinds: {milk: usr}}",
      "39: error: 'usr' is not a kind of notification; did you mean 'user'?"
    ),
    (
      "{model: tap-v1, waking: 07:00-23:00}",
      "33: error: 'waking' needs 'organicOpens'"
    ),
    ("[tap-v1]", "9: error: expected the name of a model of persons, not a list"),
  ])
  func `invalid declarations are reported at their own position`(text: String, message: String) {
    let problems = read(sample("person: \(text)").text).problems
    #expect(problems == ["sample.yaml:17:\(message)"])
  }
}
