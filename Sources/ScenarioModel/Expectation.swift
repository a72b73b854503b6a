package import CivilTime
package import ReminderMatching
package import TextFormats
package import TriggerModel

/// A statement about a run that must be true.
package struct Expectation: Hashable, Sendable {
  package var claim: Claim
  /// The statement in the words of the file. A statement in long form is converted to its short form.
  package var text: String
  package var position: SourcePosition

  package init(claim: Claim, text: String, position: SourcePosition) {
    self.claim = claim
    self.text = text
    self.position = position
  }

  package enum Claim: Hashable, Sendable {
    /// The reminder exposes this number of notifications on the occasion. Fires outside the occasion are
    /// ignored. ``Occasion/always`` covers the whole run.
    case fires(ReminderID, Count, Occasion)
    /// The reminder exposes this number of notifications with this title on the occasion.
    case shows(ReminderID, title: String, Count, Occasion)
    /// On the occasion, this number of the reminder's requests or matches end in this way.
    case ends(ReminderID, Ending, Count, Occasion)
    /// A metric of the run, or of one reminder, meets a bound.
    case metric(Metric, of: ReminderID?, FactCondition.Comparison, millionths: Int64)
    /// The gate has this verdict. A gate with an expected verdict does not fail the run, even if the verdict
    /// is `kill`.
    case gate(String, GateVerdict)
    /// No other reminders fire.
    case only([ReminderID])
    /// Each of these fires occurs once, and no other fires occur.
    case exact([ExactFire])
    /// An event of the app under test occurs this number of times.
    case app(AppClaim)
    /// A list of the app under test has these contents at one moment.
    case view(ListExpectation)
  }
}

/// A claim about the number of app events of one kind.
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
  /// A condition on a number of events.
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

  /// The way in which a match or request ends without a visible notification. A reason of `nil` matches any
  /// reason.
  package enum Ending: Hashable, Sendable {
    case denied(Reason?)
    /// The request was deferred. If a time of day is stated, it was deferred until that time, in milliseconds
    /// after local midnight.
    case deferred(Reason?, until: Int32?)
    /// The engine made no request for the match.
    case notRequested(Reason)
    /// The request was lost after admission: on the platform, at presentation or at routing.
    case lost(Reason)
    /// A notification was exposed on a second device for the same occasion. A cause of `nil` matches any
    /// cause.
    case doubled(SyncCause?)
  }

  /// One fire in an `exact:` list.
  package struct ExactFire: Hashable, Sendable {
    package var reminder: ReminderID
    package var occasion: Occasion

    package init(reminder: ReminderID, occasion: Occasion) {
      self.reminder = reminder
      self.occasion = occasion
    }
  }
}

/// The time and the device to which an expectation refers. The time is local, in the phone's zone at that
/// moment.
///
/// Windows are half-open: `between 17:41 and 17:45` includes 17:41:00.000 and excludes 17:45. `at 17:42`
/// covers that whole minute, and `at 17:42:30` covers that second.
package struct Occasion: Hashable, Sendable {
  /// The range in milliseconds after midnight, or `nil` for any time. If the upper bound is not after the
  /// lower bound, it is on the next day.
  package var time: Range?
  /// The date on which the window opens, or `nil` for any date.
  package var date: CivilDate?
  /// The name of the person's device, or `nil` for any device.
  package var device: String?
  /// The required offset from UTC, or `nil` for any offset. It distinguishes the two passes of a repeated
  /// hour.
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

  /// Returns whether the occasion contains a local time, regardless of the offset from UTC.
  package func contains(_ local: LocalTime) -> Bool {
    guard let time else { return date == nil || local.date == date }
    let now = local.millisecondOfDay
    if time.from < time.to {
      return now >= time.from && now < time.to && (date == nil || local.date == date)
    }
    // The window wraps around midnight. A time after midnight belongs to the window of the previous day.
    if now >= time.from { return date == nil || local.date == date }
    return now < time.to && (date == nil || local.date + -1 == date)
  }
}

/// A figure that an expectation can bound. Ratios and counts are in millionths.
package enum Metric: String, Hashable, Sendable, CaseIterable {
  // Counts.
  /// Notifications that were exposed as a banner, or only in the list.
  case fires
  case requests, admitted, denied, deferred, failed, delivered, exposed, tapped, dismissed, acted, routed
  /// The number of snoozes by the person.
  case snoozed
  /// Notifications that one device exposed although another device of the person exposed one for the same
  /// occasion.
  case doubled
  /// Notifications delivered beyond a daily or weekly cap, counted on all devices of the person.
  case beyondCaps
  // Ratios.
  /// Admitted ÷ requests.
  case fireRate
  /// Delivered ÷ due. A request is *due* if an app that observes every event immediately would make it. It is
  /// *delivered* if the system showed or listed it, however late.
  case deliveryRate
  /// Requests admitted for a time within the run ÷ days of the run. Requests for a later time are not
  /// counted. Each day begins at the time of day at which the run begins, not at midnight.
  case admittedPerDay
  /// Fires (exposed notifications) ÷ days of the run. It is at most ``admittedPerDay``, because the platform
  /// may lose or hold requests.
  case firesPerDay
  /// Tapped ÷ exposed, for reminders with declared responses.
  case tapThrough
  /// Tapped, dismissed or acted on ÷ exposed, for reminders with declared responses.
  case acknowledgement
  /// Routed ÷ tapped. Counts only taps whose routing is modelled.
  case routingSuccess
  /// Persons who granted the permission at the system's prompt ÷ persons who skipped the priming or saw the
  /// prompt. Both counts include only persons who saw a priming view. In a single run, each count is at most
  /// one.
  case optIn
  /// Months in which the person disabled notifications ÷ months that began with the system's permission.
  ///
  /// The person may disable all notifications or a single type, in the app or in the system. A month has 30
  /// local days, counted from the first day on which the app is allowed to notify. An incomplete month at the
  /// end of the run is not counted.
  case disableRate

  package var name: String { rawValue }

  /// Whether the metric is a quotient.
  package var isRatio: Bool { isShare || self == .admittedPerDay || self == .firesPerDay }

  /// Whether the metric is a share of a whole, between 0 and 100 %.
  package var isShare: Bool {
    switch self {
    case .fireRate, .deliveryRate, .tapThrough, .acknowledgement, .routingSuccess, .optIn, .disableRate: true
    case .fires, .requests, .admitted, .denied, .deferred, .failed, .delivered, .exposed, .tapped,
      .dismissed, .acted, .routed, .snoozed, .doubled, .beyondCaps, .admittedPerDay, .firesPerDay:
      false
    }
  }

  /// Whether the metric concerns the person rather than a reminder.
  package var isOfPerson: Bool { self == .optIn || self == .disableRate }
}

extension Expectation.Claim {
  /// Whether the expectation is about notifications that two devices expose for the same occasion.
  package var isAboutDuplicates: Bool {
    switch self {
    case .ends(_, .doubled, _, _), .metric(.doubled, _, _, _): true
    default: false
    }
  }
}

/// A list in the app under test. It is derived from the reminders' declarations and changes, without an
/// engine.
package enum AppView: String, Hashable, Sendable, CaseIterable {
  /// All overdue and future reminders in chronological order, grouped by due date.
  case upcoming
  /// The reminders that are overdue or due today, and the number of today's reminders that are done.
  case today
}

/// The group in which a list shows a due date, relative to a day.
package enum ViewGroup: Int, Hashable, Sendable, CaseIterable, Comparable {
  /// The due date has passed, and the reminder is not done.
  case overdue
  /// The due date is the given day, at any time.
  case today
  /// The due date is later in the same calendar week.
  case thisWeek
  /// The due date is in the same month, but in a later week.
  case thisMonth
  case later

  /// The name in files and reports, such as `this week`.
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

/// A claim about the contents of a list: `upcoming on day 3 at 08:00 shows anna today, bob this week`.
package struct ListExpectation: Hashable, Sendable {
  package enum Statement: Hashable, Sendable {
    /// The reminder is in the group, or in any group if the group is `nil`. If a part is given, the reminder
    /// is in that part of the list.
    case shows(ReminderID, ViewGroup?, part: String?)
    /// The reminder is not in the list.
    case hides(ReminderID)
    /// The group contains this number of entries, or all groups together if the group is `nil`.
    case count(Int, ViewGroup?)
    /// This number of today's reminders are done, out of this total.
    case done(Int, of: Int)
    /// No reminder is overdue, and none is still due today.
    case allCaughtUp
  }

  package var view: AppView
  /// The attribute of items by which the list is grouped, such as their room, or `nil` if the list is not
  /// grouped.
  package var parts: String?
  package var statements: [Statement]
  /// A date with a minute or a second. The claim refers to the list at the beginning of that minute or
  /// second.
  package var occasion: Occasion

  package init(view: AppView, parts: String?, statements: [Statement], occasion: Occasion) {
    self.view = view
    self.parts = parts
    self.statements = statements
    self.occasion = occasion
  }
}
