import CivilTime
import DeviceSimulation
package import Journal
package import NotificationGateway
import ReminderEngine
import ScenarioModel
import TriggerModel

/// Our app's own part: what it shows and asks by itself, milestones, and surfaces that are locked.
///
/// It is told what the person does in it and what the platform tells it, and answers with events.
package struct SimulatedApp: Participant {
  private let book: AppBook
  /// Looks at milestones and surfaces; nil when there are none.
  private var engine: ReminderEngine?
  package private(set) var flow: PermissionFlow
  /// What the system says, as far as the app was told.
  private var permission: NotificationPermission
  /// The priming view on the screen.
  private var priming: PrimingID?
  /// A priming that waits for the app to come to the front.
  private var waiting: PrimingID?
  /// The locked surface whose overlay is on the screen.
  private var overlay: SurfaceID?
  private var isUnlocked: [Bool]
  private var hasConsent: Bool
  private var use: PermissionUse
  /// Something was refused since the app came to the front.
  private var hasRefused = false
  private var effects: [EngineEffect] = []
  private var events: [AppEvent] = []
  private var ignored: [IgnoreCause] = []

  init(_ book: AppBook, zones: ZoneTable, zone: ZoneID, permission: NotificationPermission) {
    self.book = book
    self.permission = permission
    flow = PermissionFlow(permission)
    engine = book.program.map { ReminderEngine(program: $0, zones: zones, zone: zone) }
    isUnlocked = Array(repeating: false, count: book.setup.surfaces.count)
    hasConsent = book.setup.analytics?.hasConsent ?? false
    use = PermissionUse(book)
  }

  init(_ program: Program, device: Int) {
    let scenario = program.scenario
    self.init(
      program.app, zones: scenario.zones, zone: scenario.zone,
      permission: program.devices[device].setup.notifications)
  }

  package static func listens(to body: JournalRecord.Body) -> Bool {
    switch body {
    case .happened, .outcome, .observed: true
    case .app(.reminderRefused): true
    case .truth, .effect, .due, .link, .app, .person, .sync: false
    }
  }

  package mutating func deliver(
    _ body: JournalRecord.Body, _ situation: Situation, into replies: inout Replies
  ) {
    switch body {
    case .happened(.inApp(let action)):
      if situation.isPhoneOn {
        happened(action, isInFront: situation.isAppInFront, at: situation.moment)
      }
    case .happened(.create(let reminder)): if situation.isPhoneOn { use.made(reminder) }
    case .happened(.edit(let reminder, let edit)):
      if situation.isPhoneOn { use.made(reminder, edit: edit) }
    case .happened(.fact(let fact, let value)): use.took(fact, value)
    case .outcome(.prompted(let answer)): prompted(answer, isInFront: situation.isAppInFront)
    case .app(.reminderRefused(let reminder)):
      use.refused(reminder)
      refused(situation)
    case .observed(let event): observed(event, isInFront: situation.isAppInFront)
    default: return
    }
    for event in events { replies.record(.app(event)) }
    for cause in ignored { replies.record(.outcome(.ignored(cause))) }
    events.removeAll(keepingCapacity: true)
    ignored.removeAll(keepingCapacity: true)
  }

  // MARK: What the person does

  private mutating func happened(_ action: InAppAction, isInFront: Bool, at moment: Moment) {
    if action.needsScreen, !isInFront { return ignore(.notInFront) }
    switch action {
    case .prime(let context):
      guard flow.row == .ask else { return ignore(.promptAlreadyAnswered) }
      guard priming == nil else { return ignore(.alreadySo) }
      prime(context, isInFront: isInFront)
    case .skipPriming:
      guard let shown = priming, flow.take(.skip) != nil else { return ignore(.nothingToSee) }
      priming = nil
      events.append(.primingSkipped(shown))
    case .visit(let surface): visit(surface, at: moment)
    case .show(let surface): show(surface, at: moment)
    case .callToAction(let surface):
      guard overlay == surface else { return ignore(.nothingToSee) }
      overlay = nil
      events.append(.surfaceCallToAction(surface))
    case .maybeLater:
      guard let surface = overlay else { return ignore(.nothingToSee) }
      overlay = nil
      events.append(.surfaceDismissed(surface))
    case .consent(let isGiven):
      guard hasConsent != isGiven else { return ignore(.alreadySo) }
      hasConsent = isGiven
      events.append(.consentChanged(isGiven))
    case .batch: break
    }
  }

  private mutating func ignore(_ cause: IgnoreCause) { ignored.append(cause) }

  /// Shows the priming view, or waits with it until the app is in front.
  private mutating func prime(_ context: PrimingID, isInFront: Bool) {
    guard isInFront else {
      waiting = context
      return
    }
    // There is one view at a time.
    guard flow.take(.prime) != nil else { return }
    priming = context
    events.append(.primingShown(context))
  }

  private mutating func visit(_ surface: SurfaceID, at moment: Moment) {
    // Time alone may have unlocked it.
    lookAtSurfaces(at: moment)
    if isUnlocked[surface.index] { return }
    guard overlay != surface else { return ignore(.alreadySo) }
    overlay = surface
    events.append(.surfaceShown(surface))
  }

  /// The app shows it by itself. An offer needs something that gave rise to it.
  private mutating func show(_ surface: SurfaceID, at moment: Moment) {
    let count = events.count
    visit(surface, at: moment)
    if events.count > count, book.setup.surfaces[surface.index].isOffer, !hasRefused {
      events.append(.surfaceUnasked(surface))
    }
  }

  /// The plan does not allow what the person wants: the app says what would.
  private mutating func refused(_ situation: Situation) {
    guard situation.isAppInFront else { return }
    hasRefused = true
    guard overlay == nil else { return }
    lookAtSurfaces(at: situation.moment)
    let offer = book.setup.surfaces.indices.first { book.setup.surfaces[$0].isOffer && !isUnlocked[$0] }
    if let offer { visit(SurfaceID(offer), at: situation.moment) }
  }

  // MARK: What the platform does

  /// The system showed its prompt, and got this answer.
  private mutating func prompted(_ answer: PromptAnswer, isInFront: Bool) {
    let kind = answer.kind
    if case .notifications(let permission) = answer {
      prompted(permission)
    } else {
      events.append(.permissionRequested(kind))
      if let grants = answer.grants {
        events.append(grants ? .permissionGranted(kind) : .permissionDenied(kind))
      }
    }
    if !use.needs(kind) { events.append(.promptEarly(kind)) }
    if isInFront, use.prompted() { events.append(.promptStacked(kind)) }
  }

  private mutating func prompted(_ answer: NotificationPermission) {
    priming = nil
    waiting = nil
    if flow.take(.ask) != nil { events.append(.permissionRequested(.notifications)) }
    switch answer {
    case .notDetermined: return
    case .denied: if flow.take(.deny) != nil { events.append(.permissionDenied(.notifications)) }
    case .authorized, .provisional, .ephemeral:
      if flow.take(.grant) != nil { events.append(.permissionGranted(.notifications)) }
    }
    permission = answer
  }

  private mutating func observed(_ event: ObservedEvent, isInFront: Bool) {
    look(at: event, isInFront: isInFront)
    switch event.kind {
    case .launched:
      _ = flow.take(.launch)
      use.visited()
      closeEverything()
      lookAtSurfaces(at: event.moment)
    case .opened:
      hasRefused = false
      use.visited()
      if flow.take(.open) != nil { events.append(.settingsBannerShown) }
      if let context = waiting {
        waiting = nil
        prime(context, isInFront: true)
      }
    case .factChanged: lookAtSurfaces(at: event.moment)
    case .permissionChanged: permissionChanged(to: event.value)
    case .reinstalled: beginAnew(at: event.moment)
    default: break
    }
  }

  /// A new install knows what the system says, and nothing of what the old one was told: not even that the
  /// person agreed to analytics.
  private mutating func beginAnew(at moment: Moment) {
    flow = PermissionFlow(permission)
    use.beginAnew()
    waiting = nil
    closeEverything()
    lookAtSurfaces(at: moment)
    if hasConsent {
      hasConsent = false
      events.append(.consentChanged(false))
    }
  }

  private mutating func permissionChanged(to value: Int64) {
    permission = NotificationPermission(rawValue: UInt8(truncatingIfNeeded: value)) ?? .notDetermined
    switch permission {
    case .notDetermined: _ = flow.take(.expire)
    case .denied: _ = flow.take(.forbidInSettings)
    case .authorized, .provisional, .ephemeral: _ = flow.take(.allowInSettings)
    }
    if flow.row != .ask { priming = nil }
  }

  /// Nothing that was on the screen is there any more.
  private mutating func closeEverything() {
    priming = nil
    overlay = nil
  }

  // MARK: Milestones and surfaces

  /// Lets the engine look: milestones are reached, and may give rise to priming.
  private mutating func look(at event: ObservedEvent, isInFront: Bool) {
    if event.kind.isOfOneReminder { return }
    engine?.process(event, into: &effects)
    for effect in effects {
      guard case .request(let request) = effect, let milestone = book.milestone(request.id.reminder) else {
        continue
      }
      events.append(.milestone(milestone))
      if let context = book.setup.milestones[milestone.index].priming, flow.row == .ask {
        prime(context, isInFront: isInFront)
      }
    }
    effects.removeAll(keepingCapacity: true)
  }

  /// Says which surfaces are locked and unlocked since the last look.
  private mutating func lookAtSurfaces(at moment: Moment) {
    for index in isUnlocked.indices {
      let surface = SurfaceID(index)
      let id = RequestID(reminder: book.reminder(of: surface), occurrence: 0)
      let question = NotificationRequest(
        id: id, type: TypeID(0), bucket: .user, scheduledFor: moment.wall, deliverAt: moment.wall)
      let holds = engine?.stillHolds(question, at: moment) ?? false
      if holds == isUnlocked[index] { continue }
      isUnlocked[index] = holds
      if holds, overlay == surface { overlay = nil }
      events.append(holds ? .surfaceUnlocked(surface) : .surfaceLocked(surface))
    }
  }
}

extension InAppAction {
  /// The person does it on the app's screen: it takes the app in front. Priming waits for that instead, and
  /// consent may be changed elsewhere.
  fileprivate var needsScreen: Bool {
    switch self {
    case .skipPriming, .visit, .show, .callToAction, .maybeLater: true
    // The lists say so themselves.
    case .prime, .consent, .batch: false
    }
  }
}

extension ObservedEvent.Kind {
  /// About one reminder or request, whose numbers are those of the engine under test.
  fileprivate var isOfOneReminder: Bool {
    switch self {
    case .woken, .addFailed, .pendingDropped, .delivered, .tapped, .dismissed, .acted, .snooze, .cancel,
      .create,
      .edit,
      .cancelAll:
      true
    default: false
    }
  }
}
