import CivilTime
import DeviceSimulation
import ReminderEngine
import ReminderMatching
import ScenarioModel
import Scenarios
import Simulation
import Statistics
import TextFormats
import TriggerModel

/// The edits of a scenario's file that may make a reminder fire at an instant, in the order in which they are
/// to be tried: what happens, what the reminder says, what the scheduler and the phone allow, and what would
/// have to be left out.
///
/// Whether an edit helps is for a run to show: a candidate is cheap to name and need not even be readable.
struct EditCandidates {
  let program: Program
  /// As its author wrote it: what is tried is what the author's file would say.
  let scenario: Scenario
  let document: EditableDocument
  let shape: FileShape
  /// Simulation time.
  let instant: Instant
  let moment: Moment
  /// The declaration in force, as the file has it, and the keys under which it stands.
  private(set) var declaration: ReminderDeclaration
  private(set) var keys: [String]
  /// The conditions that plans make of the file, which none can say.
  private(set) var planConditions: [FactCondition]
  /// By position: the conditions that the app takes for failing; those of plans are behind the declaration's own.
  private(set) var failing: [Int]
  /// What the app was told of facts, by position.
  let facts: [UInt32: FactValue]
  /// The entries of the time line, as the document has them.
  let items: [Located<TimelineItem>]
  /// It was due, and the app did not know of it.
  let untold: [Untold]
  /// What reading one file makes the next one need not make again.
  private let formats = MadeFormats()

  /// - Throws: When the scenario says something that no file can.
  init(
    _ program: Program, _ explanation: Explanation, at instant: Instant, _ moment: Moment,
    knowing facts: [UInt32: FactValue], untold: [Untold]
  ) throws(UnwritableScenario) {
    scenario = program.scenario.asAuthored
    self.program = program
    self.instant = instant
    self.moment = moment
    self.facts = facts
    self.untold = untold
    shape = FileShape(program)
    items = TimelineWriter.items(Writer(context: ScenarioWriting(scenario, parts: .all)))
    let whole = EditableDocument(
      try ScenarioDocument.write(scenario, program.origin.lines == nil ? .all : .expectations))
    (declaration, keys, planConditions) = Self.declaration(explanation.declaration, program, scenario)
    // What the file leaves to the triggers changes with them.
    let unsaid = [keys, ["reminders", declaration.id]].filter { [shape] in !shape.saysRepeat($0) }
    document = EditableDocument(whole.edited(unsaid.map { .leaveOut($0 + ["repeat"], "") }))
    failing = explanation.conditions.filter { !$0.holds }.map(\.index)
  }

  /// A declaration as the file has it, by its position in the program, and what plans add to it.
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

  /// The scenario with these edits; nil when it cannot be used.
  func program(with edits: [ScenarioEdit]) -> Program? {
    let outcome = ScenarioDocument.read(
      document.edited(edits), file: scenario.file, program.origin.lines == nil ? .all : .expectations,
      using: formats
    ) { _ in true }
    guard case .scenario(var edited, _) = outcome else { return nil }
    if program.origin.lines != nil {
      // Lines name what their header lists beside the document.
      for zone in scenario.zones.zones where (try? edited.zones.intern(zone.identifier)) == nil { return nil }
      edited.links?.opened = scenario.links?.opened ?? []
      edited.app.primings = scenario.app.primings
    }
    return try? program.recompiled(for: edited)
  }

  /// Edits as they are made to the file.
  func made(_ edits: [ScenarioEdit]) -> [ScenarioEdit] {
    guard let edited = program(with: edits)?.scenario else { return edits }
    return shape.made(edits, document, EditableDocument(document.edited(edits)), edited)
  }

  /// Each by itself: what takes the cause away for which the app did not know. Told of it in time, it may still take
  /// longer than the minute until it fires.
  var cures: [ScenarioEdit] {
    var cures: [ScenarioEdit] = []
    if untold.contains(where: \.cause.isLocationPermission) {
      cures += [.write(["phone", "location"], "always")]
      cures += entries(["location always", "precise location on"], before: .minutes(1))
    }
    if untold.contains(where: \.cause.isScreenTime) {
      cures += [.write(["phone", "screenTime"], "approved")]
      cures += entries(["screen time approved"] + choices, before: .minutes(1))
    }
    return cures
  }

  /// What lets our app know of the other apps that the reminder waits for.
  private var choices: [String] {
    let apps = declaration.triggers.compactMap { trigger -> String? in
      if case .appOpened(let app) = trigger { app } else { nil }
    }
    return apps.isEmpty ? [] : ["choose apps \(apps.joined(separator: ", "))"]
  }

  /// Each by itself.
  var single: [ScenarioEdit] {
    let all =
      (untold.contains { $0.cause == .notWoken } ? schedulesAhead : []) + fittingEntries + triggeringEntries
      + conditionEdits
      + policyEdits + declarationEdits + phoneEntries + surroundingEdits + entriesLeftOut
      + schedulesThen + dueThen + triggersThen + earlierStart + countedFacts
      // A phone that nobody has.
      + idealPhone
    return all.distinct
  }

  /// Sets of edits of which the first that makes it fire is one that can be made smaller; in each the edits
  /// that change most come last.
  var sufficient: [[ScenarioEdit]] { sets + (unedited?.sets ?? []) }

  /// As if the reminder had not been edited in the story; nil where it was not.
  private var unedited: EditCandidates? {
    guard isEdited, let index = program.reminders.declarations.firstIndex(where: { $0.id == declaration.id })
    else { return nil }
    var other = self
    (other.declaration, other.keys, other.planConditions) = Self.declaration(index, program, scenario)
    other.failing = Array(other.declaration.conditions.indices)
    return other
  }

  /// Whether an edit of the reminder is in force.
  var isEdited: Bool { keys.first == "edits" }

  private var sets: [[ScenarioEdit]] {
    // What is read otherwise, or happens, may make others fail than those that fail now.
    var conditions = [[withoutFailing].compactMap(\.self)]
    if let all = withoutConditions, conditions != [[all]] { conditions.append([all]) }
    let left = entriesLeftOut.filter { isAboutReminder($0) || isHindering($0) }
    let awake = entries(["power on", "unlock"], before: .minutes(4))
    let opened =
      entries(
        ["grant notifications", "location always", "screen time approved"] + choices + ["open"],
        before: .minutes(3))
      + entries(["leave"], before: .minutes(2))
    let quiet = entries(
      [
        "location services on", "channel \(declaration.notification.type) alerting", "focus off",
        "summary off", "turn on all notifications", "turn on \(declaration.notification.type)",
      ],
      before: .minutes(3))
    let counted = countedFacts.flatMap { fact in schedulesThen.map { [$0, fact] } }
    let triggers = preparedTriggers + counted + (schedulesAhead + dueThen + triggersThen).map { [$0] }
    var sets: [[ScenarioEdit]] = []
    for platform in [[], idealPhone] {
      for plan in plans {
        for condition in conditions {
          let declared = condition + plan + everyMatchCounts + everythingAllowed
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

  /// An entry so long before the instant; nil where that is before the start.
  func entry(_ words: String, before span: TimeSpan = .zero) -> ScenarioEdit? {
    let then = instant - span
    return then < scenario.start ? nil : .add("\(when(then)) \(words)")
  }

  func entries(_ words: [String], before span: TimeSpan) -> [ScenarioEdit] {
    words.compactMap { entry($0, before: span) }
  }

  /// A time as an entry at the end of the time line has it: that is read in the zone to which the entries
  /// above it lead.
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
