import CivilTime
import DeviceSimulation
import ReminderMatching
package import ScenarioModel
import TestSupport
import TextFormats
import TriggerModel

/// Generates scenarios that combine all parts of a scenario file in arbitrary valid ways.
package enum RandomScenario {
  /// Returns the scenario for a seed. The result is the same on every machine with the same time-zone data.
  ///
  /// - Parameter withRecordings: Whether the scenario may refer to recordings. Their files do not exist.
  package static func scenario(seed: UInt64, withRecordings: Bool = true) throws -> Scenario {
    var draw = try Draw(seed: seed)
    draw.drawFacts()
    draw.drawSurroundings()
    draw.drawReminders()
    draw.drawLinks()
    draw.drawApp()
    draw.drawGates()
    let timeline = draw.timeline()
    let recordings = withRecordings ? draw.recordings() : []
    let endIsExplicit = draw.random.chance(60)
    let end = endIsExplicit ? draw.explicitEnd() : Draw.usualEnd(of: timeline, draw.start, draw.zones)
    var scenario = Scenario(
      file: "", sources: SourceFiles(SourceText(file: "", text: "")), packs: [], title: draw.text(),
      description: draw.random.chance(50) ? draw.text() : "", start: draw.start, end: end,
      endIsExplicit: endIsExplicit, zones: draw.zones, zone: draw.zone,
      profile: Located(draw.profile(), at: .start), knobs: draw.knobs(),
      seed: draw.random.chance(50) ? 0 : draw.random.next(), phone: draw.phone(), devices: draw.devices,
      facts: draw.facts, factSources: draw.factSources, apps: draw.apps, places: draw.places,
      reminders: draw.reminders, edits: draw.edits, policy: draw.policy(), preferences: draw.preferences(),
      stored: draw.stored(), links: draw.links, app: draw.app, gates: draw.gates, timeline: timeline,
      recordings: recordings, expectations: draw.expectations())
    scenario.person = draw.person()
    scenario.sync = draw.sync(&scenario.timeline)
    // Expectations of doubled notifications require sync.
    for index in scenario.expectations.indices
    where scenario.sync == nil && scenario.expectations[index].claim.isAboutDuplicates {
      scenario.expectations[index].claim = .only([ReminderID(0)])
    }
    draw.batches(&scenario)
    draw.notificationActions(&scenario)
    draw.attachments(&scenario)
    return scenario
  }
}

extension Draw {
  /// Draws the setup of sync, and inserts its faults as the first entry. Called after all other parts are
  /// drawn, so that it does not affect their draws.
  fileprivate mutating func sync(_ timeline: inout Timeline) -> SyncSetup? {
    guard !devices.isEmpty, random.chance(50) else { return nil }
    let faults: [PhoneEvent] = [.syncRepeats, .syncRefuses(UInt32(random.int(1...3)))]
    timeline.entries.insert(
      TimelineEntry(
        timing: .once(start), actions: faults.map { .event($0) }, device: device(), position: .start), at: 0)
    return SyncSetup(
      delay: .seconds(Int64(random.int(1...600))), retry: .minutes(Int64(random.int(1...60))),
      quota: random.maybe(30) { $0.int(1...20) }, pushes: random.chance(70),
      caps: random.chance(40) ? .person : .device)
  }

  /// Draws reminders that the person completes in one batch at the start.
  fileprivate mutating func batches(_ scenario: inout Scenario) {
    scenario.app.confirmsAbove = random.maybe(50) { $0.int(0...3) }
    var members: [(name: String, member: Batch.Member)] = []
    for (index, reminder) in scenario.reminders.enumerated() {
      guard let fact = scenario.instant(of: reminder.declaration) else { continue }
      members.append((reminder.declaration.id, Batch.Member(reminder: ReminderID(index), fact: fact)))
    }
    guard members.count > 1, random.chance(70) else { return }
    for isConfirmed in random.several(of: [true, false], 1...2) {
      let marked = random.several(of: members, 2...4)
      let words = "complete " + marked.map(\.name).joined(separator: ", ")
      scenario.app.batches.append(
        Batch(
          words: words + (isConfirmed ? "" : ", not confirmed"), .selected, marked.map(\.member),
          isConfirmed: isConfirmed))
    }
    let batches = scenario.app.batches.indices.map { TimelineAction.event(.inApp(.batch(BatchID($0)))) }
    scenario.timeline.entries.insert(
      TimelineEntry(
        timing: .once(start), actions: [.event(.openOwnApp)] + batches, device: device(), position: .start),
      at: 0)
  }

  /// Draws attachments, some of which a system refuses. Reminders with edits have no attachments, because the
  /// edits have none.
  fileprivate mutating func attachments(_ scenario: inout Scenario) {
    for index in scenario.reminders.indices where random.chance(15) {
      if scenario.edits.contains(where: { $0.reminder.index == index }) { continue }
      scenario.reminders[index].declaration.notification.attachment = NotificationAttachment(
        kind: random.one(of: NotificationAttachment.Kind.allCases), kilobytes: random.int(1...20_000))
    }
  }

  /// Draws the action buttons of notifications, and presses of these buttons.
  fileprivate mutating func notificationActions(_ scenario: inout Scenario) {
    for index in scenario.reminders.indices where random.chance(40) {
      var actions: [NotificationAction] = [.snooze(.minutes(Int64(random.int(1...10_000))))]
      if scenario.instant(of: scenario.reminders[index].declaration) != nil { actions.append(.done) }
      scenario.reminders[index].declaration.notification.actions = actions
      for _ in 0..<random.int(1...4) {
        let instant = storyInstant()
        let act = TimelineAction.event(.act(ReminderID(index), random.one(of: actions)))
        // The presses must be before the end, and must not change the end of a scenario that declares none.
        scenario.timeline.entries.append(
          TimelineEntry(
            timing: .once(instant < scenario.end ? instant : start), actions: [act], device: device(),
            position: .start))
      }
    }
  }

  /// Returns an end after all entries, as a whole minute or in milliseconds.
  fileprivate mutating func explicitEnd() -> Instant {
    let rest: Int64 = random.chance(50) ? 0 : Int64(random.int(0...59_999))
    let minutes = (horizon.millisecondsSince1970 + 59_999) / 60_000
    return Instant(millisecondsSince1970: minutes * 60_000 + rest)
  }

  /// Returns the end of the local day of the last entry.
  fileprivate static func usualEnd(of timeline: Timeline, _ start: Instant, _ zones: ZoneTable) -> Instant {
    let there = zones[timeline.stays.last?.zone ?? ZoneID(0)]
    let last = timeline.entries.reduce(start) { last, entry in
      switch entry.timing {
      case .once(let instant): max(last, instant)
      case .repeated(let repetition):
        max(last, repetition.until.map { there.startOfDay($0) - TimeSpan(milliseconds: 1) } ?? last)
      }
    }
    let zone = zones[timeline.zone(at: last)]
    return zone.startOfDay(zone.local(at: last).date + 1)
  }
}

extension Scenario {
  /// Returns the fact of the kind `instant` from which a reminder's schedule counts, or `nil` if there is
  /// none.
  fileprivate func instant(of declaration: ReminderDeclaration) -> FactID? {
    let counted = declaration.triggers.compactMap(\.countsFrom).first
    return facts.firstIndex { $0.name == counted && $0.kind == .instant }.map { FactID($0) }
  }
}
