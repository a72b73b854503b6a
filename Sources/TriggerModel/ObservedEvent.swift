/// An event that the operating system reports to the app, or that the person causes in the app.
///
/// A fixed-size value with the kind, its subject and value, and the phone's clocks. Engines have no other
/// source of information.
public struct ObservedEvent: Hashable, Sendable, BitwiseCopyable {
  /// The kind of an event, which determines the meaning of `subject` and `value`.
  public enum Kind: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
    /// The phone was unlocked, or the app observed a sign of an unlock.
    case unlock
    /// The screen was locked.
    case lock
    /// The phone was connected to a charger. A full battery on a charger does not cause this event again.
    case chargingStarted
    /// The phone was disconnected from the charger.
    case chargingStopped
    /// The battery level changed. `value` is the reported level in per cent.
    case batteryLevel
    /// Another app came to the foreground. `subject` is its ``AppID``.
    case appOpened
    /// The app under test came to the foreground. Ends a lapse.
    case opened
    /// The app under test left the foreground.
    case backgrounded
    /// The phone entered a region. `subject` is its ``RegionID``.
    case regionEntered
    /// The phone left a region. `subject` is its ``RegionID``.
    case regionExited
    /// The system will not monitor a region (limit, radius, permission). `subject` is its ``RegionID``.
    case regionFailed
    /// A fact changed. `subject` is a ``FactID``, `value` has the bits of the new ``FactValue``.
    case factChanged
    /// The phone's zone changed. ``ObservedEvent/moment`` has the new zone.
    case zoneChanged
    /// The wall clock was set.
    case clockChanged
    /// The permission changed. `value` is the raw value of the new ``NotificationPermission``.
    case permissionChanged
    /// The process was started. `value` is 1 if the store cannot be read yet (before the first unlock).
    case launched
    /// The store became readable (first unlock after a boot).
    case storeAvailable
    /// The app was deleted and installed again. Its stored state is lost. Facts are kept, because they belong
    /// to the account and the system.
    case reinstalled
    /// The app was woken at the engine's request. `subject` is a ``ReminderID``.
    case woken
    /// The operating system refused a request. `subject` and `value` are its ``RequestID``.
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
    /// In the app: the person snoozed reminder `subject` until the wall-clock instant `value`.
    case snooze
    /// In the app: the person cancelled reminder `subject`.
    case cancel
    /// In the app: declaration `value` of the program's edits replaced reminder `subject`.
    case edit
    /// In the app: all pending notifications were cancelled. Reminders are kept, and schedules continue with
    /// the occurrences after the pending ones.
    case cancelAll
    /// The app knew the value of a fact before it started. `subject` is a ``FactID``, `value` has the bits of
    /// its ``FactValue``. This event triggers no reminder.
    case factFound
    /// In the app's settings: the person changed a preference; see ``PreferenceChange``.
    case preferencesChanged
    /// The app learned its position: it came to the foreground, observed a region, or left its
    /// ``Surroundings``. `value` is a ``Position``. This event triggers no reminder.
    case located
    /// In the app: the person created reminder `subject`, which did not exist or was cancelled. The reminder
    /// starts in its declared state.
    case create
    /// The app observed a notification to the same person on another device, delivered ``ObservedEvent/age``
    /// ago. `subject` is its ``TypeID``, `value` the raw value of its ``Bucket``. Reported if caps count per
    /// person.
    case deliveredElsewhere
    /// The person chose an action on a notification without opening the app. `subject` and `value` are its
    /// ``RequestID``. The app performs the action itself.
    case acted

    /// The name in files and reports.
    public var name: String { String(describing: self) }
  }

  /// The `value` of a `chargingStarted`, `regionEntered`, `regionExited` or `opened` event that reports a
  /// state instead of a change. Such an event triggers no reminder.
  ///
  /// The phone is on the charger, or inside or outside the region. For `opened`, the app was opened before
  /// its store could be read.
  public static let reportedState: Int64 = 1

  /// The kind of event.
  public var kind: Kind
  /// The number of the app, region, fact, reminder or request, or 0 if the kind has none.
  public var subject: UInt32
  /// The value, or 0 if the kind has none.
  public var value: Int64
  /// The phone's clocks when the app observed the event.
  public var moment: Moment
  /// The time between a change or a delivery and its observation. It is not negative.
  ///
  /// For a fact, this is the time for which it has had the value. For a delivery on any device, it is the
  /// time since the delivery.
  public var age: TimeSpan

  /// Creates an event. `subject` and `value` are 0 if the kind has none.
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

  /// The bucket of a ``Kind/deliveredElsewhere`` event, or `nil` if ``value`` is no bucket.
  @inlinable
  public var bucket: Bucket? { UInt8(exactly: value).flatMap { Bucket(rawValue: $0) } }

  /// The position of a ``Kind/located`` event.
  public var position: Position { Position(bits: value) }

  /// The request of an event that names one.
  @inlinable
  public var request: RequestID {
    RequestID(reminder: ReminderID(subject), occurrence: UInt32(truncatingIfNeeded: value))
  }
}

/// The person's permission for an app to show notifications.
public enum NotificationPermission: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
  /// Not asked yet, denied, or fully allowed.
  case notDetermined, denied, authorized
  /// Allowed, but delivered quietly to the list only.
  case provisional
  /// Allowed for a limited time, as for App Clips.
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
