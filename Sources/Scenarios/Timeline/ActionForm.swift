import DeviceSimulation
package import ScenarioModel
package import TextFormats

/// One kind of action on the time line: its sentences in the short form, and its keys in the long form.
///
/// The reader, the writer, the schema and the reference are derived from this form.
struct ActionForm {
  /// A key of the long form, with its action, or `nil` if the key is absent.
  typealias Choice = (key: String, action: TimelineAction?)

  /// Returns the sentences. This is a closure because the sentences are needed only to parse or describe
  /// them.
  let phrases: () -> [Phrase<[TimelineAction]>]
  /// Reads the keys of the long form.
  let ask: (Fields<TimelineAction>) -> [Choice]

  /// Creates a form from its sentences and a function that reads its keys.
  init(
    _ phrases: @autoclosure @escaping () -> [Phrase<[TimelineAction]>],
    ask: @escaping (Fields<TimelineAction>) -> [Choice] = { _ in [] }
  ) {
    self.phrases = phrases
    self.ask = ask
  }

  /// Creates a form for an action that one value determines.
  ///
  /// - Parameters:
  ///   - sentences: The sentences, in which `_` represents the value.
  ///   - make: Returns the action for a value.
  ///   - part: Returns the value of an action, or `nil` for actions of other forms.
  init<Part>(
    _ key: String, _ atom: Atom<Part>, _ doc: String, says sentences: [String],
    make: @escaping (Part) -> TimelineAction, from part: @escaping (TimelineAction) -> Part?
  ) {
    phrases = {
      sentences.map { sentence in
        let slot = sentence.firstIndex(of: "_") ?? sentence.endIndex
        return Phrase(String(sentence[..<slot]), atom, String(sentence[slot...].dropFirst())) { [make($0)] }
      }
    }
    ask = { fields in [(key, fields.optional(key, .scalar(atom), doc, from: part).map(make))] }
  }

  /// Returns a form for a phone event with one value.
  static func event<Part>(
    _ key: String, _ atom: Atom<Part>, _ doc: String, says sentences: [String],
    make: @escaping (Part) -> PhoneEvent, from part: @escaping (PhoneEvent) -> Part?
  ) -> ActionForm {
    ActionForm(
      key, atom, doc, says: sentences, make: { .event(make($0)) },
      from: { if case .event(let event) = $0 { part(event) } else { nil } })
  }

  /// Returns a form for a phone event with one of several named values.
  static func event<Part>(
    _ key: String, _ atom: Atom<Part>, _ doc: String, says sentences: [String],
    of values: [Part], make: @escaping (Part) -> PhoneEvent
  ) -> ActionForm {
    event(
      key, atom, doc, says: sentences, make: make, from: { event in values.first { make($0) == event } })
  }

  /// Returns a form for a phone event that switches something on or off.
  static func toggle(
    _ key: String, _ doc: String, says sentences: [String], make: @escaping (Bool) -> PhoneEvent
  ) -> ActionForm {
    event(key, .toggle, doc, says: sentences, of: [true, false], make: make)
  }
}

extension Format<[TimelineAction]> {
  /// The actions of an entry: a sentence, or a mapping with one key that identifies the action.
  package static var actions: Format<[TimelineAction]> {
    Format.short(
      sentence, orLong: longAction.map({ action, _, _ in [action] }, back: { actions, _ in actions[0] })
    ).named("action")
  }

  private static var sentence: Format {
    let grammar = Grammar<[TimelineAction]>.actions
    return .shortForm(grammar.meaning, schema: grammar.schema) { words, _, reader in
      reader.read(words, as: grammar.meaning, in: .timeline) {
        grammar.parse($0.joiningReminders(reader), reader)
      }
    }
  }

  private static var longAction: Format<TimelineAction> {
    let forms = ActionForm.all
    return .object("Something that happens to the phone, or that its user does") { fields in
      let choices = forms.flatMap { $0.ask(fields) }
      fields.exactlyOne(of: choices.map(\.key))
      return choices.lazy.compactMap(\.action).first
    }
  }
}

extension Grammar<[TimelineAction]> {
  static var actions: Grammar {
    Grammar(meaning: "an action", topic: "timeline", phrases: ActionForm.all.flatMap { $0.phrases() })
  }
}
