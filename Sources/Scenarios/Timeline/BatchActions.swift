package import DeviceSimulation
import ScenarioModel
package import TextFormats
import TriggerModel

/// Actions of the person that affect several reminders or items at the same time.
extension Atom<BatchID> {
  /// The due reminders of a template, `water` or `water in kitchen`, which follow `complete all`.
  static var completeAll: Atom {
    let name = Atom<String>.namePattern
    return Atom(
      name: "TEMPLATE in VALUE",
      meaning: "the reminders of a template that are due, all or in one part of the list",
      pattern: "(?:\(name))(?: +in +(?:\(name))(?: +(?:\(name)))?)?(?: *, +not +confirmed)?",
      write: BatchReader.write
    ) { word, reader in BatchReader(word, reader).completion() }
  }

  /// A move of items from one value to another, `room kitchen to other`, which follows `move all in`.
  static var moveAll: Atom {
    let name = Atom<String>.namePattern
    return Atom(
      name: "ATTRIBUTE VALUE to VALUE", meaning: "an attribute of items, a value of it, and another",
      pattern: "(?:\(name)) +(?:\(name)) +to +(?:\(name))", write: BatchReader.write
    ) { word, reader in BatchReader(word, reader).move() }
  }

  /// Any batch action, including its verb.
  package static var batch: Atom<BatchID> {
    let all = "complete +all +(?:\(completeAll.pattern))"
    let move = "move +all +in +(?:\(moveAll.pattern))"
    return Atom(
      name: "BATCH",
      meaning: "a batch action such as 'complete all water in kitchen'",
      pattern: "\(all)|\(move)|complete +(?:\(Atom<TimelineAction>.completed.pattern))",
      write: BatchReader.write
    ) { word, reader in
      for (words, read) in BatchReader.forms {
        guard word.text.hasPrefix(words + " ") else { continue }
        let rest = word.text.dropFirst(words.count + 1)
        let position = word.position.advanced(by: words.unicodeScalars.count + 1)
        return read(BatchReader(Word(String(rest), at: position), reader))()
      }
      reader.error(
        "'\(word.text)' is not a batch action", at: word.position,
        hint: "such as 'complete all water in kitchen'")
      return nil
    }
  }
}

extension Atom<TimelineAction> {
  /// A reminder, or a deletable value of an attribute, such as `room kitchen`.
  static var deleted: Atom {
    let reminder = Atom<ReminderID>.reminderID
    let name = Atom<String>.namePattern
    return Atom(
      name: "REMINDER, or ATTRIBUTE VALUE", meaning: reminder.meaning,
      pattern: "\(reminder.pattern)|(?:\(name)) +(?:\(name))",
      write: onlyInSentences
    ) { word, reader in
      // The name of a reminder from a template has three words, such as `water for basil`.
      if word.text.split(separator: " ").count == 2 {
        return BatchReader(word, reader).deletion().map { .event(.inApp(.batch($0))) }
      }
      return reminder.parse(word, reader).map { .delete($0) }
    }
  }
}

extension Word {
  /// The comma-separated parts, with single spaces. Each part has its own position.
  var partsBetweenCommas: [Word] {
    var offset = 0
    return text.split(separator: ",", omittingEmptySubsequences: false).map { part in
      let lead = part.prefix { $0 == " " }.count
      defer { offset += part.unicodeScalars.count + 1 }
      return Word(part.split(separator: " ").joined(separator: " "), at: position.advanced(by: offset + lead))
    }
  }
}

/// Parses batch actions, and registers each batch under its text.
struct BatchReader {
  private let reader: Reader
  private let word: Word
  /// The comma-separated parts of the text.
  private var parts: [Word] = []
  private var isConfirmed = true

  init(_ word: Word, _ reader: Reader) {
    self.reader = reader
    self.word = word
    parts = word.partsBetweenCommas
    if parts.count > 1, parts.last?.text == "not confirmed" {
      isConfirmed = false
      parts.removeLast()
    }
  }

  static var forms: [(String, (BatchReader) -> () -> BatchID?)] {
    [("complete all", { $0.completion }), ("move all in", { $0.move }), ("complete", { $0.selection })]
  }

  static func write(_ batch: BatchID, _ writer: Writer) -> JSONValue {
    .string(writer.known.scenario.app.batches[batch.index].words)
  }

  /// Parses the completion of a template's due reminders: `water in room kitchen`.
  func completion() -> BatchID? {
    let texts = word.text.split(separator: " ").map(String.init)
    guard parts.count == 1, let name = parts.first?.text.split(separator: " ").map(String.init),
      name.count == 1 || (3...4).contains(name.count) && name[1] == "in"
    else {
      reader.error(
        "'\(texts.joined(separator: " "))' is not a template with an optional value", at: word.position,
        hint: "such as 'complete all water', or 'complete all water in kitchen'")
      return nil
    }
    let all = reader.names.reminders.all
    let reminders = all.filter { ReminderName.template(of: $0) == name[0] }
    if reminders.isEmpty {
      let known = Set(all.map { ReminderName.template(of: $0) }).sorted()
      reader.error(
        "there is no reminder or template '\(name[0])'", at: word.position,
        hint: NearestNames.hint(for: name[0], among: known))
      return nil
    }
    var words = "complete all \(name[0])"
    var parts: [String: Batch.Part]?
    if name.count > 1 {
      guard
        let attribute = name.count == 4 ? name[2] : attribute(with: name[name.count - 1], of: reminders)
      else { return nil }
      let value = name[name.count - 1]
      words += " in \(attribute) \(value)"
      parts = [:]
      for row in facts(of: attribute) {
        if let position = row.fact.names.firstIndex(of: value) {
          parts?[row.item] = Batch.Part(row.id, is: .name(position))
        }
      }
    }
    var members: [Batch.Member] = []
    for reminder in reminders {
      guard let member = member(reminder, at: word.position) else { return nil }
      guard let parts else {
        members.append(member)
        continue
      }
      guard let item = Self.item(of: reminder), let part = parts[item] else { continue }
      members.append(.init(reminder: member.reminder, fact: member.fact, part: part))
    }
    if members.isEmpty {
      reader.error(
        "no item with a reminder '\(name[0])' can have the value '\(name[name.count - 1])'",
        at: word.position,
        hint: "values are the names of an attribute under 'items'")
      return nil
    }
    return keep(words, .due, members)
  }

  /// Parses selected reminders: `water for basil, water for fern`, or the short form `water for basil, fern`.
  func selection() -> BatchID? {
    var names: [String] = []
    for part in parts {
      let template = names.last.map { ReminderName.template(of: $0) }
      let short = template.map { ReminderName.made(by: $0, of: part.text) }
      if let short, reader.names.reminders.position(of: part.text) == nil,
        reader.names.reminders.position(of: short) != nil
      {
        names.append(short)
      } else {
        guard let name = Atom<String>.reminder.parse(part, reader) else { return nil }
        names.append(name)
      }
      if names.dropLast().contains(names[names.count - 1]) {
        reader.error("'\(names[names.count - 1])' is listed twice", at: part.position)
        return nil
      }
    }
    var members: [Batch.Member] = []
    for (name, part) in zip(names, parts) {
      guard let member = member(name, at: part.position) else { return nil }
      members.append(member)
    }
    return keep("complete " + names.joined(separator: ", "), .selected, members)
  }

  /// Parses a move of items from one value of an attribute to another: `room kitchen to other`.
  func move() -> BatchID? {
    let texts = word.text.split(separator: " ").map(String.init)
    guard texts.count == 4, texts[2] == "to" else {
      reader.error(
        "'\(word.text)' is not an attribute and two of its values", at: word.position,
        hint: "such as 'move all in room kitchen to other'")
      return nil
    }
    return move(texts[0], from: texts[1], to: texts[3])
  }

  /// Parses the deletion of a value of an attribute: `room kitchen`.
  func deletion() -> BatchID? {
    let texts = word.text.split(separator: " ").map(String.init)
    let attributes = reader.names.itemKinds.flatMap(\.attributes).filter { $0.fact?.names.isEmpty == false }
    guard let attribute = attributes.first(where: { $0.name == texts[0] }) else {
      reader.error(
        "'\(word.text)' cannot be deleted", at: word.position,
        hint: "such as 'delete milk', a reminder, or 'delete room kitchen', a value of an attribute of items")
      return nil
    }
    guard let heir = attribute.onDelete else {
      reader.error(
        "'\(texts[0])' does not declare which value replaces a deleted one", at: word.position,
        hint: "declare it as '\(texts[0]): {names: [\(texts[1]), other], onDelete: other}'")
      return nil
    }
    if texts[1] == heir {
      reader.error(
        "'\(heir)' replaces deleted values, so it cannot be deleted",
        at: word.position.advanced(by: texts[0].unicodeScalars.count + 1))
      return nil
    }
    reader.names.partDeletions.append(word.position)
    return move(texts[0], from: texts[1], to: heir)
  }

  private func move(_ attribute: String, from value: String, to other: String) -> BatchID? {
    var members: [Batch.Member] = []
    let facts = facts(of: attribute)
    for row in facts {
      guard let from = row.fact.names.firstIndex(of: value), let to = row.fact.names.firstIndex(of: other)
      else { continue }
      members.append(
        Batch.Member(fact: row.id, value: .name(to), part: Batch.Part(row.id, is: .name(from))))
    }
    guard !members.isEmpty else {
      let known = facts.first?.fact.names ?? []
      let unknown = known.contains(value) ? other : value
      reader.error(
        facts.isEmpty
          ? "no item has the attribute '\(attribute)'" : "'\(unknown)' is not a value of '\(attribute)'",
        at: word.position, hint: NearestNames.hint(for: unknown, among: known))
      return nil
    }
    let batch = keep("move all in \(attribute) \(value) to \(other)", .part, members)
    reader.names.moves[batch.index] = PartMove(attribute: attribute, value: value, other: other)
    return batch
  }

  private func keep(_ words: String, _ choice: Batch.Choice, _ members: [Batch.Member]) -> BatchID {
    let words = words + (isConfirmed ? "" : ", not confirmed")
    if let known = reader.names.batchWords.position(of: words) { return BatchID(known) }
    reader.names.batchWords.append(words)
    reader.names.batches.append(Batch(words: words, choice, members, isConfirmed: isConfirmed))
    return BatchID(reader.names.batches.count - 1)
  }

  private func member(_ reminder: String, at position: SourcePosition) -> Batch.Member? {
    guard let index = reader.names.reminders.position(of: reminder),
      let fact = Assignment.fact(completing: reminder, at: position, reader)
    else { return nil }
    return Batch.Member(reminder: ReminderID(index), fact: fact)
  }

  /// Returns the attribute that has the given value for one of these reminders' items.
  private func attribute(with value: String, of reminders: [String]) -> String? {
    let items = Set(reminders.compactMap(Self.item))
    var attributes: [String] = []
    var values: [String] = []
    for fact in reader.names.factDeclarations {
      guard let fact, !fact.names.isEmpty, let dot = fact.name.firstIndex(of: "."),
        items.contains(String(fact.name[..<dot]))
      else { continue }
      let attribute = String(fact.name[fact.name.index(after: dot)...])
      values += fact.names.filter { !values.contains($0) }
      if fact.names.contains(value), !attributes.contains(attribute) { attributes.append(attribute) }
    }
    if attributes.count == 1 { return attributes[0] }
    if attributes.isEmpty {
      reader.error(
        "no attribute of an item has the value '\(value)'", at: word.position,
        hint: NearestNames.hint(for: value, among: values))
    } else {
      reader.error(
        "'\(value)' is a value of \(attributes.joined(separator: " and of "))", at: word.position,
        hint: "name the attribute: 'in \(attributes[0]) \(value)'")
    }
    return nil
  }

  /// Returns the facts that store an attribute of the items, such as `basil.room`.
  private func facts(of attribute: String) -> [(item: String, id: FactID, fact: FactDeclaration)] {
    reader.names.factDeclarations.compactMap { fact in
      guard let fact, !fact.names.isEmpty, let dot = fact.name.firstIndex(of: "."),
        fact.name[fact.name.index(after: dot)...] == attribute,
        let position = reader.names.facts.position(of: fact.name)
      else { return nil }
      return (String(fact.name[..<dot]), FactID(position), fact)
    }
  }

  /// Returns the item in the name of a reminder from a template, such as `basil` in `water for basil`.
  private static func item(of reminder: String) -> String? {
    let words = reminder.split(separator: " ")
    return words.count == 3 ? String(words[2]) : nil
  }
}
