package import CivilTime
package import ReminderMatching
package import TextFormats
package import TriggerModel

/// A statement about a run that must be true.
package struct Expectation: Hashable, Sendable {
  package var claim: Claim
  /// The statement in the file's words. A long form is restated in the words of the short form.
  package var text: String
  package var position: SourcePosition

  package init(claim: Claim, text: String, position: SourcePosition) {
    self.claim = claim
    self.text = text
    self.position = position
  }

  package enum Claim: Hashable, Sendable {
    /// This number of notifications of the reminder are exposed during the occasion. Fires at other times do
    /// not count. Without an occasion, the statement is about the whole run.
    case fires(ReminderID, Count, Occasion)
    /// This number of notifications of the reminder are exposed with that title during the occasion.
    case shows(ReminderID, title: String, Count, Occasion)
    /// This number of its requests or matches have that ending during the occasion.
    case ends(ReminderID, Ending, Count, Occasion)
    /// A figure of the run, or of one reminder, meets a bound.
    case metric(Metric, of: ReminderID?, FactCondition.Comparison, millionths: Int64)
    /// The gate has that verdict. An expected verdict fails no run, not even `kill`.
    case gate(String, GateVerdict)
    /// Only these reminders fire.
    case only([ReminderID])
    /// These fires occur once each, and no others.
    case exact([ExactFire])
    /// The app under test shows, asks or reaches something.
    case app(AppClaim)
    /// A list of the app under test has these contents at a moment.
    case view(ViewClaim)
  }
}

/// The number of app events of one kind.
package struct AppClaim: Hashable, Sendable {
  package var event: AppEvent
  /// The event in words: "surface insights is shown".
  package var words: String
  package var count: Expectation.Count
  package var occasion: Occasion

  package init(event: AppEvent, words: String, count: Expectation.Count, occasion: Occasion) {
    self.event = event
    self.words = words
    self.count = count
    self.occasion = occasion
  }
}

extension Expectation {
  /// A bound on a number of cases.
  package enum Count: Hashable, Sendable {
    case atLeast(Int)
    case exactly(Int)
    case atMost(Int)

    package func contains(_ number: Int) -> Bool {
      switch self {
      case .atLeast(let bound): number >= bound
      case .exactly(let bound): number == bound
      case .atMost(let bound): number <= bound
      }
    }
  }

  /// The ending of a match or a request that becomes no notification. A reason of `nil` matches any reason.
  package enum Ending: Hashable, Sendable {
    case denied(Reason?)
    /// Deferred. With a time of day, until that time (milliseconds after local midnight).
    case deferred(Reason?, until: Int32?)
    /// The engine made no request for a match.
    case notRequested(Reason)
    /// Lost on the platform or later.
    case lost(Reason)
    /// Exposed on a second device for the same occasion. A cause of `nil` matches any cause.
    case doubled(SyncCause?)
  }

  /// One fire of an `exact:` list.
  package struct ExactFire: Hashable, Sendable {
    package var reminder: ReminderID
    package var occasion: Occasion

    package init(reminder: ReminderID, occasion: Occasion) {
      self.reminder = reminder
      self.occasion = occasion
    }
  }
}

/// The time and the device of an expectation. The time is local time in the phone's zone at that moment.
///
/// It is half-open like every window: `between 17:41 and 17:45` includes 17:41:00.000 and excludes 17:45. `at
/// 17:42` is that whole minute, and `at 17:42:30` that second.
package struct Occasion: Hashable, Sendable {
  /// Milliseconds after midnight, or `nil` for any time. An upper bound that does not exceed the lower one is
  /// on the next day.
  package var time: Range?
  /// The date on which the window opens, or `nil` for any date.
  package var date: CivilDate?
  /// The name of the person's device, or `nil` for any device.
  package var device: String?
  /// The required offset from UTC, which distinguishes the two passes of a fold, or `nil` for any offset.
  package var offset: TimeSpan?

  package struct Range: Hashable, Sendable {
    package var from: Int32
    package var to: Int32

    package init(from: Int32, to: Int32) {
      self.from = from
      self.to = to
    }
  }

  /// Any time.
  package static let always = Occasion(time: nil, date: nil)

  package init(time: Range?, date: CivilDate?, offset: TimeSpan? = nil, device: String? = nil) {
    self.time = time
    self.date = date
    self.offset = offset
    self.device = device
  }

  /// Returns whether the occasion contains an instant in a zone.
  package func contains(_ instant: Instant, in zone: Zone) -> Bool {
    contains(zone.local(at: instant)) && (offset == nil || zone.offset(at: instant) == offset)
  }

  /// Returns whether the occasion contains a local time, whatever the offset is.
  package func contains(_ local: LocalTime) -> Bool {
    guard let time else { return date == nil || local.date == date }
    let now = local.millisecondOfDay
    if time.from < time.to {
      return now >= time.from && now < time.to && (date == nil || local.date == date)
    }
    // The window wraps: after midnight, it still belongs to the previous day.
    if now >= time.from { return date == nil || local.date == date }
    return now < time.to && (date == nil || local.date + -1 == date)
  }
}

/// A figure that an expectation can bound. Ratios and counts are in millionths.
package enum Metric: String, Hashable, Sendable, CaseIterable {
  // Counts.
  /// Exposed notifications: as a banner, or in the list only.
  case fires
  case requests, admitted, denied, deferred, failed, delivered, exposed, tapped, dismissed, acted, routed
  /// The number of snoozes by the person.
  case snoozed
  /// Notifications that were exposed for an occasion for which another device of the person also exposed one.
  case doubled
  /// Notifications that were delivered beyond a daily or weekly cap, counted over all devices of the person.
  case beyondCaps
  // Ratios.
  /// Admitted ÷ requests.
  case fireRate
  /// Delivered ÷ due. *Due* is what should have been requested if the app had immediately observed
  /// everything. *Delivered* is what the system then showed or listed, however late.
  case deliveryRate
  /// Admitted for a time within the run ÷ days of the run: what the scheduler admitted to the system.
  /// Requests for a time after the run do not count. Days begin at the time of day at which the run begins,
  /// not at midnight.
  case admittedPerDay
  /// Fires (exposed notifications) ÷ days of the run: what reached the person. It never exceeds
  /// ``admittedPerDay``, and is less by what the platform lost or held.
  case firesPerDay
  /// Tapped ÷ exposed, of the reminders whose responses the scenario declares.
  case tapThrough
  /// Tapped, dismissed or acted on ÷ exposed, of the same reminders.
  case acknowledgement
  /// Routed ÷ tapped, of the taps whose routing is modelled.
  case routingSuccess
  /// Persons who gave the permission at the system's prompt after the app had primed them ÷ persons whom it
  /// primed and who skipped the priming or saw the prompt. In one run, each is at most one.
  case optIn
  /// Months in which the person disabled notifications (all or of one type, in the app or in the system) ÷
  /// months that began with the system's permission. A month has 30 local days, counted from the first day on
  /// which the app may notify. A month that the run cuts short does not count.
  case disableRate

  package var name: String { rawValue }

  /// Whether it is one number divided by another.
  package var isRatio: Bool { isShare || self == .admittedPerDay || self == .firesPerDay }

  /// Whether it is a part of a whole, between 0 and 100 %.
  package var isShare: Bool {
    switch self {
    case .fireRate, .deliveryRate, .tapThrough, .acknowledgement, .routingSuccess, .optIn, .disableRate: true
    case .fires, .requests, .admitted, .denied, .deferred, .failed, .delivered, .exposed, .tapped,
      .dismissed, .acted, .routed, .snoozed, .doubled, .beyondCaps, .admittedPerDay, .firesPerDay:
      false
    }
  }

  /// Whether it is about the person and not about a reminder.
  package var isOfPerson: Bool { self == .optIn || self == .disableRate }
}

extension Expectation.Claim {
  /// Whether it is about notifications that two devices expose for the same occasion.
  package var isOfDoubles: Bool {
    switch self {
    case .ends(_, .doubled, _, _), .metric(.doubled, _, _, _): true
    default: false
    }
  }
}

/// A list that the app under test shows. It is computed from the declarations and the changes of reminders,
/// without an engine.
package enum AppView: String, Hashable, Sendable, CaseIterable {
  /// Everything that is overdue or due later, in order of time, grouped by its due date.
  case upcoming
  /// What is overdue, what is due today, and how much of it is done.
  case today
}

/// The group of a due date, relative to a day.
package enum ViewGroup: Int, Hashable, Sendable, CaseIterable, Comparable {
  /// The date is past, and the reminder is not done.
  case overdue
  /// The date is that day, whatever the time.
  case today
  /// A later date of the same calendar week.
  case thisWeek
  /// A later date of the same month, in another week.
  case thisMonth
  case later

  /// The words in files and reports: `this week`.
  package var words: String {
    switch self {
    case .overdue: "overdue"
    case .today: "today"
    case .thisWeek: "this week"
    case .thisMonth: "this month"
    case .later: "later"
    }
  }

  package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// The contents of a list at a moment: `upcoming on day 3 at 08:00 shows anna today, bob this week`.
package struct ViewClaim: Hashable, Sendable {
  package enum Statement: Hashable, Sendable {
    /// The reminder is in the group, or in any group. With a value, it is in the part of the list with that
    /// value.
    case shows(ReminderID, ViewGroup?, part: String?)
    /// The reminder is not in the list.
    case hides(ReminderID)
    /// The number of entries in the group, or in all groups.
    case count(Int, ViewGroup?)
    /// The number of today's reminders that are done, and the number of all.
    case done(Int, of: Int)
    /// Nothing is overdue, and nothing of today is left.
    case allCaughtUp
  }

  package var view: AppView
  /// The attribute of items by which the list is grouped, such as their room, or `nil` if it is not.
  package var parts: String?
  package var statements: [Statement]
  /// A date, and a minute or a second. The list is that at its beginning.
  package var occasion: Occasion

  package init(view: AppView, parts: String?, statements: [Statement], occasion: Occasion) {
    self.view = view
    self.parts = parts
    self.statements = statements
    self.occasion = occasion
  }
}
