package import ScenarioModel
package import TextFormats
package import TriggerModel

/// The names that a file declares, each kind in the order of declaration.
package struct Names {
  package var apps = NameList()
  /// The phone, which every scenario has, and the devices beside it.
  package var devices = NameList([DeviceDeclaration.phone])
  package var places = NameList()
  /// The declarations of ``places``, in the same order; nil where one is wrong, which has been reported.
  package var placeDeclarations: [Place?] = []
  package var facts = NameList()
  /// The declarations of ``facts``, in the same order; nil where one is wrong, which has been reported.
  package var factDeclarations: [FactDeclaration?] = []
  /// Where facts come from.
  package var factSources = NameList()
  package var reminders = NameList()
  /// Those that do not exist from the start.
  package var remindersMadeLater: Set<ReminderID> = []
  package var edits: [ReminderEdit] = []
  /// What is done on one device reaches the others.
  package var hasSync = false
  /// The facts whose first value stands in texts that templates have made.
  package var factsInTexts: Set<String> = []
  /// The kinds of items, with those that the time line adds.
  package var itemKinds: [ItemKind] = []
  /// What the time line adds.
  package var additions: [ItemAddition] = []
  /// Notification types: what the per-type caps can name.
  package var types = NameList()
  /// The types by their names in snake case, as stored counters and analytics have them.
  package var typesInSnakeCase: [String: String] = [:]
  /// The type of every reminder, in their order.
  package var typesOfReminders: [String] = []
  /// The bucket of every reminder, in their order.
  package var bucketsOfReminders: [Bucket] = []
  /// The fact from which the schedule of every reminder counts its days, in their order.
  package var factsOfReminders: [String?] = []
  /// What can be done on the notification of every reminder, in their order.
  package var actionsOfReminders: [[NotificationAction]] = []
  /// Reminders whose declaration is wrong: what they are is not known.
  package var unreadReminders: Set<ReminderID> = []
  /// By reminder.
  package var attachments: [NotificationAttachment?] = []
  /// Nil when they cannot be read, which has been reported.
  package var gates: NameList? = NameList()
  /// The links that the time line opens.
  package var links = NameList()
  /// The contexts of priming.
  package var primings = NameList()
  package var surfaces = NameList()
  /// What the store sells of the plans.
  package var products = NameList()
  package var milestones = NameList()
  /// What the time line does to several things at once, in words and, in the same order, as values.
  package var batchWords = NameList()
  package var batches: [Batch] = []
}

/// Names without repetition, and the position of each.
package struct NameList {
  package private(set) var all: [String] = []
  private var positions: [String: Int] = [:]

  package init(_ names: [String] = []) {
    for name in names { append(name) }
  }

  /// - Complexity: O(1)
  package func position(of name: String) -> Int? { positions[name] }

  /// Adds a name; false when it was there already.
  @discardableResult
  package mutating func append(_ name: String) -> Bool {
    guard positions[name] == nil else { return false }
    positions[name] = all.count
    all.append(name)
    return true
  }
}

extension Format<[String]> {
  /// A list of different names.
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
