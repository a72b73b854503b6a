import CivilTime
package import ReminderMatching
package import ScenarioModel
import TextFormats
import TriggerModel

/// Writes reminders as sentences. Parsing a sentence returns the same declaration.
package struct SentenceWriter {
  private let writer: Writer
  private let schedules: ScheduleText
  private let conditions: ConditionText

  /// Creates a writer.
  ///
  /// - Parameter scenario: The scenario whose facts and start the reminders refer to.
  package init(_ scenario: Scenario) {
    writer = Writer(context: ScenarioWritingContext(scenario, parts: .all))
    let startDate = writer.known.startZone.local(at: writer.known.scenario.start).date
    schedules = ScheduleText(from: startDate, SentenceNames.word)
    conditions = ConditionText(writer)
  }

  /// Returns the sentence for a reminder on one line.
  ///
  /// - Parameter kind: The kind of the items for a template, or `nil` for an ordinary reminder.
  package func text(_ reminder: ReminderDeclaration, forEach kind: String? = nil) -> String {
    var text = "Remind me \(shown(reminder.notification.copy)) \(times(reminder.triggers))"
    if let kind { text += ", for each \(kind)" }
    text += conditions.all(reminder.conditions)
    if reminder.repeats != .usual(for: reminder.triggers),
      let repeats = SentenceWords.repeats.first(where: { $0.written == "\(reminder.repeats)" })
    {
      text += ", \(repeats.spoken)"
    }
    if reminder.expires != .distantFuture { text += ", until \(writer.local(reminder.expires).text)" }
    if !reminder.withdrawals.isEmpty {
      let reasons = reminder.withdrawals.map(conditions.comparison).joined(separator: " or ")
      text += ", \(SentenceWords.withdrawal.joined(separator: " ")) \(reasons)"
    }
    let details = details(of: reminder)
    if !details.isEmpty { text += " (\(details.joined(separator: "; ")))" }
    // The reader removes one full stop from the end of a sentence, so double a final full stop.
    return text.hasSuffix(".") ? text + "." : text
  }

  // MARK: Texts

  private func shown(_ copy: [NotificationDeclaration.Copy]) -> String {
    var text = ""
    for (index, stage) in copy.enumerated() {
      if index == 0 {
        text = Self.plain(stage.title).map { "to \($0)" } ?? QuotedText.write(stage.title)
      } else {
        text += ", then \(QuotedText.write(stage.title))"
      }
      if !stage.body.isEmpty { text += ", saying \(QuotedText.write(stage.body))" }
    }
    return copy.count > 1 || copy.contains { !$0.body.isEmpty } ? text + "," : text
  }

  /// Returns an unquoted title for use after "Remind me to". Returns `nil` if the title must be quoted,
  /// because it does not begin with a verb or contains words that begin another part.
  private static func plain(_ title: String) -> String? {
    let text = title.prefix(1).lowercased() + title.dropFirst()
    guard text != title, SentenceReader.capitalized(text) == title, let last = text.last,
      last.isLetter || last.isNumber || last == "}", text.count <= 80,
      text.allSatisfy({ $0.isLetter || $0.isNumber || " '’-–,:!?&+%/€${}".contains($0) }),
      !text.contains("  "), !text.contains(": ")
    else { return nil }
    let tokens = SentenceTokens(text).tokens
    guard let verb = tokens.first?.text, SentenceWords.verbs.contains(verb),
      SentenceParts.titleEnd(tokens[...]) == tokens.endIndex,
      SentenceParts.condition(closing: tokens[...]) == nil
    else { return nil }
    return text
  }

  // MARK: When

  /// Returns the triggers, joined by `or`. Consecutive events share one `when`, and consecutive actions of
  /// the person share one `I`.
  private func times(_ all: [Trigger]) -> String {
    var text = ""
    var (wasEvent, wasByPerson) = (false, false)
    for (index, trigger) in all.enumerated() {
      if index > 0 { text += " or " }
      if let written = trigger.eventWords(SentenceNames.word) {
        let (spoken, isByPerson) = Self.spoken(written)
        if !wasEvent { text += "when " }
        if isByPerson, !wasEvent || !wasByPerson { text += "I " }
        text += spoken
        (wasEvent, wasByPerson) = (true, isByPerson)
      } else if let schedule = schedules.words(trigger) {
        let isOrdinal = SentenceWords.ordinals.contains { schedule.hasPrefix($0 + " ") }
        text += (isOrdinal ? "on the " : "") + schedule
        wasEvent = false
      }
    }
    return text
  }

  /// Returns the spoken form of an event in the notation of the trigger grammar.
  private static func spoken(_ written: String) -> (String, isByPerson: Bool) {
    let words = written.split(separator: " ").map(String.init)
    for event in SentenceWords.events {
      guard let slot = event.written.firstIndex(where: SentenceWords.Event.isSlot) else {
        if event.written == words { return (event.spoken.joined(separator: " "), event.isByPerson) }
        continue
      }
      let after = event.written.count - slot - 1
      guard words.count > slot + after, Array(words.prefix(slot)) == Array(event.written.prefix(slot)),
        Array(words.suffix(after)) == Array(event.written.suffix(after)),
        event.written[slot] == "REST" || words.count == event.written.count
      else { continue }
      let inSlot = words[slot..<(words.count - after)].joined(separator: " ")
      let spoken = event.spoken.map { SentenceWords.Event.isSlot($0) ? inSlot : $0 }
      return (spoken.joined(separator: " "), event.isByPerson)
    }
    return (written, false)
  }

  // MARK: Details in brackets

  private func details(of reminder: ReminderDeclaration) -> [String] {
    let notification = reminder.notification
    var details: [String] = []
    if reminder.isCreatedLater { details.append("created later") }
    if notification.bucket != .standard { details.append("bucket \(notification.bucket.name)") }
    if !notification.criticalConditions.isEmpty {
      let all = notification.criticalConditions.map(conditions.comparison).joined(separator: " and ")
      details.append("critical if \(all)")
    }
    if notification.type != ReminderName.template(of: reminder.id) {
      details.append("type \(SentenceNames.word(notification.type))")
    }
    if notification.priority != 100 { details.append("priority \(notification.priority)") }
    if let span = notification.usefulFor { details.append("useful for \(Atom<TimeSpan>.text(span))") }
    if let event = notification.event { details.append("event \(event)") }
    if !notification.link.isEmpty {
      let isPlain = notification.link.allSatisfy {
        $0.isASCII && ($0.isLetter || $0.isNumber || "/:._?=&%~#@+-".contains($0))
      }
      details.append("link \(isPlain ? notification.link : QuotedText.write(notification.link))")
    }
    if !notification.actions.isEmpty {
      let words = notification.actions.map(\.words)
      details.append("actions \(words.joined(separator: " and "))")
    }
    if let attachment = notification.attachment { details.append("attachment \(attachment.words)") }
    return details
  }
}

extension Repeat {
  /// Returns the default value of `repeat`. A schedule such as `every weekday 08:10` recurs, but an event
  /// such as `enter shop` does not.
  package static func usual(for triggers: [Trigger]) -> Repeat {
    let recurs = triggers.allSatisfy { trigger in
      if case .scheduled(let schedule) = trigger { return schedule.recurs }
      return trigger.isTime
    }
    return recurs ? .always : .once
  }
}
