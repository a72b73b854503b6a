package import CivilTime
package import ReminderMatching
package import ScenarioModel
package import TriggerModel

/// A reminder as the app knows it at a moment: what a list needs to show it.
package struct ListedReminder: Hashable, Sendable {
  package var id: ReminderID
  /// The one that is in force: an edit puts another in its place.
  package var declaration: ReminderDeclaration
  /// From which it counts.
  package var start: DayOfFact?
  /// It was put off until then, on the wall clock.
  package var snoozedUntil: Instant?
  /// It has appeared since it was made or edited.
  package var hasFired = false
  /// The date on which it was done last.
  package var doneOn: CivilDate?
  /// The value of the attribute by which the list is parted.
  package var part: String?

  package init(_ id: ReminderID, _ declaration: ReminderDeclaration) {
    self.id = id
    self.declaration = declaration
  }
}

extension ListedReminder {
  /// Its entries seen from a day: one that is overdue at most, and those to come.
  ///
  /// One that is put off stands at the date until which it is, in place of what comes before then. One of the past
  /// stays overdue where nothing follows it by itself: a single date, or days counted from when it was done last.
  package func entries(at now: Instant, in zone: Zone, weekStart: Weekday) -> [ViewEntry] {
    guard let due = DueDates(declaration, countedFrom: start, in: zone, weekStart: weekStart),
      now < declaration.expires
    else { return [] }
    // What fires once, and has fired, does not come again; a single date stays until it is done.
    if declaration.repeats == .once, hasFired, !due.waitsWhenPast { return [] }
    let today = zone.local(at: now).date
    var times = due.dates(from: today, in: zone)
    if let past = due.overdue(before: today, in: zone) { times.insert(past, at: 0) }
    var putOff: LocalTime?
    if let snoozedUntil {
      let until = zone.local(at: snoozedUntil)
      let count = times.count
      times.removeAll { $0 <= until }
      // Where nothing is due until then, nothing is put off.
      let isPutOff = due.waitsWhenPast ? times.count < count : until.date >= today
      if isPutOff {
        putOff = until
        times.insert(until, at: 0)
      }
    }
    times.removeAll { zone.instant(of: $0) >= declaration.expires }
    return times.map { time in
      ViewEntry(
        reminder: id, name: declaration.id, time: time,
        group: ViewGroup(of: time.date, seenFrom: today, weekStart: weekStart), isPutOff: time == putOff,
        part: part)
    }
  }
}

/// One line of a list.
package struct ViewEntry: Hashable, Sendable {
  package var reminder: ReminderID
  package var name: String
  /// When it is due, on the wall.
  package var time: LocalTime
  package var group: ViewGroup
  package var isPutOff: Bool
  package var part: String?
}

/// What one list of the app shows at a moment.
package struct ShownView: Hashable, Sendable {
  /// Which list is asked for, and when.
  package struct Question: Hashable, Sendable {
    package var view: AppView
    package var parts: String?
    package var time: LocalTime
  }

  package var question: Question
  /// In the order of time, and at one time of the names.
  package var entries: [ViewEntry]
  /// Done today.
  package var done: [String]

  /// What was to be done today: what is done, and what is left.
  package var total: Int { done.count + entries.count { $0.group <= .today } }

  /// - Parameter reminders: Those that exist then.
  package init(
    _ question: Question, of reminders: [ListedReminder], at now: Instant, in zone: Zone, weekStart: Weekday
  ) {
    self.question = question
    let today = zone.local(at: now).date
    let all = reminders.flatMap { $0.entries(at: now, in: zone, weekStart: weekStart) }
      .sorted { ($0.time, $0.name) < ($1.time, $1.name) }
    entries = question.view == .today ? all.filter { $0.group <= .today } : all
    done = reminders.filter { $0.doneOn == today }.map(\.declaration.id).sorted()
  }
}

extension ViewClaim {
  /// What it asks for; nil where it has no date or no time.
  package var question: ShownView.Question? {
    guard let date = occasion.date, let time = occasion.time else { return nil }
    return ShownView.Question(
      view: view, parts: parts, time: LocalTime(date: date, millisecondOfDay: time.from))
  }
}
