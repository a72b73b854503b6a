import ScenarioModel
import Simulation
import Statistics
import TextFormats
import TriggerModel

extension ExpectationEvaluator {
  /// The notifications of a reminder that a person could see, on the device of the occasion.
  func appeared(_ reminder: ReminderID, _ occasion: Occasion) -> [RunAccounts.Fire] {
    accounts.appeared.filter { $0.request.reminder == reminder && isOn(occasion, $0.device) }
  }

  func isOn(_ occasion: Occasion, _ device: UInt8) -> Bool {
    occasion.device.map { $0 == program.devices[Int(device)].name } ?? true
  }

  func title(of fire: RunAccounts.Fire) -> String { texts.title(of: fire.request, on: fire.device) }

  func shows(
    _ expectation: Expectation, _ reminder: ReminderID, _ title: String, _ count: Expectation.Count,
    _ occasion: Occasion
  ) -> ExpectationResult {
    let all = appeared(reminder, occasion)
    let alike = all.filter { self.title(of: $0) == title }
    let inside = alike.filter { words.isIn(occasion, $0.moment) }
    let passed = count.contains(inside.count)
    let others = all.filter { words.isIn(occasion, $0.moment) && self.title(of: $0) != title }
    let outside = passed ? nil : others.first ?? nearest(to: occasion, in: alike, \.moment)
    return result(
      expectation, passed, got: words.times("such notification", inside.map(\.moment)),
      nearest: outside.map {
        "showed \(QuotedText.write(self.title(of: $0), inSentence: true)) at \(words.time($0.moment))"
      },
      reasons: inside.count < count.least && others.isEmpty ? reasons(reminder, occasion) : [])
  }
}
