import DeviceSimulation
import ScenarioModel
import TextFormats

/// Expectations about screens, milestones and other events of the app: `milestone firstWorkout is reached
/// once`.
enum AppSentences {
  /// Returns whether a sentence is about the app. If its first word is also the name of a reminder, the
  /// sentence is about the reminder.
  static func isApp(_ sentence: Words, _ reader: Reader) -> Bool {
    guard let first = sentence.first?.text else { return false }
    let words = [
      "priming", "prompt", "permission", "location", "screen", "settings", "surface", "milestone", "creating",
      "batch", "confirmation",
    ]
    return words.contains(first) && reader.names.reminders.position(of: first) == nil
  }

  static func parse(_ sentence: Words, _ reader: Reader) -> Expectation.Claim? {
    let texts = sentence.texts
    guard let verb = texts.firstIndex(of: "is") else {
      reader.error(
        "the expectation makes no claim about the app", at: sentence.position,
        hint: "such as 'priming first_workout is shown once'")
      return nil
    }
    let isNever = texts.dropFirst(verb + 1).first == "never"
    let length = verb + (isNever ? 3 : 2)
    let head = sentence.prefix(length)
    guard let event = grammar(isNever ? "is never" : "is").parse(head, reader) else { return nil }
    var rest = sentence.dropFirst(length)
    guard let parts = ExpectationSentences.Parts.take(from: &rest, isNever ? .never : .fires, reader) else {
      return nil
    }
    let words = head.texts.filter { $0 != "never" }.joined(separator: " ")
    return .app(
      AppClaim(
        event: event, words: words, count: isNever ? .exactly(0) : parts.count ?? .atLeast(1),
        occasion: parts.occasion))
  }

  /// The long form of the event. The count and the time have separate keys.
  static var long: Format<AppClaim> {
    let sentence = Format<AppEvent>.sentence(grammar("is"))
    return Format(
      schema: sentence.schema,
      read: { node, reader in
        guard let event = sentence.read(node, reader), case .scalar(let text) = node.content else {
          return nil
        }
        let words = Words(text, of: node).joined.text
        return AppClaim(event: event, words: words, count: .atLeast(1), occasion: .always)
      },
      write: { claim, _ in .string(claim.words) })
  }

  static var pattern: String {
    let parts = "(?: +(?:\(ExpectationSentences.Parts.usualPattern)))*"
    return "(?:\(grammar("is").pattern)|\(grammar("is never").pattern))\(parts)"
  }

  /// Returns the grammar of events.
  ///
  /// - Parameter verb: `is`, or `is never`.
  static func grammar(_ verb: String) -> Grammar<AppEvent> {
    Grammar(
      meaning: "a claim about the app", topic: "expect",
      phrases: prompts(verb) + [
        Phrase("priming", .priming, "\(verb) shown") { .primingShown($0) },
        Phrase("priming", .priming, "\(verb) skipped") { .primingSkipped($0) },
        Phrase("settings banner \(verb) shown") { .settingsBannerShown },
        Phrase("surface", .surfaceID, "\(verb) shown") { .surfaceShown($0) },
        Phrase("surface", .surfaceID, "\(verb) followed") { .surfaceCallToAction($0) },
        Phrase("surface", .surfaceID, "\(verb) dismissed") { .surfaceDismissed($0) },
        Phrase("surface", .surfaceID, "\(verb) unlocked") { .surfaceUnlocked($0) },
        Phrase("surface", .surfaceID, "\(verb) unasked") { .surfaceUnasked($0) },
        Phrase("creating", .reminderID, "\(verb) refused") { .reminderRefused($0) },
        Phrase("milestone", .milestoneID, "\(verb) reached") { .milestone($0) },
        Phrase("batch of", .count(0...1_000_000), "\(verb) done") { .batchDone(UInt32($0)) },
        Phrase("confirmation \(verb) asked") { .confirmationAsked },
        Phrase("confirmation \(verb) declined") { .confirmationDeclined },
      ])
  }
}

extension AppSentences {
  /// Returns the phrases for permission prompts. The phrase for the notification permission omits the name of
  /// the permission.
  private static func prompts(_ verb: String) -> [Phrase<AppEvent>] {
    let named: [(String, PermissionKind)] = [
      ("", .notifications), ("location ", .location), ("screen time ", .screenTime),
    ]
    return named.flatMap { name, kind in
      [
        Phrase("\(name)prompt \(verb) shown") { .permissionRequested(kind) },
        Phrase("\(name)prompt \(verb) early") { .promptEarly(kind) },
        Phrase("\(name)prompt \(verb) stacked") { .promptStacked(kind) },
        Phrase("\(name)permission \(verb) granted") { .permissionGranted(kind) },
        Phrase("\(name)permission \(verb) denied") { .permissionDenied(kind) },
      ]
    }
  }
}

extension AppClaim {
  /// The claim in the notation of scenario files.
  var sentence: String {
    guard count == .exactly(0), let verb = words.firstRange(of: " is ") else {
      return "\(words) \(count.phrase)\(occasion.phrase)"
    }
    var never = words
    never.replaceSubrange(verb, with: " is never ")
    return never + occasion.phrase
  }
}
