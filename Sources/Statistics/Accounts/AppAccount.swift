import DeviceSimulation
import Journal
package import NotificationGateway
package import ScenarioModel
package import Simulation
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
  private var counts: [AppEvent: Int] = [:]
  /// Priming views that were shown, and those that the person put off.
  package private(set) var primed = 0
  package private(set) var skipped = 0
  /// Prompts of the system for notifications, and their answers; a prompt that was closed has none.
  package private(set) var prompts = 0
  package private(set) var granted = 0
  package private(set) var denied = 0
  /// Banners that lead to the system's settings.
  package private(set) var banners = 0
  /// What the row in the app's settings offers, once the run has ended.
  package var row: PermissionFlow.Row?
  /// By ``DeviceSimulation/SurfaceID``.
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
  /// By surface: how often it was shown, and what was done then.
  private var views: [SurfaceAccount]
  /// Reminders that the person wanted and the plan does not allow.
  package private(set) var refused = 0
  /// How often the person did something to several things at once, and to how many things in all.
  package private(set) var batches = 0
  package private(set) var doneInBatches = 0
  /// How often the app asked before, and how often the person changed their mind.
  package private(set) var confirmations = 0
  package private(set) var declined = 0
  /// By surface: whether the person, a guest of it, was reminded and unlocked it.
  private var guests: [Conversion]
  private let book: AppBook?
  /// Of the run.
  private let end: Instant

  package init(_ book: AppBook? = nil, end: Instant = .distantFuture) {
    self.book = book
    self.end = end
    let count = book?.setup.surfaces.count ?? 0
    views = Array(repeating: SurfaceAccount(), count: count)
    guests = Array(repeating: Conversion(), count: count)
  }

  /// Whether the app did anything that is worth a section of a report.
  package var isEmpty: Bool { entries.isEmpty }

  /// How often something happened.
  package func count(_ event: AppEvent) -> Int { counts[event] ?? 0 }

  /// What does not add up, in words; empty in every sound run.
  var problems: [String] {
    let names = book?.setup.surfaces.map(\.name) ?? []
    return zip(names, surfaces).flatMap { name, account in
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

  /// A notification is exposed.
  mutating func exposed(_ reminder: ReminderID, at instant: Instant) {
    guard let book else { return }
    for index in guests.indices where book.reminds(reminder, of: index) {
      guests[index].reminded(at: instant)
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
  /// Of an offer: shown by the app itself with nothing refused before.
  package var unasked = 0
  /// Persons to whom, before they first unlocked it, a notification was exposed that reminds of it.
  package var remindedGuests = 0
  /// Of these, the ones who were watched for ``conversionSpan`` from then on; see ``Conversion``.
  package var watchedGuests = 0
  /// Of these, the ones who unlocked it within that span.
  package var converted = 0

  package init() {}

  /// Neither followed nor dismissed: left, ended, or unlocked by the way.
  package var leftOpen: Int { shown - followed - dismissed }

  /// Accounts created ÷ reminded guests who were watched long enough.
  package var conversion: Ratio { Ratio(converted, of: watchedGuests) }

  /// Within so long of a reminder an account counts as its success. (The product's metrics: 7 days.)
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
