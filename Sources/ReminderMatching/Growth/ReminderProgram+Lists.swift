package import TriggerModel

/// Which reminders a program lists by what they ask for, and what becomes of what nobody asks for any more.
extension ReminderProgram {
  /// Enters a reminder in the lists in which a declaration of it stands.
  func list(_ number: UInt32) {
    let plan = plans[Int(number)]
    let reminder = plan.reminder
    if plan.schedule != nil { scheduled.insertSorted(reminder) }
    if plan.lapse != nil { lapsing.insertSorted(reminder) }
    if plan.repetition != nil { repeating.insertSorted(reminder) }
    if plan.isMadeLater { madeLater.insertSorted(reminder) } else { madeLater.removeSorted(reminder) }
    mostPending += plan.mostPending
    for fact in plan.withdrawingFacts { withdrawing[fact.index].insertSorted(reminder) }
    if let fact = plan.countsFrom { countingFrom[fact.index].insertSorted(reminder) }
    for fact in plan.foreseenFacts { foreseeing[fact.index].insertSorted(reminder) }
    if plan.foreseesState { foreseeingState.insertSorted(reminder) }
    for region in Set(declarations[Int(number)].regions.compactMap { names.region($0) }).sorted() {
      regions.insertSorted(region)
      places.insert(number, region, names) { storeNames.ranks[plans[Int($0)].reminder.index] }
      regionUses[region.index] += 1
    }
  }

  /// Nothing can bring a declaration into force any more. Its reminder stays in the lists, in which it may stand for
  /// nothing, until what was replaced is left out.
  func retire(_ number: UInt32) {
    let plan = plans[Int(number)]
    replaced.insert(number)
    replacedSince += 1
    mostPending -= plan.mostPending
    for name in Set(declarations[Int(number)].regions) {
      guard let region = names.region(name) else { continue }
      regionUses[region.index] -= 1
      if regionUses[region.index] == 0 { regions.removeSorted(region) }
      places.remove(number, region)
    }
    plans[Int(number)] = plan.emptied
    declarations[Int(number)] = declarations[Int(number)].emptied
    for place in places(of: number) { template.setNotWaiting(place, tables) }
  }

  /// Whether reminders may stand in the lists that ask for nothing there any more.
  package var hasReplaced: Bool { !replaced.isEmpty }

  /// Whether a reminder was removed.
  package func isRemoved(_ reminder: ReminderID) -> Bool {
    replaced.contains(ownDeclarations[reminder.index])
  }
}

extension ReminderDeclaration {
  /// Its name is known as long as requests may name it.
  fileprivate var emptied: ReminderDeclaration {
    ReminderDeclaration(
      id: id, triggers: [], isMadeLater: true,
      notification: NotificationDeclaration(type: notification.type, bucket: notification.bucket))
  }
}

extension MatcherState {
  fileprivate func setNotWaiting(_ place: EntryPlace, _ tables: MatchTables) {
    let bucket = tables.buckets[Int(place.bucket)]
    for row in [StateRow.live, .armed] {
      words[bucket.state(row) + Int(place.entry) / 64] &= ~(1 << UInt64(place.entry % 64))
    }
  }
}
