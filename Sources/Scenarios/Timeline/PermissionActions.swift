package import DeviceSimulation
import ScenarioModel
package import TextFormats
import TriggerModel

/// What our app asks the person for, and which other apps the person chooses: the short forms, and the keys of the
/// long ones.
enum PermissionActions {
  static var phrases: [Phrase<TimelineAction>] {
    [
      Phrase("prompt location", .locationAnswer) { .event(.answerPrompt(.location($0))) },
      Phrase("prompt screen time", .screenTimePermission) { .event(.answerPrompt(.screenTime($0))) },
      Phrase("prompt", .notificationPermission) { .event(.answerPrompt(.notifications($0))) },
      Phrase("screen time", .screenTimePermission) { .event(.screenTimePermission($0)) },
    ]
  }

  static func read(_ fields: Fields<TimelineAction>) -> [TimelineAction.Choice] {
    [
      fields.event(
        "prompt", .notificationPermission, "our app asks for leave to notify, and this is the answer",
        { .answerPrompt(.notifications($0)) }
      ) { if case .answerPrompt(.notifications(let answer)) = $0 { answer } else { nil } },
      fields.event(
        "promptLocation", .locationAnswer, "our app asks for the place, and this is the answer",
        { .answerPrompt(.location($0)) }
      ) { if case .answerPrompt(.location(let answer)) = $0 { answer } else { nil } },
      fields.event(
        "promptScreenTime", .screenTimePermission,
        "our app asks for the use of other apps, and this is the answer", { .answerPrompt(.screenTime($0)) }
      ) { if case .answerPrompt(.screenTime(let answer)) = $0 { answer } else { nil } },
      fields.event(
        "screenTime", .screenTimePermission, "whether the user lets our app know of the use of other apps",
        { .screenTimePermission($0) }
      ) { if case .screenTimePermission(let permission) = $0 { permission } else { nil } },
      fields.event(
        "chooseApp", .appID, "another app whose use our app may know of", { .appChoice($0, isChosen: true) }
      ) { if case .appChoice(let app, isChosen: true) = $0 { app } else { nil } },
      fields.event(
        "dropApp", .appID, "another app whose use our app may no longer know of",
        { .appChoice($0, isChosen: false) }
      ) { if case .appChoice(let app, isChosen: false) = $0 { app } else { nil } },
    ]
  }
}

extension Atom<LocationAnswer> {
  static var locationAnswer: Atom {
    .choice(
      "ANSWER", "an answer to the prompt for the place",
      LocationAnswer.allCases.map { (String(describing: $0), $0) })
  }
}

extension Atom<ScreenTimePermission> {
  package static var screenTimePermission: Atom<ScreenTimePermission> {
    .choice(
      "PERMISSION", "a Screen Time permission",
      ScreenTimePermission.allCases.map { (String(describing: $0), $0) })
  }
}

extension Atom<[TimelineAction]> {
  /// `instagram, mail`, behind `choose apps`: these, and no others of those that the file declares.
  static var appSelection: Atom {
    let app = Atom<AppID>.appID
    return Atom(
      name: "APP, …", meaning: "the other apps that the person chooses, or none",
      pattern: "none|(?:\(app.pattern))(?: *, *(?:\(app.pattern)))*", write: onlyInSentences
    ) { word, reader in
      var chosen: Set<AppID> = []
      if word.text != "none" {
        var column = 0
        for part in word.text.split(separator: ",", omittingEmptySubsequences: false) {
          let name = part.drop { $0 == " " }
          let start = column + part.unicodeScalars.count - name.unicodeScalars.count
          column += part.unicodeScalars.count + 1
          let text = String(name.reversed().drop { $0 == " " }.reversed())
          guard let id = app.parse(Word(text, at: word.position.advanced(by: start)), reader) else {
            return nil
          }
          chosen.insert(id)
        }
      }
      return reader.names.apps.all.indices.map { index in
        .event(.appChoice(AppID(index), isChosen: chosen.contains(AppID(index))))
      }
    }
  }
}
