import CivilTime
import DeviceSimulation
import Journal
package import NotificationGateway
import ReminderEngine
import ScenarioModel
import TriggerModel

/// The behaviour of the app under test apart from its notifications: permission flow, milestones and locked
/// surfaces.
///
/// It receives the person's actions and the platform's events, and replies with app events.
package struct SimulatedApp: Participant {
  private let tables: CompiledApp
  /// Evaluates milestones and surfaces, or `nil` if there are none.
  private var engine: ReminderEngine?
  package private(set) var flow: PermissionFlow
  /// The notification permission that the app last observed.
  private var permission: NotificationPermission
  /// The visible priming view, or `nil` if there is none.
  private var priming: PrimingID?
  /// The postponed priming view, which is shown when the app next comes to the foreground, or `nil` if there
  /// is none.
  private var waiting: PrimingID?
  /// The locked surface whose overlay is visible, or `nil` if there is none.
  private var overlay: SurfaceID?
  private var isUnlocked: [Bool]
  private var hasConsent: Bool
  private var use: PermissionUse
  /// Whether the plan has refused a reminder since the app came to the foreground.
  private var hasRefused = false
  private var effects: [EngineEffect] = []
  private var events: [AppEvent] = []
  private var ignored: [IgnoreCause] = []

  init(_ tables: CompiledApp, zones: ZoneTable, zone: ZoneID, permission: NotificationPermission) {
    self.tables = tables
    self.permission = permission
    flow = PermissionFlow(permission)
    engine = tables.program.map { ReminderEngine(program: $0, zones: zones, zone: zone) }
    isUnlocked = Array(repeating: false, count: tables.setup.surfaces.count)
    hasConsent = tables.setup.analytics?.hasConsent ?? false
    use = PermissionUse(tables)
  }

  init(_ program: Program, device: Int) {
    let scenario = program.scenario
    self.init(
      program.app, zones: scenario.zones, zone: scenario.zone,
      permission: program.devices[device].setup.notifications)
  }

  static func listens(to body: JournalRecord.Body) -> Bool {
    switch body {
    case .happened, .outcome, .observed: true
    case .app(.reminderRefused): true
    case .truth, .effect, .due, .notRequested, .uncalledFor, .link, .app, .person, .sync: false
    }
  }

  mutating func deliver(
    _ body: JournalRecord.Body, _ situation: Situation, into replies: inout Replies
  ) {
    switch body {
    case .happened(.inApp(let action)):
      if situation.isPhoneOn {
        happened(action, isInFront: situation.isAppInFront, at: situation.moment)
      }
    case .happened(.create(let reminder)): if situation.isPhoneOn { use.created(reminder) }
    case .happened(.edit(let reminder, let edit)):
      if situation.isPhoneOn { use.created(reminder, edit: edit) }
    case .happened(.fact(let fact, let value)): use.took(fact, value)
    case .outcome(.prompted(let answer)): prompted(answer)
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

  // MARK: Actions of the person

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

  /// Shows the priming view, or postpones it until the app is in the foreground.
  private mutating func prime(_ context: PrimingID, isInFront: Bool) {
    guard isInFront else {
      waiting = context
      return
    }
    // Only one view is visible at a time.
    guard flow.take(.prime) != nil else { return }
    priming = context
    events.append(.primingShown(context))
  }

  private mutating func visit(_ surface: SurfaceID, at moment: Moment) {
    // The surface may have been unlocked by the passage of time.
    updateSurfaces(at: moment)
    if isUnlocked[surface.index] { return }
    guard overlay != surface else { return ignore(.alreadySo) }
    overlay = surface
    events.append(.surfaceShown(surface))
  }

  /// Shows a surface that the person did not open. An offer is reported as unasked unless the plan refused
  /// something before it.
  private mutating func show(_ surface: SurfaceID, at moment: Moment) {
    let count = events.count
    visit(surface, at: moment)
    if events.count > count, tables.setup.surfaces[surface.index].isOffer, !hasRefused {
      events.append(.surfaceUnasked(surface))
    }
  }

  /// Shows an offer after the plan has refused a reminder.
  private mutating func refused(_ situation: Situation) {
    guard situation.isAppInFront else { return }
    hasRefused = true
    guard overlay == nil else { return }
    updateSurfaces(at: situation.moment)
    let offer = tables.setup.surfaces.indices.first { tables.setup.surfaces[$0].isOffer && !isUnlocked[$0] }
    if let offer { visit(SurfaceID(offer), at: situation.moment) }
  }

  // MARK: Events of the platform

  /// Records the system's prompt and its answer.
  private mutating func prompted(_ answer: PromptAnswer) {
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
    if use.prompted() { events.append(.promptStacked(kind)) }
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
    evaluateMilestones(at: event, isInFront: isInFront)
    switch event.kind {
    case .launched:
      _ = flow.take(.launch)
      use.visited()
      closeEverything()
      updateSurfaces(at: event.moment)
    case .opened:
      hasRefused = false
      use.visited()
      if flow.take(.open) != nil { events.append(.settingsBannerShown) }
      if let context = waiting {
        waiting = nil
        prime(context, isInFront: true)
      }
    case .factChanged: updateSurfaces(at: event.moment)
    case .permissionChanged: permissionChanged(to: event.value)
    case .reinstalled: reset(at: event.moment)
    default: break
    }
  }

  /// Starts a new installation. It reads only the permission from the system, and loses everything else,
  /// including the consent to analytics.
  private mutating func reset(at moment: Moment) {
    flow = PermissionFlow(permission)
    use.reset()
    waiting = nil
    closeEverything()
    updateSurfaces(at: moment)
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

  /// Closes everything on the screen.
  private mutating func closeEverything() {
    priming = nil
    overlay = nil
  }

  // MARK: Milestones and surfaces

  /// Evaluates the milestones at an event. A reached milestone may show a priming view.
  private mutating func evaluateMilestones(at event: ObservedEvent, isInFront: Bool) {
    if event.kind.isOfOneReminder { return }
    engine?.process(event, into: &effects)
    for effect in effects {
      guard case .request(let request) = effect, let milestone = tables.milestone(request.id.reminder) else {
        continue
      }
      events.append(.milestone(milestone))
      if let context = tables.setup.milestones[milestone.index].priming, flow.row == .ask {
        prime(context, isInFront: isInFront)
      }
    }
    effects.removeAll(keepingCapacity: true)
  }

  /// Reports which surfaces were locked or unlocked since the last evaluation.
  private mutating func updateSurfaces(at moment: Moment) {
    for index in isUnlocked.indices {
      let surface = SurfaceID(index)
      let id = RequestID(reminder: tables.reminder(of: surface), occurrence: 0)
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
  /// Whether the action takes place on the app's screen and therefore requires the foreground. The app
  /// postpones a priming view until it is in the foreground, and consent can be changed elsewhere.
  fileprivate var needsScreen: Bool {
    switch self {
    case .skipPriming, .visit, .show, .callToAction, .maybeLater: true
    // `AppListActions` performs its own check.
    case .prime, .consent, .batch: false
    }
  }
}

extension ObservedEvent.Kind {
  /// Whether the event concerns a single reminder or request. Its identifier belongs to the engine under
  /// test.
  fileprivate var isOfOneReminder: Bool {
    switch self {
    case .woken, .addFailed, .pendingDropped, .delivered, .tapped, .dismissed, .acted, .snooze, .cancel,
      .create, .edit, .cancelAll:
      true
    default: false
    }
  }
}

/// The permissions that the app under test has needed so far, and the number of prompts since it came to the
/// foreground or started.
///
/// The app needs a permission from the moment when a reminder that uses it becomes active. Removing the
/// reminder later does not change that.
struct PermissionUse: Sendable {
  private let tables: PermissionNeeds
  private let limit: CompiledReminderLimit?
  /// Whether each reminder has been active, and its declaration in force.
  private var isUsed: [Bool]
  private var declarations: [Int]
  private var prompts = 0

  init(_ tables: CompiledApp) {
    self.tables = tables.permissions
    limit = tables.reminderLimit
    isUsed = tables.permissions.isUsedFromStart
    declarations = Array(isUsed.indices)
  }

  func needs(_ kind: PermissionKind) -> Bool {
    tables.ofMilestones.contains(kind)
      || isUsed.indices.contains { isUsed[$0] && tables.uses[declarations[$0]].contains(kind) }
  }

  mutating func created(_ reminder: ReminderID, edit: UInt32? = nil) {
    isUsed[reminder.index] = true
    if let edit { declarations[reminder.index] = isUsed.count + Int(edit) }
  }

  /// Marks a refused reminder as unused until it becomes active.
  mutating func refused(_ reminder: ReminderID) { isUsed[reminder.index] = false }

  /// Marks a reminder as used if the fact reports that the reminder is active.
  mutating func took(_ fact: FactID, _ value: FactValue) {
    guard value == .truth(true), let reminder = limit?.facts.firstIndex(of: fact) else { return }
    isUsed[reminder] = true
  }

  /// Called when the app comes to the foreground or starts.
  mutating func visited() { prompts = 0 }

  /// Counts a prompt.
  ///
  /// - Returns: Whether another prompt preceded it since the app came to the foreground or started.
  mutating func prompted() -> Bool {
    prompts += 1
    return prompts > 1
  }

  /// Resets the state to the initial reminders of a new installation.
  mutating func reset() {
    isUsed = tables.isUsedFromStart
    declarations = Array(isUsed.indices)
  }
}
