import DeviceSimulation
import TriggerModel

/// Which permissions our app has needed so far, and how many prompts have come since it came to the front.
///
/// A permission is needed from when there is a reminder on that uses it; what becomes of that reminder later does not
/// matter.
struct PermissionUse: Sendable {
  private let book: PermissionBook
  private let room: RoomBook?
  /// By reminder: it was there, and its declaration that is in force.
  private var isUsed: [Bool]
  private var declarations: [Int]
  private var prompts = 0

  init(_ book: AppBook) {
    self.book = book.permissions
    room = book.room
    isUsed = book.permissions.isUsedFromStart
    declarations = Array(isUsed.indices)
  }

  func needs(_ kind: PermissionKind) -> Bool {
    book.ofMilestones.contains(kind)
      || isUsed.indices.contains { isUsed[$0] && book.uses[declarations[$0]].contains(kind) }
  }

  mutating func made(_ reminder: ReminderID, edit: UInt32? = nil) {
    isUsed[reminder.index] = true
    if let edit { declarations[reminder.index] = isUsed.count + Int(edit) }
  }

  /// The plan has no place for it: it uses nothing until it wakes.
  mutating func refused(_ reminder: ReminderID) { isUsed[reminder.index] = false }

  /// A fact takes a value: it may be the one that says whether a reminder has its place.
  mutating func took(_ fact: FactID, _ value: FactValue) {
    guard value == .truth(true), let reminder = room?.facts.firstIndex(of: fact) else { return }
    isUsed[reminder] = true
  }

  /// The app came to the front, or was started.
  mutating func visited() { prompts = 0 }

  /// There was a prompt with the app in front.
  ///
  /// - Returns: Whether it is not the first one of the visit.
  mutating func prompted() -> Bool {
    prompts += 1
    return prompts > 1
  }

  /// A new install has the reminders of the start.
  mutating func beginAnew() {
    isUsed = book.isUsedFromStart
    declarations = Array(isUsed.indices)
  }
}
