import ScenarioModel
package import TextFormats
package import DeviceSimulation
import TriggerModel

/// What the person does in our app: the short forms, and the keys of the long ones.
enum AppActions {
  /// Those that need no name: the name of the long form's event, the words, and the action.
  static let plain: [(name: String, words: String, action: TimelineAction)] = [
    ("skipPriming", "skip priming", .event(.inApp(.skipPriming))),
    ("maybeLater", "maybe later", .event(.inApp(.maybeLater))),
    ("giveConsent", "give consent", .event(.inApp(.consent(true)))),
    ("withdrawConsent", "withdraw consent", .event(.inApp(.consent(false)))),
  ]

  static var phrases: [Phrase<TimelineAction>] {
    [
      Phrase("prime", .newPriming) { .event(.inApp(.prime($0))) },
      Phrase("visit", .surfaceID) { .event(.inApp(.visit($0))) },
      Phrase("create account from", .surfaceID) { .event(.inApp(.callToAction($0))) },
    ]
  }

  static func read(_ fields: Fields) -> [(String, TimelineAction?)] {
    let priming = fields.optional(
      "prime", .scalar(.newPriming),
      "our app says first what notifications are good for: what gave rise to it, such as first_workout")
    let visited = fields.optional("visit", .scalar(.surfaceID), "a surface that the person goes to")
    let followed = fields.optional(
      "createAccountFrom", .scalar(.surfaceID), "a locked surface whose call to action the person follows")
    return [
      ("prime", priming.map { .event(.inApp(.prime($0))) }),
      ("visit", visited.map { .event(.inApp(.visit($0))) }),
      ("createAccountFrom", followed.map { .event(.inApp(.callToAction($0))) }),
    ]
  }
}

extension Atom<PrimingID> {
  /// A context of priming: any name, known from then on.
  package static var newPriming: Atom<PrimingID> {
    Atom<String>.newName.map { name, _, reader in
      reader.names.primings.append(name)
      return reader.names.primings.position(of: name).map { PrimingID($0) }
    }
  }

  /// A context that a milestone or the time line has named.
  package static var priming: Atom<PrimingID> {
    Atom(name: "CONTEXT", meaning: "the context of a priming", pattern: Atom<String>.newName.pattern) {
      word, reader in
      guard let position = reader.names.primings.position(of: word.text) else {
        reader.error(
          "nothing primes for '\(word.text)'", at: word.position,
          hint: NearestNames.hint(for: word.text, among: reader.names.primings.all)
            ?? "the time line says so: 'prime \(word.text)'")
        return nil
      }
      return PrimingID(position)
    }
  }
}

extension Atom<SurfaceID> {
  package static var surfaceID: Atom<SurfaceID> {
    Atom<String>.surface.map { name, _, reader in
      reader.names.surfaces.position(of: name).map { SurfaceID($0) }
    }
  }
}

extension Atom<MilestoneID> {
  package static var milestoneID: Atom<MilestoneID> {
    Atom<String>.milestone.map { name, _, reader in
      reader.names.milestones.position(of: name).map { MilestoneID($0) }
    }
  }
}
