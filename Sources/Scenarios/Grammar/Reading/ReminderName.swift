package import TextFormats

/// The names of reminders: `milk`, and `water for basil` of one that a template makes of an item.
package enum ReminderName {
  /// The word between the template and the item.
  fileprivate static let joint = "for"

  /// The name of what a template makes of an item.
  package static func made(by template: String, of item: String) -> String { "\(template) \(joint) \(item)" }

  /// The name up to the item: the template's, or the whole.
  package static func template(of name: String) -> String {
    name.utf8.contains(UInt8(ascii: " ")) ? name.split(separator: " ").first.map(String.init) ?? name : name
  }

  package static var pattern: String {
    "\(Atom<String>.namePattern)(?: +\(joint) +\(Atom<String>.namePattern))?"
  }

  /// The name that a text is, with single spaces; nil where it is none.
  ///
  /// - Parameter single: Reads one name.
  static func read(_ word: Word, _ single: Atom<String>, _ reader: Reader) -> String? {
    guard word.text.utf8.contains(UInt8(ascii: " ")) else { return single.parse(word, reader) }
    let parts = word.text.split(separator: " ").map(String.init)
    guard parts.count == 3, parts[1] == joint else { return single.parse(word, reader) }
    for name in [parts[0], parts[2]] {
      guard single.parse(Word(name, at: word.position), reader) != nil else { return nil }
    }
    return made(by: parts[0], of: parts[2])
  }
}

extension Atom<String> {
  /// The name that an author gives to a reminder.
  package static var newReminderName: Atom {
    let single = newName
    return Atom(
      name: "NAME", meaning: "a name, or two with 'for' between them", pattern: ReminderName.pattern,
      write: { name, _ in .string(name) }, parse: { ReminderName.read($0, single, $1) })
  }
}

extension Words {
  /// The same sentence, in which the name of a reminder is one word, such as `water for basil`.
  package func joiningReminders(_ reader: Reader) -> Words {
    joining(around: ReminderName.joint) { reader.names.reminders.position(of: $0) != nil }
  }
}
