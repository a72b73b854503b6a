/// An event that the operating system reports to the app, or that the person causes in the app.
///
/// An event is a value of fixed size. It contains the kind, a subject, a value, and the readings of the
/// phone's clocks. Engines have no other source of information.
public struct ObservedEvent: Hashable, Sendable, BitwiseCopyable {
  /// The kind of an event, which determines the meaning of `subject` and `value`.
  public enum Kind: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
    /// The phone was unlocked, or the app observed a sign of an unlock.
    case unlock
    /// The screen was locked.
    case lock
    /// The phone was connected to a charger. The event is not repeated when the battery is full.
    case chargingStarted
    /// The phone was disconnected from the charger.
    case chargingStopped
    /// The battery level changed. `value` is the reported level in per cent.
    case batteryLevel
    /// Another app came to the foreground. `subject` is its ``AppID``.
    case appOpened
    /// The app under test came to the foreground, which ends a lapse.
    case opened
    /// The app under test left the foreground.
    case backgrounded
    /// The phone entered a region. `subject` is its ``RegionID``.
    case regionEntered
    /// The phone left a region. `subject` is its ``RegionID``.
    case regionExited
    /// The system does not monitor a region, because of its limit, the radius or the permission. `subject` is
    /// the region's ``RegionID``.
    case regionFailed
    /// A fact changed. `subject` is a ``FactID``, and `value` contains the bits of the new ``FactValue``.
    case factChanged
    /// The phone's zone changed. ``ObservedEvent/moment`` contains the new zone.
    case zoneChanged
    /// The wall clock was set.
    case clockChanged
    /// The permission changed. `value` is the raw value of the new ``NotificationPermission``.
    case permissionChanged
    /// A process was started. `value` is 1 if the store is unreadable because the phone has not been unlocked
    /// since it booted.
    case launched
    /// The store became readable, at the first unlock after a boot.
    case storeAvailable
    /// The app was deleted and installed again. Its stored state is lost. Facts are kept, because they belong
    /// to the account and the system.
    case reinstalled
    /// The app was woken at the engine's request. `subject` is a ``ReminderID``.
    case woken
    /// The operating system rejected a request. `subject` and `value` are its ``RequestID``.
    case addFailed
    /// The system dropped a pending request. `subject` and `value` are its ``RequestID``.
    case pendingDropped
    /// The app observed that a notification was delivered ``ObservedEvent/age`` ago. `subject` and `value`
    /// are its ``RequestID``.
    case delivered
    /// The person tapped a notification. `subject` and `value` are its ``RequestID``.
    case tapped
    /// The person dismissed a notification. `subject` and `value` are its ``RequestID``.
    case dismissed
    /// The person snoozed reminder `subject` in the app, until the wall-clock instant `value`. If the person
    /// chose a length of time, ``ObservedEvent/age`` is that length, and setting the clock moves the end.
    case snooze
    /// The person cancelled reminder `subject` in the app.
    case cancel
    /// The person edited reminder `subject` in the app. Declaration `value` of the program's edits replaces
    /// its previous declaration.
    case edit
    /// The person cancelled all pending notifications in the app. Reminders are kept, and schedules continue
    /// after the cancelled occurrences.
    case cancelAll
    /// The app found the value of a fact when it started. `subject` is a ``FactID``, and `value` contains the
    /// bits of its ``FactValue``. This event triggers no reminder.
    case factFound
    /// The person changed a preference in the app's settings. See ``PreferenceChange``.
    case preferencesChanged
    /// The app received its position, because it came to the foreground, observed a region, or left its
    /// ``Surroundings``. `value` is a ``Position``. This event triggers no reminder.
    case located
    /// The person created reminder `subject` in the app. The reminder did not exist or was cancelled. It
    /// starts in its declared state.
    case create
    /// The app observed that another device of the same person showed a notification ``ObservedEvent/age``
    /// ago. `subject` is its ``TypeID``, and `value` is the raw value of its ``Bucket``. This event occurs
    /// only if caps count per person.
    case deliveredElsewhere
    /// The person chose an action on a notification without opening the app. `subject` and `value` are its
    /// ``RequestID``. The app performs the action.
    case acted

    /// The name in files and reports.
    public var name: String { String(describing: self) }
  }

  /// The `value` of an event that reports a state instead of a change. Such an event triggers no reminder.
  ///
  /// The kind is `chargingStarted`, `chargingStopped`, `regionEntered`, `regionExited` or `opened`. The state
  /// is that the phone is on or off the charger, or inside or outside the region. For `opened`, it is that
  /// the app was opened before its store became readable.
  public static let reportedState: Int64 = 1

  /// A bit in the `value` of a `delivered` event. It is set if the app was in the foreground and did not
  /// present the notification.
  public static let unpresented: Int64 = 1 << 32

  /// The `value` of a `regionEntered` event that the system reports without a crossing. The phone is already
  /// in the region when the app registers it, or when its position becomes known.
  ///
  /// An app recognizes this report because it follows the registration. If the app knows that the phone is
  /// inside, the report is not an arrival, except for reminders that were created or edited there.
  public static let initialEnter: Int64 = 2

  /// The kind of event.
  public var kind: Kind
  /// The number of the app, region, fact, type or reminder, or 0 if events of this kind have no subject.
  public var subject: UInt32
  /// The value, or 0 if events of this kind have no value.
  public var value: Int64
  /// The readings of the phone's clocks when the app observed the event.
  public var moment: Moment
  /// The time between a change or a delivery and its observation, not negative.
  ///
  /// For a fact, this is how long the fact has had the value. For a delivery on any device, it is the time
  /// since the delivery. For a snooze, it is the length if the person chose one, or 0 if the person chose the
  /// end.
  public var age: TimeSpan

  /// Creates an event. Omit `subject` and `value` if events of this kind have none.
  @inlinable
  public init(
    _ kind: Kind, subject: UInt32 = 0, value: Int64 = 0, at moment: Moment, age: TimeSpan = .zero
  ) {
    self.kind = kind
    self.subject = subject
    self.value = value
    self.moment = moment
    self.age = age
  }

  /// Creates an event that reports the app's position.
  @inlinable
  public init(locatedAt position: Position, at moment: Moment) {
    self.init(.located, value: position.bits, at: moment)
  }

  /// Creates an event that reports a notification on another device.
  @inlinable
  public init(deliveredElsewhere type: TypeID, _ bucket: Bucket, at moment: Moment, age: TimeSpan) {
    self.init(
      .deliveredElsewhere, subject: type.rawValue, value: Int64(bucket.rawValue), at: moment, age: age)
  }

  /// The bucket of a ``Kind/deliveredElsewhere`` event, or `nil` if ``value`` is not a bucket.
  @inlinable
  public var bucket: Bucket? { UInt8(exactly: value).flatMap { Bucket(rawValue: $0) } }

  /// Whether the event is a snooze for a length of time.
  @inlinable
  public var isSnoozeForLength: Bool { kind == .snooze && age > .zero }

  /// Returns the event as observed at a later moment. If the clock was set in between, moves the end of a
  /// snooze for a length of time.
  package func observed(at now: Moment) -> ObservedEvent {
    var event = self
    event.moment = now
    if isSnoozeForLength {
      event.value += (now.wall - now.elapsed(since: moment) - moment.wall).milliseconds
    }
    return event
  }

  /// Whether the event is an initial enter. See ``initialEnter``.
  @inlinable
  public var isInitialEnter: Bool { kind == .regionEntered && value == Self.initialEnter }

  /// The position of a ``Kind/located`` event.
  public var position: Position { Position(bits: value) }

  /// Whether the event reports a delivery that the app did not present because it was in the foreground.
  @inlinable
  public var isUnpresented: Bool { kind == .delivered && value & Self.unpresented != 0 }

  /// The request that ``subject`` and ``value`` identify. Valid only for kinds of events that refer to a
  /// request.
  @inlinable
  public var request: RequestID {
    RequestID(reminder: ReminderID(subject), occurrence: UInt32(truncatingIfNeeded: value))
  }
}

/// The person's permission for an app to show notifications.
public enum NotificationPermission: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
  /// The person has not been asked, has denied the permission, or has granted it.
  case notDetermined, denied, authorized
  /// Notifications are allowed, but are delivered quietly and only in the list.
  case provisional
  /// Notifications are allowed for a limited time, as for App Clips.
  case ephemeral

  /// Whether the system accepts and shows requests.
  @inlinable
  public var allowsDelivery: Bool {
    switch self {
    case .authorized, .provisional, .ephemeral: true
    case .notDetermined, .denied: false
    }
  }
}
