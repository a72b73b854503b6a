package import TextFormats

/// Reminders as sentences: `Remind me to call mum when I unlock my phone, after 18:00`.
///
/// A sentence is translated to the mapping of a reminder, which is then parsed as usual.
package enum ReminderSentences {
  /// Returns the mapping for a reminder's sentence, or `nil` after reporting an error.
  ///
  /// - Complexity: O(*n*) in the number of characters.
  package static func mapping(_ node: Node, _ reader: Reader) -> Node? {
    guard let sentence = SentenceReader(node, reader) else {
      reader.error(
        "expected a sentence, or a name and a sentence", at: node.position,
        hint: "write 'Remind me …', or 'NAME: Remind me …'")
      return nil
    }
    return sentence.mapping()
  }

  // MARK: The list of reminders

  /// Returns the mapping for a list of sentences, keyed by name, or `nil` after reporting an error in the
  /// list. The name of a sentence without one is derived from its title.
  package static func named(_ node: Node, _ reader: Reader) -> Node? {
    guard case .sequence(let items) = node.content else { return node }
    if items.isEmpty {
      reader.error("the list is empty", at: node.position)
      return nil
    }
    var entries: [Node.Entry] = []
    for (number, item) in items.enumerated() {
      switch item.content {
      case .mapping(let own) where own.count == 1: entries.append(own[0])
      case .scalar:
        let title = SentenceReader(item, reader)?.title
        let name = title.map(name) ?? "reminder-\(number)"
        entries.append(Node.Entry(key: name, keyPosition: item.position, value: item))
      case .mapping, .sequence:
        reader.error(
          "expected a sentence, or a name and a sentence", at: item.position,
          hint:
            "write 'Remind me …', or 'NAME: Remind me …'; without a list, a mapping from names to reminders")
        return nil
      }
    }
    var result = node
    result.content = .mapping(entries)
    return result
  }

  /// Returns the entries of a document, with each list of sentences replaced by a mapping. The format that
  /// parses a list reports its errors.
  package static func named(_ entries: [Node.Entry], _ reader: Reader) -> [Node.Entry] {
    entries.map { entry in
      guard entry.key == "reminders" else { return entry }
      let mark = reader.mark
      var entry = entry
      if let value = named(entry.value, reader) { entry.value = value } else { reader.takeBack(to: mark) }
      return entry
    }
  }

  /// Returns the name that is derived from a title, such as `call-mum` for `Call mum`. It consists of the
  /// letters and digits of the first six words in lower case, joined by '-'.
  package static func name(of title: String) -> String {
    let words = title.lowercased().split { !($0.isLetter || $0.isNumber) }.prefix(6)
    let name = words.joined(separator: "-")
    return name.first.map(\.isLetter) == true ? name : "reminder" + (name.isEmpty ? "" : "-" + name)
  }

  // MARK: Rows

  /// Returns the table with each sentence replaced by a mapping, so that templates are recognised in both
  /// forms. The format that parses a row reports its errors.
  package static func unfolded(_ node: Node, _ reader: Reader) -> Node {
    guard case .mapping(let entries) = node.content else { return node }
    var result = node
    result.content = .mapping(
      entries.map { entry in
        guard case .scalar(let text) = entry.value.content, !text.isEmpty, !entry.value.isWithdrawal else {
          return entry
        }
        let mark = reader.mark
        guard let mapping = mapping(entry.value, reader) else {
          reader.takeBack(to: mark)
          return entry
        }
        var entry = entry
        entry.value = mapping
        return entry
      })
    return result
  }

  /// Returns the entries of a document, with the sentences in tables replaced by mappings.
  package static func unfolded(_ entries: [Node.Entry], _ reader: Reader) -> [Node.Entry] {
    named(entries, reader).map { entry in
      guard entry.key == "reminders" else { return entry }
      var entry = entry
      entry.value = unfolded(entry.value, reader)
      return entry
    }
  }

  /// The schema of a sentence.
  package static var schema: JSONValue {
    [
      "type": "string", "pattern": "^[Rr]emind me [\\s\\S]+$",
      "description": .string(
        "A sentence such as 'Remind me to call mum when I unlock my phone': see the topic sentences"),
    ]
  }
}

/// The parts of sentences, for the reference.
extension ReminderSentences {
  /// The parts of a sentence in order, each with its alternative wordings.
  package static var parts: [(name: String, ways: [String])] {
    let events = SentenceWords.events.map {
      "when " + ($0.isByPerson ? "I " : "")
        + $0.spoken.map { $0 == "REST" ? "DAYS days at TIME" : $0 }.joined(separator: " ")
    }
    return [
      (
        "what it shows",
        [
          "Remind me to TITLE", "Remind me \"TITLE\"", "saying \"BODY\"", "then \"TITLE OF THE NEXT STAGE\"",
        ]
      ),
      (
        "when it fires, with 'or' between several", events + ["any other trigger, such as every day at 09:00"]
      ),
      (
        "conditions, with a comma or 'and' between several",
        [
          "while charging", "while not charging", "on DAYS", "after TIME", "before TIME",
          "between TIME and TIME",
          "during TIME-TIME", "inside PLACE", "outside PLACE", "if FACT COMPARISON",
        ]
      ),
      ("how often it may fire", SentenceWords.repeats.map(\.spoken)),
      (
        "its end, with 'or' between several comparisons",
        ["until DATE TIME", SentenceWords.withdrawal.joined(separator: " ") + " FACT COMPARISON"]
      ),
      ("one for each item", ["for each KIND"]),
      (
        "what else it says, in brackets with ';' between several",
        SentenceWords.details.map { $0.key == "exists" ? $0.spoken : "\($0.spoken) …" }
      ),
    ]
  }

  /// Sentences of every form. A test parses them and compares them with ``parts``.
  package static let examples = [
    "Remind me to call mum when I unlock my phone after 18:00",
    "Remind me to buy milk when I enter the shop or leave shop, on weekdays, after 16:00 (bucket user; link app://lists/shopping)",
    "Remind me to buy bread when I arrive at shop, before 20:00, only once.",
    "Remind me \"Half of your steps are still to come\", saying \"A walk helps\", when I open the app or open maps, between 09:00 and 17:00, if steps < 5000 and visits / goal < 50 %, at most once a day (type steps; useful for 4 h; priority 20; event half_of_steps)",
    "Remind me \"Keep your data\", then \"Still a guest\", 3, 7, 14 days after lastWatered at 10:00, if signedIn is false, taken back as soon as signedIn is true or plan is paid",
    "Remind me to wish a happy birthday 30, 7, 0 days before birthday every year at 09:00",
    "Remind me to take the pill every day at 20:00 ahead repeating",
    "Remind me to back up when I plug in, while charging, during 22:00-07:00, at most once a week",
    "Remind me \"Unplugged\" when I unplug, while not charging, outside shop, at most once a month",
    "Remind me to look when I plug in my phone or leave shop or I unplug my phone",
    "Remind me to look at it when visits changes, inside shop, every time, until 2026-04-01 12:00",
    "Remind me \"Come back\" when the app stays closed for 3, 5, 7 days at 18:00",
    "Remind me to pay rent on the first monday of the month at 09:00, on monday, tuesday (critical if plan is free; actions snooze 2 h and snooze 1 day; attachment image 800 KB; created later)",
    "Remind me to take the tablet every day at 21:00 until 2026-04-30 except 2026-03-05, 2026-03-06 in America/Phoenix, until 2026-04-01 12:00",
    "Remind me \"Time sheet\" on the last weekday of the month at 16:00",
    "Remind me \"Water the {plant}\" 7 days after plant.watered at 09:00, for each plant, each time",
  ]
}
