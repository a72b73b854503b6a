import TriggerModel

/// What became of the occurrences of each schedule that were handed over beforehand, and which schedules have any that
/// are pending: mostly few, as the system keeps few.
struct HandedOverTable: Sendable {
  private var table = ReminderTable<HandedOver>()
  private var holders = ReminderTable<Void>()

  /// In no particular order.
  var keys: some Sequence<ReminderID> { table.keys }

  /// What is pending of each schedule that has any, in no particular order of the schedules.
  var pending: some Sequence<[HandedOver.Entry]> { holders.keys.lazy.map { table[$0]?.pending ?? [] } }

  subscript(reminder: ReminderID) -> HandedOver? {
    get { table[reminder] }
    set {
      table[reminder] = newValue
      note(reminder, isHolder: newValue.map { !$0.pending.isEmpty } ?? false)
    }
  }

  /// Changes what is written down of a reminder in place, if anything is.
  @discardableResult
  mutating func change<Result>(_ reminder: ReminderID, _ body: (inout HandedOver) -> Result) -> Result? {
    var isHolder = false
    let result = table.change(reminder) { handedOver in
      defer { isHolder = !handedOver.pending.isEmpty }
      return body(&handedOver)
    }
    note(reminder, isHolder: isHolder)
    return result
  }

  private mutating func note(_ reminder: ReminderID, isHolder: Bool) {
    if (holders[reminder] != nil) == isHolder { return }
    holders[reminder] = isHolder ? () : nil
  }
}
