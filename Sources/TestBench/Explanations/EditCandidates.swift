import CivilTime
import DeviceSimulation
import NotificationGateway
import ReminderEngine
import ReminderMatching
import ScenarioModel
import Scenarios
import Simulation
import Statistics
import TextFormats
import TriggerModel

/// Candidate edits of a scenario file that may make a reminder fire at an instant. The search tries them in
/// this order: added events, changes of the declaration, of the scheduler and of the phone, and removals.
///
/// A candidate may be invalid or useless, because only a run decides whether it helps.
struct EditCandidates {
  let program: Program
  /// The scenario as its author wrote it. Edits apply to this form.
  let scenario: Scenario
  let document: EditableDocument
  let shape: SourceLayout
  /// The simulation time at which the engine evaluated the reminder.
  let instant: Instant
  /// The start of the minute in which the reminder should fire, at or before ``instant``.
  let asked: Instant
  let moment: Moment
  /// The declaration in force, as the file states it, and the keys that lead to it.
  private(set) var declaration: ReminderDeclaration
  private(set) var keys: [String]
  /// The conditions that plans add. A file cannot state them.
  private(set) var planConditions: [FactCondition]
  /// The indices of the conditions that fail by the facts that the app knows. Conditions of plans follow
  /// those of the declaration.
  private(set) var failing: [Int]
  /// The facts known to the app, by index.
  let facts: [UInt32: FactValue]
  /// The entries of the time line, in the order of the file.
  let items: [Located<TimelineItem>]
  /// The due occurrences that the app did not request because it did not observe them.
  let missed: [MissedRequest]
  /// The reasons for which matches and requests of the minute ended, and those that block a request now.
  let reasons: [Reason]
  let blockers: [Reason]
  /// The time since the last notification that counts for the minimum interval, or `nil` if there is none.
  let sinceLast: TimeSpan?
  /// The events of the phone before the instant.
  let past: [ProgramEvent]
  /// The formats, built once for all edited scenarios.
  private let formats = FormatCache()

  /// - Throws: An error if a value of the scenario cannot be written to a file.
  init(
    _ program: Program, _ explanation: Explanation, at instant: Instant, in asked: Instant? = nil,
    _ moment: Moment, knowing facts: [UInt32: FactValue], missed: [MissedRequest], reasons: [Reason] = [],
    blockers: [Reason] = [], sinceLast: TimeSpan? = nil
  ) throws(UnwritableScenario) {
    scenario = program.scenario.asAuthored
    self.program = program
    self.instant = instant
    self.asked = asked ?? instant
    past = program.phoneEvents(before: instant)
    self.moment = moment
    self.facts = facts
    self.missed = missed
    (self.reasons, self.blockers, self.sinceLast) = (reasons, blockers, sinceLast)
    shape = SourceLayout(program)
    items = TimelineWriter.items(Writer(context: ScenarioWritingContext(scenario, parts: .all)))
    let whole = EditableDocument(
      try ScenarioDocument.write(scenario, program.origin.lines == nil ? .all : .expectations))
    (declaration, keys, planConditions) = Self.declaration(explanation.declaration, program, scenario)
    // The default of `repeat` depends on the triggers, so the edited file must not state it.
    let defaulted = [keys, ["reminders", declaration.id]].filter { [shape] in !shape.statesRepeat($0) }
    document = EditableDocument(whole.edited(defaulted.map { .leaveOut($0 + ["repeat"], "") }))
    failing = explanation.conditions.filter { !$0.holds }.map(\.index)
  }

  /// Returns the declaration at an index of the program, as the file states it, with its keys and the
  /// conditions that plans add.
  private static func declaration(_ index: Int, _ program: Program, _ scenario: Scenario) -> (
    declaration: ReminderDeclaration, keys: [String], planConditions: [FactCondition]
  ) {
    let edit = index - scenario.reminders.count
    let own = edit < 0 ? scenario.reminders[index].declaration : scenario.edits[edit].declaration
    let added = program.reminders.declarations[index].conditions.dropFirst(own.conditions.count)
    return (
      own, edit < 0 ? ["reminders", own.id] : ["edits", own.id, scenario.edits[edit].name],
      added.compactMap { if case .fact(let fact) = $0 { fact } else { nil } }
    )
  }

  /// Returns the edited scenario's program, or `nil` if it is invalid.
  func program(with edits: [ScenarioEdit]) -> Program? {
    let outcome = ScenarioDocument.read(
      document.edited(edits), file: scenario.file, program.origin.lines == nil ? .all : .expectations,
      using: formats
    ) { _ in true }
    guard case .scenario(var edited, _) = outcome else { return nil }
    if program.origin.lines != nil {
      // Intern the zones in the same order, because recorded lines refer to zones that may occur only in the
      // header.
      for zone in scenario.zones.zones where (try? edited.zones.intern(zone.identifier)) == nil { return nil }
      edited.links?.opened = scenario.links?.opened ?? []
      edited.app.primings = scenario.app.primings
    }
    return try? program.recompiled(for: edited)
  }

  /// Returns the edits in a form that fits the layout of the file.
  func adapted(_ edits: [ScenarioEdit]) -> [ScenarioEdit] {
    guard let edited = program(with: edits)?.scenario else { return edits }
    return shape.adapted(edits, document, EditableDocument(document.edited(edits)), edited)
  }

  /// Edits that each remove the cause of a missed event. Even then the app may observe the event late, so the
  /// reminder may fire after the minute.
  var causeEdits: [ScenarioEdit] {
    var causeEdits: [ScenarioEdit] = []
    if missed.contains(where: \.cause.isLocationPermission) {
      causeEdits += entries(["location always", "precise location on"], before: .minutes(1))
      causeEdits += [.write(["phone", "location"], "always")]
    }
    if missed.contains(where: \.cause.isScreenTime) {
      causeEdits += entries(["screen time approved"] + choices, before: .minutes(1))
      causeEdits += [.write(["phone", "screenTime"], "approved")]
    }
    return causeEdits
  }

  /// Entries that select the apps that the reminder's triggers name, so that the app under test can observe
  /// them.
  private var choices: [String] {
    let apps = declaration.triggers.compactMap { trigger -> String? in
      if case .appOpened(let app) = trigger { app } else { nil }
    }
    return apps.isEmpty ? [] : ["choose apps \(apps.joined(separator: ", "))"]
  }

  /// Edits that are tried one at a time: of the time line first, then of the reminder, then of the policy.
  /// Edits that drop a whole rule come last.
  var single: [ScenarioEdit] {
    let timeline = conditionEntries + triggerEntries + removedCulprits + phoneEntries
    let reminder = widerConditions + declarationEdits + schedulesAtInstant + countedFacts + earlierStart
    let whole = dueAtInstant + triggersAtInstant + removedConditions
    return (timeline + reminder + policyEdits + whole).distinct
  }

  /// Edits of the phone's settings and of its profile, and removals of entries without a known effect. They are
  /// tried on request.
  var unrealistic: [ScenarioEdit] {
    (settingEntries + surroundingEdits + removedEntries + idealPhone).distinct
  }

  /// Returns sets of edits. If a set makes the reminder fire, the search drops its unnecessary edits. Each set
  /// ends with the edits that have the largest effect.
  ///
  /// - Parameter any: Whether the sets include settings of the system and the profile.
  func sufficient(any: Bool) -> [[ScenarioEdit]] { sets(any) + (unedited?.sets(any) ?? []) }

  /// The candidates for the reminder's original declaration, or `nil` if no `edit` event changed it.
  private var unedited: EditCandidates? {
    guard isEdited, let index = program.reminders.declarations.firstIndex(where: { $0.id == declaration.id })
    else { return nil }
    var other = self
    (other.declaration, other.keys, other.planConditions) = Self.declaration(index, program, scenario)
    other.failing = Array(other.declaration.conditions.indices)
    return other
  }

  /// Whether an `edit` event has replaced the reminder's declaration.
  var isEdited: Bool { keys.first == "edits" }

  private func sets(_ any: Bool) -> [[ScenarioEdit]] {
    // Other edits of a set may make further conditions fail, so one variant removes all conditions.
    var conditions = [[withoutFailing].compactMap(\.self)]
    if let all = withoutConditions, conditions != [[all]] { conditions.append([all]) }
    let left = removedEntries.filter { isAboutReminder($0) || preventsNotifications($0) }
    let awake = entries(["power on", "unlock"], before: .minutes(4))
    let granted = any ? ["grant notifications", "location always", "screen time approved"] + choices : []
    let opened = entries(granted + ["open"], before: .minutes(3)) + entries(["leave"], before: .minutes(2))
    let quiet =
      !any
      ? []
      : entries(
        [
          "location services on", "channel \(declaration.notification.type) alerting", "focus off",
          "summary off", "turn on all notifications", "turn on \(declaration.notification.type)",
        ],
        before: .minutes(3))
    let counted = countedFacts.flatMap { fact in schedulesAtInstant.map { [$0, fact] } }
    let triggers =
      preparedTriggerEntries + counted + (schedulesAhead + dueAtInstant + triggersAtInstant).map { [$0] }
    var sets: [[ScenarioEdit]] = []
    for platform in any ? [[], idealPhone] : [[]] {
      for plan in plans {
        for condition in conditions {
          let declared =
            condition + plan + requestAtEveryTrigger + withoutCaps + (any ? withoutRestrictions : [])
          for trigger in triggers {
            sets.append(trigger + declared + left + platform)
            sets.append(trigger + declared + quiet + opened + awake + left + platform)
          }
          sets.append(declared + quiet + opened + awake + left + platform)
        }
      }
    }
    return sets
  }

  // MARK: - The time line

  /// Returns an edit that adds an entry at the full minute that is at least the given span before the
  /// instant, or `nil` if that is before the start. Without a span, the entry is in the minute of the
  /// question.
  func entry(_ words: String, before span: TimeSpan = .zero) -> ScenarioEdit? {
    if span == .zero { return entry(words, at: minute(of: asked + TimeSpan(milliseconds: 59_999))) }
    return minute(before: span).flatMap { entry(words, at: $0) }
  }

  /// Returns the full minute that is at least the given span before the instant, but not before the start.
  /// Returns `nil` if the span begins before the start.
  func minute(before span: TimeSpan) -> Instant? {
    instant - span < scenario.start ? nil : max(minute(of: instant - span), scenario.start)
  }

  func entry(_ words: String, at then: Instant) -> ScenarioEdit? {
    then < scenario.start ? nil : .add("\(when(then)) \(words)")
  }

  func entries(_ words: [String], before span: TimeSpan) -> [ScenarioEdit] {
    words.compactMap { entry($0, before: span) }
  }

  /// Returns the time of an entry that is added at the end of the time line, as local time in the zone of the
  /// last journey.
  private func when(_ instant: Instant) -> String {
    let timeline = scenario.timeline
    let journeys = timeline.entries.filter { $0.device == 0 }.flatMap(\.actions).count {
      if case .event(.travel) = $0 { true } else { false }
    }
    if let last = timeline.stays.last?.zone, journeys + 1 == timeline.stays.count,
      timeline.zone(at: instant) == last,
      let local = LocalDateTime(exactly: instant, in: scenario.zones[last])
    {
      return "\(local.date.text) \(Clock.text(local.millisecondOfDay))"
    }
    return TimelineWriter.offset(instant - scenario.start)
  }
}

/// Candidate edits of the policy, of the phone and of the rest of the file.
extension EditCandidates {
  var policyEdits: [ScenarioEdit] {
    func policy(_ key: String) -> [String] { ["policy", key] }
    var edits = quieter + shorterInterval
    for key in ["dailyCap", "typeDailyCap", "criticalDailyCap"] {
      guard case .integer(let cap)? = document[policy(key)] else { continue }
      edits += [.write(policy(key), .integer(cap + 1)), .write(policy(key), "none")]
    }
    for (keys, limit) in periodCaps { edits += [.write(keys, limit(1)), .write(keys, limit(nil))] }
    edits += [
      .write(policy("minimumIntervalScope"), "standard"),
      .write(policy("counterLag"), "0 s"), .write(policy("criticalPreempts"), false),
      .write(policy("criticalBypassesQuietHours"), true), .write(policy("lifetimeSurvivesReinstall"), false),
      .write(policy("quietAction"), "drop"), .write(policy("quietAction"), "defer"),
      .write(policy("checkOrder"), []), .write(policy("quietHours"), "none"),
      .write(policy("minimumInterval"), "0 s"),
    ]
    return edits
  }

  /// Edits that lift all caps and quiet hours.
  var withoutCaps: [ScenarioEdit] {
    var edits: [ScenarioEdit] = ["quietHours", "dailyCap", "typeDailyCap", "criticalDailyCap"].map {
      .write(["policy", $0], "none")
    }
    edits.append(.write(["policy", "minimumInterval"], "0 s"))
    for (keys, limit) in periodCaps { edits.append(.write(keys, limit(nil))) }
    return edits + [.write(["policy", "checkOrder"], [])]
  }

  /// Edits that lift all restrictions that the person or the phone imposes.
  var withoutRestrictions: [ScenarioEdit] {
    [.write(["phone", "notifications"], "authorized"), .write(["phone", "location"], "always")]
      + removedSections
  }

  /// Edits that remove sections of the file.
  private var removedSections: [ScenarioEdit] {
    let sections = [["phone", "unreadable"], ["preferences"], ["stored"], ["knobs"]]
    let consumers = (scenario.links?.consumers ?? []).map { ["consumers", $0.consumer.id, "types"] }
    return (sections + consumers).compactMap { keys in document[keys].map { .leaveOut(keys, $0) } }
  }

  /// The keys of the caps of the reminder's type and of the caps by longer periods, with a function that returns
  /// a higher limit: by a number, or the highest possible one for `nil`.
  var periodCaps: [(keys: [String], limit: (Int?) -> JSONValue)] {
    let ofType = TypeCap.allCases.map { ($0, [$0.key, declaration.notification.type]) }
    let ofBucket = TypeCap.ofBuckets.compactMap { cap in cap.ofBucket.map { (cap, [$0.key]) } }
    return (ofType + ofBucket).compactMap { cap, path in
      let keys = ["policy"] + path
      guard document[keys] != nil else { return nil }
      let limit =
        path.count == 1 ? scenario.policy[ofBucket: cap] : scenario.policy[cap][declaration.notification.type]
      guard let limit else { return nil }
      return (
        keys,
        { more in
          let count = more.map { min(limit.count + $0, 1_000_000) } ?? 1_000_000
          return cap == .rolling ? .string("\(count) in \(limit.days) days") : .integer(count)
        }
      )
    }
  }

  /// An edit that selects the ideal phone, on which the app observes everything and notifications are shown
  /// immediately. A person cannot make this change.
  var idealPhone: [ScenarioEdit] {
    scenario.profile.value == "ideal" ? [] : [.write(["profile"], "ideal")]
  }

  var surroundingEdits: [ScenarioEdit] {
    var edits: [ScenarioEdit] = [
      .write(["phone", "notifications"], "authorized"), .write(["phone", "location"], "always"),
    ]
    edits += removedSections
    for knob in scenario.knobs {
      let keys = ["knobs", knob.name]
      if scenario.knobs.count > 1, let value = document[keys] { edits.append(.leaveOut(keys, value)) }
    }
    for other in scenario.reminders where other.declaration.id != declaration.id {
      edits.append(.write(["reminders", other.declaration.id, "notify", "bucket"], "user"))
      edits.append(.write(["reminders", other.declaration.id, "notify", "bucket"], "critical"))
      edits.append(.write(["reminders", other.declaration.id, "if"], "not charging"))
      edits.append(.write(["reminders", other.declaration.id, "if"], "charging"))
    }
    return edits
  }
}
