import DeviceSimulation
import Journal
package import NotificationGateway
package import ScenarioModel
package import Simulation
package import TriggerModel

/// The prompts, surfaces and milestones of the app under test in one run, with their outcomes.
package struct AppAccount: Sendable {
  /// An event of the app and its time.
  package struct Entry: Hashable, Sendable {
    package var event: AppEvent
    package var instant: Instant
    package var moment: Moment
  }

  /// The events in chronological order.
  package private(set) var entries: [Entry] = []
  private var counts: [AppEvent: Int] = [:]
  /// The number of priming views that were shown, and the number that the person skipped.
  package private(set) var primed = 0
  package private(set) var skipped = 0
  /// The number of system prompts for notifications, and the number of answers of each kind. A prompt that
  /// was closed has no answer.
  package private(set) var prompts = 0
  package private(set) var granted = 0
  package private(set) var denied = 0
  /// The number of banners that link to the system's settings.
  package private(set) var banners = 0
  /// The permission row in the app's settings at the end of the run.
  package var row: PermissionFlow.Row?
  /// The accounts of surfaces, indexed by ``DeviceSimulation/SurfaceID``.
  package var surfaces: [SurfaceAccount] {
    zip(views, guests).map { account, guest in
      var account = account
      let conversion = guest.count(within: SurfaceAccount.conversionSpan, by: end)
      account.remindedGuests = conversion.denominator + conversion.unknown
      account.watchedGuests = conversion.denominator
      account.converted = conversion.numerator
      return account
    }
  }
  /// The accounts of surfaces without their conversions, indexed by ``DeviceSimulation/SurfaceID``.
  private var views: [SurfaceAccount]
  /// The number of reminders that the person wanted to create although the plan does not allow them.
  package private(set) var refused = 0
  /// The number of batch actions, and the total number of items in them.
  package private(set) var batches = 0
  package private(set) var doneInBatches = 0
  /// The number of confirmations that the app requested, and the number that the person declined.
  package private(set) var confirmations = 0
  package private(set) var declined = 0
  /// For each surface, whether a guest was reminded of it and then unlocked it.
  private var guests: [Conversion]
  private let book: CompiledApp
  /// The end of the run.
  private let end: Instant

  package init(_ book: CompiledApp, end: Instant) {
    self.book = book
    self.end = end
    let count = book.setup.surfaces.count
    views = Array(repeating: SurfaceAccount(), count: count)
    guests = Array(repeating: Conversion(), count: count)
  }

  /// Whether the account contains nothing to report.
  package var isEmpty: Bool { entries.isEmpty }

  /// Returns how often an event happened.
  package func count(_ event: AppEvent) -> Int { counts[event] ?? 0 }

  /// The figures that do not add up, in words. The list is empty in a correct run.
  var problems: [String] {
    zip(book.setup.surfaces.map(\.name), surfaces).flatMap { name, account in
      account.problems.map { "surface \(name): \($0)" }
    }
  }

  mutating func take(_ event: AppEvent, _ stamp: RecordStamp) {
    entries.append(Entry(event: event, instant: stamp.instant, moment: stamp.moment))
    counts[event, default: 0] += 1
    switch event {
    case .primingShown: primed += 1
    case .primingSkipped: skipped += 1
    case .permissionRequested(.notifications): prompts += 1
    case .permissionGranted(.notifications): granted += 1
    case .permissionDenied(.notifications): denied += 1
    case .permissionRequested, .permissionGranted, .permissionDenied, .promptEarly, .promptStacked: break
    case .settingsBannerShown: banners += 1
    case .milestone, .consentChanged: break
    case .batchDone(let count):
      batches += 1
      doneInBatches += Int(count)
    case .confirmationAsked: confirmations += 1
    case .confirmationDeclined: declined += 1
    case .reminderRefused: refused += 1
    case .surfaceShown(let id), .surfaceCallToAction(let id), .surfaceDismissed(let id),
      .surfaceUnlocked(let id), .surfaceLocked(let id), .surfaceUnasked(let id):
      if views.indices.contains(id.index) { take(event, of: id.index, stamp.instant) }
    }
  }

  private mutating func take(_ event: AppEvent, of surface: Int, _ instant: Instant) {
    switch event {
    case .surfaceShown: views[surface].shown += 1
    case .surfaceCallToAction: views[surface].followed += 1
    case .surfaceDismissed: views[surface].dismissed += 1
    case .surfaceUnasked: views[surface].unasked += 1
    case .surfaceUnlocked: guests[surface].reached(at: instant)
    default: break
    }
  }

  /// Records that a notification was exposed.
  mutating func exposed(_ reminder: ReminderID, at instant: Instant) {
    for index in guests.indices where book.reminds(reminder, of: index) {
      guests[index].reminded(at: instant)
    }
  }
}

/// The outcomes of one locked surface, where shown = followed + dismissed + left open.
package struct SurfaceAccount: Hashable, Sendable {
  package var shown = 0
  /// The number of times that the call to action was followed.
  package var followed = 0
  /// The number of times that the person chose "Maybe later".
  package var dismissed = 0
  /// The number of offers that the app showed without having refused anything since it came to the
  /// foreground.
  package var unasked = 0
  /// The number of persons who were reminded of the surface before they first unlocked it.
  package var remindedGuests = 0
  /// The number of reminded guests whose run covers the whole ``conversionSpan``. See ``Conversion``.
  package var watchedGuests = 0
  /// The number of these guests who unlocked the surface within that span.
  package var converted = 0

  /// The number of times that the surface was neither followed nor dismissed.
  package var leftOpen: Int { shown - followed - dismissed }

  /// Converted guests ÷ reminded guests whose run covers the whole span.
  package var conversion: Ratio { Ratio(converted, of: watchedGuests) }

  /// The time after a reminder within which a new account is counted as a conversion. (7 days, from the
  /// product's metrics.)
  package static let conversionSpan = TimeSpan.days(7)

  package mutating func add(_ other: SurfaceAccount) {
    shown += other.shown
    followed += other.followed
    dismissed += other.dismissed
    unasked += other.unasked
    remindedGuests += other.remindedGuests
    watchedGuests += other.watchedGuests
    converted += other.converted
  }
}
