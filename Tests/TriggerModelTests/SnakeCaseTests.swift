import Testing

@testable import TriggerModel

@Suite struct SnakeCaseTests {
  @Test func `names in snake case`() {
    let cases = [
      "healthKitConnect": "healthkit_connect", "connectHealthKit": "connect_healthkit",
      "milk": "milk", "a.b": "a.b", "x-y": "x-y", "Milk": "milk",
      "day_Off": "day_off", "openURL": "open_url", "day2Off": "day2_off", "größeÄndern": "größe_ändern",
      "training_day": "training_day", "": "",
    ]
    for (name, text) in cases { #expect(SnakeCase.of(name) == text) }
  }
}
