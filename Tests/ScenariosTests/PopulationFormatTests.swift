import Foundation
import ScenarioModel
import TestSupport
import Testing
import TextFormats

@testable import Scenarios

/// Tests the section `habits` of a population.
@Suite struct PopulationFormatTests {
  private static let shipped = Repository.scenarios.appendingPathComponent("populations")

  @Test func `a population is unchanged after writing and reading`() throws {
    var populations = [try PopulationSample().population()]
    var sample = PopulationSample()
    sample.head += "\ndevices: {tablet: {profile: ios}}"
    sample.habits +=
      "\n  devices: {tablet: {people: 40 %, unlocksPerHour: 2, unlockLength: 9 min, between: 19:00-22:30}}"
    populations.append(try sample.population())
    // During the journey, the clocks change in Berlin but not in Tokyo.
    sample.head += """

      timeline:
        - day 4 10:00 travel to America/New_York
        - day 7 18:00 travel to Europe/Berlin
        - day 8 09:00 unlock
      """
    sample.habits += "\n  zone: {Europe/Berlin: 50 %, Asia/Tokyo: 50 %}"
    populations.append(try sample.population())
    let reach = ReachableFiles(of: Self.shipped.appendingPathComponent("again.yaml").path)
    for name in try FileManager.default.contentsOfDirectory(atPath: Self.shipped.path).sorted() {
      guard
        case .population(let population, let warnings) =
          PopulationFile.load(Self.shipped.appendingPathComponent(name).path)
      else {
        Issue.record("\(name)")
        continue
      }
      #expect(warnings.isEmpty, "\(name)")
      populations.append(population)
    }
    #expect(populations.count > 1)
    for population in populations {
      let text = try PopulationFile.write(population).text
      guard case .population(let again, _) = PopulationFile.read(Array(text.utf8), file: "again", in: reach)
      else {
        Issue.record("\(text)")
        continue
      }
      #expect(again.habits == population.habits)
      #expect(
        again.elsewhere.map(\.scenario.withoutSources) == population.elsewhere.map(\.scenario.withoutSources))
      #expect(again.scenario.withoutSources == population.scenario.withoutSources)
    }
  }

  @Test func `short forms have the same meaning as long forms`() throws {
    func habits(_ wake: String, _ rate: String, _ days: String) throws -> Habits {
      var sample = PopulationSample()
      sample.habits = """
        habits:
          wake: \(wake)
          sleep: 23:00
          unlocksPerHour: \(rate)
          routines: {a: {do: unlock, at: 09:00, perWeek: \(days)}}
        """
      return try sample.population().habits
    }
    #expect(
      try habits("07:00", "3", "2")
        == habits("{median: 07:00, spread: 0 s}", "{median: 3, sigma: 0}", "{2: 100 %}"))
  }

  @Test func `the schema contains every key`() throws {
    let schema = PopulationFile.schema
    let document = try PopulationFile.write(try PopulationSample().population())
    guard case .object(let members) = document, let habits = schema["properties"]?["habits"]?["properties"]
    else {
      Issue.record("there is no schema")
      return
    }
    for member in members { #expect(schema["properties"]?[member.key] != nil, "\(member.key)") }
    guard case .object(let own)? = document["habits"] else { return }
    #expect(own.count > 6)
    for member in own { #expect(habits[member.key] != nil, "\(member.key)") }
    #expect(schema["properties"]?["expect"] == nil && schema["properties"]?["kind"]?["const"] == "population")
  }

  @Test(arguments: [
    (
      "platform: {ios: 60 %, android: 30 %}",
      "22:13: error: the shares add up to 90 % and not to 100 %; 10 % are missing; for example, 'android' could be more"
    ),
    (
      "platform: {ios: 0.6, android: 0.6}",
      "22:13: error: the shares add up to 120 % and not to 100 %; 20 % are too much; for example, 'android' could be less"
    ),
    (
      "platform: {ios: 60 %, andriod: 40 %}",
      "22:25: error: 'andriod' is not a platform profile; did you mean 'android'?"
    ),
    ("facts: {signedIn: 130 %}", "22:21: error: '130 %' is not a share from 0 % to 100 %"),
    (
      "facts: {signedIn: {mean: 3, most: 5}}",
      "22:21: error: 'signedIn' needs another form; it is a truth value: give the share of people for whom it is true, "
        + "such as 40 %"
    ),
    (
      "facts: {plan: {free: 70 %, payed: 30 %}}",
      "22:17: error: 'plan' is never 'payed'; known: free, trial, paid"
    ),
    ("facts: {sigendIn: 30 %}", "22:11: error: unknown fact 'sigendIn'; did you mean 'signedIn'?"),
    ("facts: {steps: {mean: 3, least: 9, most: 5}}", "22:35: error: 'least' is more than 'most'"),
    (
      "commute: {from: home, to: home, leaves: 08:00, takes: 20 min, returns: 17:00}",
      "22:29: error: it leads nowhere: 'from' and 'to' are the same place"
    ),
    (
      "commute: {from: home, to: ofice, leaves: 08:00, takes: 20 min, returns: 17:00}",
      "22:29: error: unknown place 'ofice'; did you mean 'office'?"
    ),
    ("routines: {a: {set: steps, at: 09:00}}", "22:23: error: 'set' needs 'to'"),
    (
      "routines: {a: {set: signedIn, to: {mean: 1, most: 2}, at: 09:00}}",
      "22:23: error: 'signedIn' is not a number; use 'do: set signedIn = …'"
    ),
    ("routines: {a: {do: unlock}}", "22:17: error: the key 'at' is missing; it is when"),
    (
      "routines: {a: {do: travel to Asia/Tokyo, at: 09:00}}",
      "22:22: error: journeys, fixes and steps of a subscription cannot be routines; put them in the time line"
    ),
    ("unlocksperHour: 3", "22:3: error: unknown key 'unlocksperHour'; did you mean 'unlocksPerHour'?"),
  ])
  func `invalid declarations are reported at their own position`(line: String, message: String) throws {
    var sample = PopulationSample()
    let rest = ["wake: 07:00", "sleep: 23:00"] + (line.hasPrefix("unlocks") ? [] : ["unlocksPerHour: 3"])
    sample.habits = "habits:\n  " + ([line] + rest).joined(separator: "\n  ")
    #expect(sample.problems == ["sample.yaml:\(message)"])
  }

  @Test func `missing required keys and forbidden keys of a population are reported`() {
    var sample = PopulationSample()
    sample.head = sample.head.replacing("for: 10 days\n", with: "")
    #expect(sample.problems.first?.contains("the length of the population's story is missing") == true)
    sample = PopulationSample()
    sample.head += "\nperson: {model: tap-v1, number: 4}"
    #expect(
      sample.problems.first?.contains("this describes a single person, but a population has many") == true)
    sample = PopulationSample()
    sample.head += "\nexpect: [walk fires]"
    #expect(
      sample.problems == [
        "sample.yaml:21:1: error: 'expect' does not belong in a population; only scenarios have it"
      ])
    sample = PopulationSample()
    sample.habits = sample.habits.replacing("habits:", with: "habit:")
    #expect(sample.problems == ["sample.yaml:21:1: error: unknown key 'habit'; did you mean 'habits'?"])
    sample.habits = ""
    #expect(sample.problems.first?.contains("the key 'habits' is missing") == true)
    sample.head = sample.head.replacing("kind: population", with: "kind: scenario")
    #expect(sample.problems == ["the kind scenario"])
  }
}
