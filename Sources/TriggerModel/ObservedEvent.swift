/// One thing that the operating system tells the app, or that its user does in the app.
///
/// A fixed-size value: what happened, to what, and what the phone's clocks read. An engine sees
/// nothing else of the world.
public struct ObservedEvent: Hashable, Sendable, BitwiseCopyable {
  /// What can happen, and what `subject` and `value` say of it.
  public enum Kind: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
    /// The phone was unlocked, or a sign that stands for it.
    case unlock
    /// The screen was locked.
    case lock
    /// Not plugged → plugged. Charging → full is not a new start.
    case chargingStarted
    /// Plugged → not plugged.
    case chargingStopped
    /// `value` is the level as reported, in per cent.
    case batteryLevel
    /// `subject` is the ``AppID`` of another app that came to the front.
    case appOpened
    /// Our own app came to the front. Ends a lapse.
    case opened
    /// Our own app left the front.
    case backgrounded
    /// `subject` is a ``RegionID``.
    case regionEntered
    /// `subject` is a ``RegionID``.
    case regionExited
    /// `subject` is a ``RegionID``: the system will not watch it (limit, radius, permission).
    case regionFailed
    /// `subject` is a ``FactID``, `value` the bits of its new ``FactValue``.
    case factChanged
    /// The phone's zone changed; the new one is in ``ObservedEvent/moment``.
    case zoneChanged
    /// The wall clock was set.
    case clockChanged
    /// `value` is the raw value of the new ``NotificationPermission``.
    case permissionChanged
    /// The process was started; `value` is 1 when the store cannot be read yet (before first unlock).
    case launched
    /// The store can be read from now on (first unlock after a boot).
    case storeAvailable
    /// The app was deleted and installed again: what it had stored of itself is gone. Facts are the
    /// account's and the system's, not the installation's, and stay as they were told.
    case reinstalled
    /// A wake-up that the engine asked for; `subject` is a ``ReminderID``.
    case woken
    /// The operating system refused a request; `subject` and `value` are its ``RequestID``.
    case addFailed
    /// A pending request was dropped by the system; `subject` and `value` are its ``RequestID``.
    case pendingDropped
    /// The app learned that a notification was delivered, ``ObservedEvent/age`` ago; `subject` and `value` are its
    /// ``RequestID``.
    case delivered
    /// The person tapped a notification; `subject` and `value` are its ``RequestID``.
    case tapped
    /// The person dismissed a notification; `subject` and `value` are its ``RequestID``.
    case dismissed
    /// In the app: put reminder `subject` off until the wall-clock instant `value`.
    case snooze
    /// In the app: take reminder `subject` back.
    case cancel
    /// In the app: reminder `subject` is replaced by declaration `value` of the program's edits.
    case edit
    /// In the app: every pending notification is taken back. No reminder is: schedules go on with the
    /// occurrences after those that were pending.
    case cancelAll
    /// `subject` is a ``FactID``, `value` the bits of a ``FactValue`` that the app has known before it
    /// started. It triggers nothing.
    case factFound
    /// In the app's settings: the person chose what it may notify of, as ``PreferenceChange`` says.
    case preferencesChanged
    /// The app learns where it is: it came to the front, was told of a region, or left the ``Surroundings`` that
    /// it had asked to be told of. `value` is a ``Position``. It triggers nothing.
    case located
    /// In the app: reminder `subject` is made, which did not exist so far, or was taken back. It waits as it was
    /// declared.
    case create
    /// The app learned that it has notified the same person on another device, ``ObservedEvent/age`` ago: `subject`
    /// is the notification's ``TypeID``, `value` the raw value of its ``Bucket``. Told where caps count per person.
    case deliveredElsewhere
    /// The person chose an action on a notification, and did not open the app; `subject` and `value` are its
    /// ``RequestID``. What the action does the app does itself.
    case acted

    /// The name used in files and reports.
    public var name: String { String(describing: self) }
  }

  /// The value of a `chargingStarted`, `regionEntered`, `regionExited` or `opened` that tells a state and not a
  /// change: the phone was found on the charger, inside the region or outside it; the app was opened before its
  /// store could be read. It triggers nothing.
  public static let foundSo: Int64 = 1

  /// What happened.
  public var kind: Kind
  /// Which app, region, fact, reminder or request; 0 where the kind has none.
  public var subject: UInt32
  /// What the kind says; 0 where it has none.
  public var value: Int64
  /// What the clocks of the phone read when the app was told.
  public var moment: Moment
  /// Of a fact: for how long it has had this value when the app is told of it; of a delivery, here or elsewhere: how
  /// long ago it was.
  /// Not negative.
  public var age: TimeSpan

  /// An event; 0 for the subject and the value that its kind does not have.
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

  /// The app learns where it is.
  @inlinable
  public init(locatedAt position: Position, at moment: Moment) {
    self.init(.located, value: position.bits, at: moment)
  }

  /// The app learns of a notification on another device.
  @inlinable
  public init(deliveredElsewhere type: TypeID, _ bucket: Bucket, at moment: Moment, age: TimeSpan) {
    self.init(
      .deliveredElsewhere, subject: type.rawValue, value: Int64(bucket.rawValue), at: moment, age: age)
  }

  /// What ``value`` says in a ``Kind/deliveredElsewhere``; nil: no bucket.
  @inlinable
  public var bucket: Bucket? { UInt8(exactly: value).flatMap { Bucket(rawValue: $0) } }

  /// What ``value`` says in a ``Kind/located``.
  public var position: Position { Position(bits: value) }

  /// The request that `subject` and `value` name, for the kinds that name one.
  @inlinable
  public var request: RequestID {
    RequestID(reminder: ReminderID(subject), occurrence: UInt32(truncatingIfNeeded: value))
  }
}

/// What a person allows an app to show.
public enum NotificationPermission: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
  /// Nobody has been asked; refused; allowed in full.
  case notDetermined, denied, authorized
  /// Delivered quietly, to the list only.
  case provisional
  /// For a limited time, as App Clips have it.
  case ephemeral

  /// Whether the system takes and shows requests at all.
  @inlinable
  public var allowsDelivery: Bool {
    switch self {
    case .authorized, .provisional, .ephemeral: true
    case .notDetermined, .denied: false
    }
  }
}
