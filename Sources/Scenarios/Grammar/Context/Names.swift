package import ReminderMatching
package import ScenarioModel
package import TextFormats
package import TriggerModel

/// The names that a file declares. Each list is in the order of declaration.
package struct Names {
  package var apps = NameList()
  /// The devices. The phone is always the first.
  package var devices = NameList([DeviceDeclaration.phone])
  package var places = NameList()
  /// The declarations of ``places``, in the same order. An element is `nil` if its declaration has a reported error.
  package var placeDeclarations: [Place?] = []
  package var facts = NameList()
  /// The declarations of ``facts``, in the same order. An element is `nil` if its declaration has a reported error.
  package var factDeclarations: [FactDeclaration?] = []
  /// The sources of facts.
  package var factSources = NameList()
  package var reminders = NameList()
  /// The declarations of ``reminders``, in the same order. An element is `nil` if its declaration has a reported
  /// error.
  package var reminderDeclarations: [ReminderDeclaration?] = []
  /// The reminders that the time line creates.
  package var remindersCreatedLater: Set<ReminderID> = []
  package var edits: [ReminderEdit] = []
  /// Whether changes on one device are synchronised to the other devices.
  package var hasSync = false
  /// The facts whose initial value is inserted into texts of templates.
  package var factsInTexts: Set<String> = []
  /// The kinds of items. Their items include those that the time line adds.
  package var itemKinds: [ItemKind] = []
  /// Whether texts may contain placeholders, because they belong to a template.
  var allowsPlaceholders = false
  /// The `add` actions of the time line.
  package var additions: [ItemAddition] = []
  /// The notification types. Caps per type refer to them.
  package var types = NameList()
  /// The notification types, keyed by their names in snake case. Stored counters and analytics use these
  /// names.
  package var typesInSnakeCase: [String: String] = [:]
  /// The names of the gates, or `nil` if the section `gates` has a reported error.
  package var gates: NameList? = NameList()
  /// The links that the time line opens.
  package var links = NameList()
  /// The priming contexts.
  package var primings = NameList()
  package var surfaces = NameList()
  /// The products that the plans declare.
  package var products = NameList()
  package var milestones = NameList()
  /// The batch actions of the time line as text. They have the same indices as ``batches``.
  package var batchWords = NameList()
  package var batches: [Batch] = []
  /// The moves among ``batches``, keyed by the index of the batch.
  package var moves: [Int: PartMove] = [:]
  /// The positions of the moves that also delete the value from which they move all items, such as a room.
  package var partDeletions: [SourcePosition] = []
}

/// A batch that moves items from one value of an attribute to another, such as from one room to another.
package struct PartMove {
  var attribute: String
  var value: String
  var other: String
}

/// A list of distinct names with constant-time lookup of their indices.
package struct NameList {
  package private(set) var all: [String] = []
  private var positions: [String: Int] = [:]

  package init(_ names: [String] = []) {
    for name in names { append(name) }
  }

  /// - Complexity: O(1)
  package func position(of name: String) -> Int? { positions[name] }

  /// Appends a name. Returns `false` if the list already contains the name.
  @discardableResult
  package mutating func append(_ name: String) -> Bool {
    guard positions[name] == nil else { return false }
    positions[name] = all.count
    all.append(name)
    return true
  }
}

extension Format<[String]> {
  /// A list of distinct names.
  package static var names: Format {
    Format<[Located<String>]>.list(of: .located(.scalar(.newName)), minimum: 1).map(
      { names, _, reader in
        var seen = NameList()
        for name in names where !seen.append(name.value) {
          reader.error(
            "'\(name.value)' is already in the list", at: name.position, hint: "remove one of them")
          return nil
        }
        return seen.all
      },
      back: { names, _ in names.map { Located($0, at: .start) } })
  }
}

/// The names of reminders, such as `milk`. A reminder that a template creates for an item is named `water for basil`.
package enum ReminderName {
  /// The word between the names of the template and the item.
  fileprivate static let joint = "for"

  /// Returns the name of the reminder that a template creates for an item.
  package static func made(by template: String, of item: String) -> String { "\(template) \(joint) \(item)" }

  /// Returns the name of the template that created a reminder, or the reminder's whole name if no template created
  /// it.
  package static func template(of name: String) -> String {
    name.utf8.contains(UInt8(ascii: " ")) ? name.split(separator: " ").first.map(String.init) ?? name : name
  }

  package static var pattern: String {
    "\(Atom<String>.namePattern)(?: +\(joint) +\(Atom<String>.namePattern))?"
  }

  /// Returns the name with single spaces, or `nil` after reporting that the text is not a name.
  ///
  /// - Parameter single: Parses a name of one word.
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
  /// A new name for a reminder.
  package static var newReminderName: Atom {
    let single = newName
    return Atom(
      name: "NAME", meaning: "a name, or two with 'for' between them", pattern: ReminderName.pattern,
      write: { name, _ in .string(name) }, parse: { ReminderName.read($0, single, $1) })
  }
}

extension Words {
  /// Returns the sentence with each multi-word reminder name, such as `water for basil`, as a single word.
  package func joiningReminders(_ reader: Reader) -> Words {
    joining(around: ReminderName.joint) { reader.names.reminders.position(of: $0) != nil }
  }
}
