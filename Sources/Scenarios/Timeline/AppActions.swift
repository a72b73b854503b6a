package import DeviceSimulation
import ScenarioModel
package import TextFormats
import TriggerModel

/// What the person does in our app: the short forms, and the keys of the long ones.
enum AppActions {
  /// Those that need no name: the name of the long form's event, the words, and the action.
  static let plain: [(name: String, words: String, action: TimelineAction)] = [
    ("skipPriming", "skip priming", .event(.inApp(.skipPriming))),
    ("maybeLater", "maybe later", .event(.inApp(.maybeLater))),
    ("notNow", "not now", .event(.inApp(.maybeLater))),
    ("giveConsent", "give consent", .event(.inApp(.consent(true)))),
    ("withdrawConsent", "withdraw consent", .event(.inApp(.consent(false)))),
  ]

  static var phrases: [Phrase<TimelineAction>] {
    [
      Phrase("prime", .newPriming) { .event(.inApp(.prime($0))) },
      Phrase("visit", .surfaceID) { .event(.inApp(.visit($0))) },
      Phrase("show", .surfaceID) { .event(.inApp(.show($0))) },
      Phrase("follow", .surfaceID) { .event(.inApp(.callToAction($0))) },
      Phrase("create account from", .surfaceID) { .event(.inApp(.callToAction($0))) },
    ]
  }

  static func read(_ fields: Fields<TimelineAction>) -> [TimelineAction.Choice] {
    [
      fields.event(
        "prime", .newPriming,
        "our app says first what notifications are good for: what gave rise to it, such as first_workout",
        { .inApp(.prime($0)) }
      ) { if case .inApp(.prime(let context)) = $0 { context } else { nil } },
      fields.event("visit", .surfaceID, "a surface that the person goes to", { .inApp(.visit($0)) }) {
        if case .inApp(.visit(let surface)) = $0 { surface } else { nil }
      },
      fields.event(
        "show", .surfaceID, "a locked surface that the app shows by itself", { .inApp(.show($0)) }
      ) {
        if case .inApp(.show(let surface)) = $0 { surface } else { nil }
      },
      fields.event(
        "createAccountFrom", .surfaceID, "a locked surface whose call to action the person follows",
        { .inApp(.callToAction($0)) }
      ) { if case .inApp(.callToAction(let surface)) = $0 { surface } else { nil } },
    ]
  }
}

extension Atom<PrimingID> {
  /// A context of priming: any name, known from then on.
  package static var newPriming: Atom<PrimingID> {
    Atom<String>.newName.map(
      { name, _, reader in
        reader.names.primings.append(name)
        return reader.names.primings.position(of: name).map { PrimingID($0) }
      }, back: { priming, writer in writer.known.scenario.app.primings[priming.index] })
  }

  /// A context that a milestone or the time line has named.
  package static var priming: Atom<PrimingID> {
    Atom(
      name: "CONTEXT", meaning: "the context of a priming", pattern: Atom<String>.newName.pattern,
      write: { priming, writer in .string(writer.known.scenario.app.primings[priming.index]) }
    ) { word, reader in
      // The time line may be the one to name it.
      if !reader.parts.contains(.timeline) { return newPriming.parse(word, reader) }
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
    Atom<String>.surface.map(
      { name, _, reader in reader.names.surfaces.position(of: name).map { SurfaceID($0) } },
      back: { surface, writer in writer.known.scenario.app.surfaces[surface.index].name })
  }
}

extension Atom<MilestoneID> {
  package static var milestoneID: Atom<MilestoneID> {
    Atom<String>.milestone.map(
      { name, _, reader in reader.names.milestones.position(of: name).map { MilestoneID($0) } },
      back: { milestone, writer in writer.known.scenario.app.milestones[milestone.index].name })
  }
}
