package import TriggerModel

/// What the person does to several things at once, in a list of our app: each of them has a record of its own, as if it
/// had been done alone. To which of them it is done is decided when it happens.
package struct Batch: Hashable, Sendable {
  package enum Choice: Hashable, Sendable {
    /// Reminders that are overdue, or due today.
    case due
    /// Reminders that the person has marked.
    case selected
    /// What is in a part of the list: it goes to another part.
    case part
  }

  /// An attribute has a value.
  package struct Part: Hashable, Sendable {
    package var fact: FactID
    package var value: FactValue

    package init(_ fact: FactID, is value: FactValue) {
      self.fact = fact
      self.value = value
    }
  }

  /// One of the things to which it may be done.
  package struct Member: Hashable, Sendable {
    /// Nil: a thing, and none of its reminders.
    package var reminder: ReminderID?
    /// The fact that takes a value.
    package var fact: FactID
    /// Nil: the instant at which it is done.
    package var value: FactValue?
    /// Only where it is in this part; nil: wherever it is.
    package var part: Part?

    package init(reminder: ReminderID? = nil, fact: FactID, value: FactValue? = nil, part: Part? = nil) {
      self.reminder = reminder
      self.fact = fact
      self.value = value
      self.part = part
    }
  }

  /// As a time line has it: "complete all water in room kitchen".
  package var words: String
  package var choice: Choice
  package var members: [Member]
  /// What the person answers if the app asks.
  package var isConfirmed: Bool

  package init(words: String, _ choice: Choice, _ members: [Member], isConfirmed: Bool = true) {
    self.words = words
    self.choice = choice
    self.members = members
    self.isConfirmed = isConfirmed
  }
}
