package import TextFormats
import TriggerModel

/// Reminders as sentences: `Remind me to call mum when I unlock my phone, after 18:00`.
///
/// A sentence is another way to write the mapping of a reminder, and is read through it: it knows the triggers and
/// conditions that their own grammars know.
package enum ReminderSentences {
  /// The keys of a reminder that say what a sentence says; nil after the reader has been told what is wrong.
  ///
  /// - Complexity: O(*n*), the characters of the sentence.
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

  /// A list of sentences as the mapping by name that it stands for; nil after the reader has been told what is wrong
  /// with the list. A name is given, or made of the title.
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

  /// The same within a document; what is wrong with a list is left for whoever reads it.
  package static func named(_ entries: [Node.Entry], _ reader: Reader) -> [Node.Entry] {
    entries.map { entry in
      guard entry.key == "reminders" else { return entry }
      let mark = reader.mark
      var entry = entry
      if let value = named(entry.value, reader) { entry.value = value } else { reader.takeBack(to: mark) }
      return entry
    }
  }

  /// `Call mum` is `call-mum`: the letters and digits of at most six words in lower case, with '-' between the words.
  package static func name(of title: String) -> String {
    let words = title.lowercased().split { !($0.isLetter || $0.isNumber) }.prefix(6)
    let name = words.joined(separator: "-")
    return name.first.map(\.isLetter) == true ? name : "reminder" + (name.isEmpty ? "" : "-" + name)
  }

  // MARK: Rows

  /// The table with a mapping in place of each sentence, so that templates are found whatever they are written as.
  /// What is wrong with a sentence is left for whoever reads the row.
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

  /// The same within a document.
  package static func unfolded(_ entries: [Node.Entry], _ reader: Reader) -> [Node.Entry] {
    named(entries, reader).map { entry in
      guard entry.key == "reminders" else { return entry }
      var entry = entry
      entry.value = unfolded(entry.value, reader)
      return entry
    }
  }

  /// What the schema says of a sentence.
  package static var schema: JSONValue {
    [
      "type": "string", "pattern": "^[Rr]emind me [\\s\\S]+$",
      "description": .string(
        "A sentence such as 'Remind me to call mum when I unlock my phone': see the topic sentences"),
    ]
  }
}
