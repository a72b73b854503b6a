import DeviceSimulation
package import NotificationGateway
package import Scenarios
package import TriggerModel

/// What our app showed, asked and reached in one run, and what came of it.
package struct AppAccount: Sendable {
  /// An event of the app, and when.
  package struct Entry: Hashable, Sendable {
    package var event: AppEvent
    package var instant: Instant
    package var moment: Moment
  }

  /// In order of time.
  package private(set) var entries: [Entry] = []
  /// Priming views that were shown, and those that the person put off.
  package private(set) var primed = 0
  package private(set) var skipped = 0
  /// Prompts of the system, and their answers; a prompt that was closed has none.
  package private(set) var prompts = 0
  package private(set) var granted = 0
  package private(set) var denied = 0
  /// Banners that lead to the system's settings.
  package private(set) var banners = 0
  /// What the row in the app's settings offers, once the run has ended.
  package internal(set) var row: PermissionFlow.Row?
  /// By ``DeviceSimulation/SurfaceID``.
  package private(set) var surfaces: [SurfaceAccount]
  private var guests: [GuestLedger]
  private let book: AppBook?

  package init(_ book: AppBook? = nil) {
    self.book = book
    let count = book?.setup.surfaces.count ?? 0
    surfaces = Array(repeating: SurfaceAccount(), count: count)
    guests = Array(repeating: GuestLedger(), count: count)
  }

  /// Whether the app did anything that is worth a section of a report.
  package var isEmpty: Bool { entries.isEmpty }

  /// How often something happened.
  package func count(_ event: AppEvent) -> Int { entries.count { $0.event == event } }

  mutating func take(_ event: AppEvent, _ record: JournalRecord) {
    entries.append(Entry(event: event, instant: record.instant, moment: record.moment))
    switch event {
    case .primingShown: primed += 1
    case .primingSkipped: skipped += 1
    case .permissionRequested: prompts += 1
    case .permissionGranted: granted += 1
    case .permissionDenied: denied += 1
    case .settingsBannerShown: banners += 1
    case .milestone, .consentChanged: break
    case .surfaceShown(let id), .surfaceCallToAction(let id), .surfaceDismissed(let id),
      .surfaceUnlocked(let id), .surfaceLocked(let id):
      if surfaces.indices.contains(id.index) { take(event, of: id.index, record.instant) }
    }
  }

  private mutating func take(_ event: AppEvent, of surface: Int, _ instant: Instant) {
    switch event {
    case .surfaceShown: surfaces[surface].shown += 1
    case .surfaceCallToAction: surfaces[surface].followed += 1
    case .surfaceDismissed: surfaces[surface].dismissed += 1
    case .surfaceUnlocked: if guests[surface].unlocked(at: instant) { surfaces[surface].converted += 1 }
    case .surfaceLocked: guests[surface].isLocked = true
    default: break
    }
  }

  /// A notification came up.
  mutating func presented(_ reminder: ReminderID, at instant: Instant) {
    guard let book else { return }
    for index in surfaces.indices where book.reminds(reminder, of: index) {
      if guests[index].reminded(at: instant) { surfaces[index].remindedGuests += 1 }
    }
  }
}

/// What became of one locked surface, in counts that add up: shown = followed + dismissed + left open.
package struct SurfaceAccount: Hashable, Sendable {
  package var shown = 0
  /// Its call to action was followed.
  package var followed = 0
  /// "Maybe later".
  package var dismissed = 0
  /// Stretches of being a guest in which a notification came up that reminds of it.
  package var remindedGuests = 0
  /// Of these, the ones that ended within ``conversionSpan`` of a reminder.
  package var converted = 0

  package init() {}

  /// Neither followed nor dismissed: left, ended, or unlocked by the way.
  package var leftOpen: Int { shown - followed - dismissed }

  /// Accounts created ÷ reminded guests.
  package var conversion: Ratio { Ratio(converted, of: remindedGuests) }

  /// Within so long of a reminder an account counts as its success. (The product's metrics: 7 days.)
  package static let conversionSpan = TimeSpan.days(7)

  package mutating func add(_ other: SurfaceAccount) {
    shown += other.shown
    followed += other.followed
    dismissed += other.dismissed
    remindedGuests += other.remindedGuests
    converted += other.converted
  }
}

/// Whether somebody is a guest of a surface, and when they were last reminded of it.
private struct GuestLedger: Sendable {
  var isLocked = true
  private var lastReminder: Instant?

  /// - Returns: Whether it is the first reminder since the surface was locked.
  mutating func reminded(at instant: Instant) -> Bool {
    guard isLocked else { return false }
    defer { lastReminder = instant }
    return lastReminder == nil
  }

  /// - Returns: Whether a reminder was recent enough to have led to it.
  mutating func unlocked(at instant: Instant) -> Bool {
    isLocked = false
    defer { lastReminder = nil }
    return lastReminder.map { instant - $0 <= SurfaceAccount.conversionSpan } ?? false
  }
}
