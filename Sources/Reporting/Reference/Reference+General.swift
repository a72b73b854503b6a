import CivilTime
import DeviceSimulation
import ScenarioModel
import Scenarios
import TextFormats
import TriggerModel

extension Reference {
  static var general: [Topic] {
    [
      Topic(name: "units", summary: "How times, dates, lengths of time, distances and shares are written") {
        units.flatMap { ["  \($0.name)", "    \($0.meaning)"] }
      },
      Topic(name: "sentences", summary: "Reminders as sentences, in a list or by name") { reminderSentences },
      Topic(name: "schedules", summary: "What each platform profile does to reminders that wait for a time") {
        schedules
      },
    ]
  }

  /// The quantities of a scenario, as the formats read them.
  package static var units: [(name: String, meaning: String)] {
    func row<Value>(_ atom: Atom<Value>) -> (name: String, meaning: String) { (atom.name, atom.meaning) }
    return [
      row(Atom<Int32>.timeOfDay), row(Atom<CivilDate>.date), row(Atom<LocalDateTime>.dateTime),
      row(Atom<DailyWindow>.window), row(Atom<TimeSpan>.duration), row(Atom<TimeSpan>.signedDuration),
      row(Atom<Double>.distance), row(Atom<Speed>.speed), row(Atom<Int64>.number), row(Atom<Int64>.ratio),
      row(Atom<Int64>.share), row(Atom<String>.newName), row(Atom<Bool>.truth), row(Atom<Bool>.toggle),
    ]
  }

  /// The rules of the profiles that decide when and whether a scheduled notification comes.
  package static let scheduleRules = [
    "backgroundWake", "refreshDelay", "pendingCapacity", "pendingDropSeen", "pendingEviction",
    "replacementKeepsPlace", "requestIdentifier", "repeatsIgnoreStart", "missedRepeatsOnce", "floatingMoves",
    "pendingAfterReboot", "deliveredSeen", "deliveryLatenessFrom", "deliveryLatenessTo", "exactAlarms",
    "dozeAfter", "dozeFirstWindow", "dozeLongestWindow", "alarmsWhileIdle", "idleAlarmInterval",
    "saverLateness", "clockChangeWakes", "bootStart", "updateStarts", "updateLosesPending",
    "forceStopRemoves", "forceQuitStopsRefresh", "forceQuitUntilOpened",
  ]

  private static var reminderSentences: [String] {
    var lines = [
      "Under 'reminders' stands a list of sentences, 'NAME: SENTENCE' in such a list, or a sentence in place of the",
      "mapping of any reminder or edit. A name that is not given is made of the title: the letters and digits of its",
      "first six words in lower case, with '-' between the words, so 'Remind me to call mum …' declares 'call-mum'. What",
      "is not said is as in the mapping. A name that is a word of sentences stands in quotes. A sentence that holds ': '",
      "or ' #' needs quotes of YAML around it. 'triggerbench sentences' prints every reminder as such a sentence.",
      "",
      "Parts, in any order behind what it shows, with a comma where it reads better; the brackets come last:",
    ]
    for part in ReminderSentences.parts {
      lines += ["", "  \(part.name)"] + part.ways.map { "    · " + $0 }
    }
    return lines + ["", "Examples of every form:", ""] + ReminderSentences.examples.map { "  - " + $0 }
  }

  private static var schedules: [String] {
    var lines = [
      "A schedule without 'ahead' needs the app to be woken at its time: 'backgroundWake' says how. With 'ahead N' the",
      "app hands over the next N occurrences, and with 'ahead repeating' one that the system repeats: these come though",
      "the app is closed. Each rule is a knob; 'triggerbench rules' names its source.",
    ]
    for profile in PlatformProfile.all {
      lines += ["", "\(profile.name): \(profile.summary)"]
      for key in scheduleRules {
        guard let rule = profile.rules.first(where: { $0.key == key }) else { continue }
        let unit = rule.unit.isEmpty ? "" : " \(rule.unit)"
        lines += ["  \(key): \(rule.value)\(unit)", "    \(rule.summary)"]
      }
    }
    return lines
  }
}
