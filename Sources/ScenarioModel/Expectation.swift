package import CivilTime
package import ReminderMatching
package import TextFormats
package import TriggerModel

/// One statement about a run that must come true.
package struct Expectation: Hashable, Sendable {
  package var claim: Claim
  /// The statement in the file's words; for a long form, in the words of the short one.
  package var text: String
  package var position: SourcePosition

  package init(claim: Claim, text: String, position: SourcePosition) {
    self.claim = claim
    self.text = text
    self.position = position
  }

  package enum Claim: Hashable, Sendable {
    /// So many notifications of the reminder appear during the occasion. Fires at other times are of no
    /// concern; `once` without an occasion means once in the whole run.
    case fires(ReminderID, Count, Occasion)
    /// So many notifications of the reminder appear with that title during the occasion.
    case shows(ReminderID, title: String, Count, Occasion)
    /// So many of its requests, or matches, end in this way during the occasion.
    case ends(ReminderID, Ending, Count, Occasion)
    /// A figure of the run, or of one reminder, keeps a bound.
    case metric(Metric, of: ReminderID?, FactCondition.Comparison, millionths: Int64)
    /// The gate of that name comes out so. A verdict that is expected fails no run, even if it is `kill`.
    case gate(String, GateVerdict)
    /// No reminder but these fires.
    case only([ReminderID])
    /// These fires, each once, and no others.
    case exact([ExactFire])
    /// So often the app shows, asks or reaches something.
    case app(AppClaim)
    /// A list of the app shows so much at a moment.
    case view(ViewClaim)
  }
}

/// How often something happens in our app, beside its notifications.
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
  /// How often something must happen.
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

  /// How a match or a request ends that does not become a notification. A reason of nil is any reason.
  package enum Ending: Hashable, Sendable {
    case denied(Reason?)
    /// Held; with a time of day, released then (milliseconds after local midnight).
    case deferred(Reason?, until: Int32?)
    /// A match for which no request was made.
    case notRequested(Reason)
    /// Lost on the platform, or afterwards.
    case lost(Reason)
    /// Not lost, but seen on a second device for the same occasion. A cause of nil is any.
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

/// When something is expected, in the local time that the phone's zone gives at that moment; and on which device.
///
/// Half-open, like every window: `between 17:41 and 17:45` holds at 17:41:00.000 and no longer at
/// 17:45. `at 17:42` is that whole minute, `at 17:42:30` that second.
package struct Occasion: Hashable, Sendable {
  /// Milliseconds after midnight; nil: at any time. An upper bound that is not greater than the lower
  /// one lies on the next day.
  package var time: Range?
  /// The date on which the window opens; nil: on any date.
  package var date: CivilDate?
  /// The person's device on which it is, by name; nil: on any of them.
  package var device: String?
  /// The offset from UTC that must hold then, which tells the two passes of a fold apart; nil: any.
  package var offset: TimeSpan?

  package struct Range: Hashable, Sendable {
    package var from: Int32
    package var to: Int32

    package init(from: Int32, to: Int32) {
      self.from = from
      self.to = to
    }
  }

  /// At any time.
  package static let always = Occasion(time: nil, date: nil)

  package init(time: Range?, date: CivilDate?, offset: TimeSpan? = nil, device: String? = nil) {
    self.time = time
    self.date = date
    self.offset = offset
    self.device = device
  }

  /// Whether an instant lies in it, where the phone is in a zone.
  package func contains(_ instant: Instant, in zone: Zone) -> Bool {
    contains(zone.local(at: instant)) && (offset == nil || zone.offset(at: instant) == offset)
  }

  /// Whether a local time lies in it, whatever the offset is then.
  package func contains(_ local: LocalTime) -> Bool {
    guard let time else { return date == nil || local.date == date }
    let now = local.millisecondOfDay
    if time.from < time.to {
      return now >= time.from && now < time.to && (date == nil || local.date == date)
    }
    // The window wraps: after midnight it is still the window of the day before.
    if now >= time.from { return date == nil || local.date == date }
    return now < time.to && (date == nil || local.date + -1 == date)
  }
}

/// A figure that an expectation can bound. Ratios are in millionths, and so are counts.
package enum Metric: String, Hashable, Sendable, CaseIterable {
  // Counts.
  /// Notifications that were exposed: as a banner, or in the list only.
  case fires
  case requests, admitted, denied, deferred, failed, delivered, exposed, tapped, dismissed, acted, routed
  /// How often the person put it off.
  case snoozed
  /// Notifications that were seen for an occasion for which one was seen on another device of the person.
  case doubled
  /// Notifications that were delivered beyond a cap of a day or a week, counted over all devices of the person.
  case beyondCaps
  // Ratios.
  /// Admitted ÷ requests.
  case fireRate
  /// Delivered ÷ due: of what should have been asked for, had the app known of everything at once, what the system
  /// showed or put into its list, however late.
  case deliveryRate
  /// Admitted for a time within the run ÷ days of the run: what the scheduler let through to the system. What was
  /// handed over for later is not, nor are dates days: the first one ends at the time of day at which the run began.
  case admittedPerDay
  /// Fires, that is notifications that were exposed, ÷ days of the run: what the person met with. It is
  /// less than ``admittedPerDay`` by what the platform lost or held, and more by nothing.
  case firesPerDay
  /// Tapped ÷ exposed, of the reminders of which the scenario says how the person responds.
  case tapThrough
  /// Tapped, dismissed or acted on ÷ exposed, of the same reminders.
  case acknowledgement
  /// Routed ÷ tapped, of the taps whose way is modelled.
  case routingSuccess
  /// Persons who gave the permission at the system's prompt after the app had primed them for it ÷ persons
  /// whom it primed, and who put that off or met the prompt: in a run one or none, however often.
  case optIn
  /// Months of 30 local days, from the first day on which the app may notify, in which the person switched
  /// off the notifications, all or of a type, in the app or in the system ÷ those that began with the system's
  /// permission. A month that the run cuts short does not count.
  case disableRate

  package var name: String { rawValue }

  /// Whether it is one number divided by another.
  package var isRatio: Bool { isShare || self == .admittedPerDay || self == .firesPerDay }

  /// Whether it is a part of a whole: between 0 and 100 %.
  package var isShare: Bool {
    switch self {
    case .fireRate, .deliveryRate, .tapThrough, .acknowledgement, .routingSuccess, .optIn, .disableRate: true
    case .fires, .requests, .admitted, .denied, .deferred, .failed, .delivered, .exposed, .tapped,
      .dismissed, .acted, .routed, .snoozed, .doubled, .beyondCaps, .admittedPerDay, .firesPerDay:
      false
    }
  }

  /// Whether it belongs to the person as a whole, and not to a reminder.
  package var isOfPerson: Bool { self == .optIn || self == .disableRate }
}

extension Expectation.Claim {
  /// It is about what is seen on two devices for the same occasion.
  package var isOfDoubles: Bool {
    switch self {
    case .ends(_, .doubled, _, _), .metric(.doubled, _, _, _): true
    default: false
    }
  }
}
