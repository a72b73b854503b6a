import CivilTime
import DeviceSimulation
import ScenarioModel
import TestSupport
import TextFormats
import TriggerModel

extension Draw {
  /// Returns a time line. Its journeys are in chronological order, but its other entries are not.
  mutating func timeline() -> Timeline {
    var timeline = Timeline(entries: [], stays: [Timeline.Stay(from: start, zone: zone)])
    for _ in 0..<random.int(0...12) {
      if random.chance(15) {
        if let entry = journey(after: timeline.stays.last?.from ?? start) {
          timeline.entries.append(entry)
          guard case .once(let instant) = entry.timing, entry.device == 0 else { continue }
          for case .event(.travel(let zone)) in entry.actions {
            timeline.stays.append(Timeline.Stay(from: instant, zone: zone))
          }
        }
      } else {
        timeline.entries.append(
          TimelineEntry(
            timing: random.chance(75) ? .once(storyInstant()) : .repeated(repetition()),
            actions: (0..<random.int(1...3)).map { _ in action() }, device: device(), position: .start))
      }
    }
    return timeline
  }

  mutating func device() -> UInt8 {
    random.chance(70) ? 0 : UInt8(random.int(0...devices.count))
  }

  private mutating func journey(after last: Instant) -> TimelineEntry? {
    let instant = max(last, storyInstant())
    guard let destination = try? zones.intern(random.one(of: Self.zoneNames)) else { return nil }
    var actions: [TimelineAction] = [.event(.travel(destination))]
    if random.chance(30) { actions.append(action()) }
    return TimelineEntry(timing: .once(instant), actions: actions, device: device(), position: .start)
  }

  private mutating func repetition() -> Repetition {
    var repetition = Repetition(step: step(), weekdays: random.chance(50) ? .all : weekdays())
    if random.chance(30) { repetition.from = storyDate() }
    // The last entry determines the end of a scenario that declares no end, so every repetition must end.
    let from = repetition.from ?? here.local(at: start).date
    repetition.until = from + random.int(1...30)
    return repetition
  }

  private mutating func step() -> Repetition.Step {
    switch random.int(0...2) {
    case 0: return .elapsed(TimeSpan(milliseconds: Int64(random.int(600_000...100_000_000))))
    case 1: return .timesOfDay([timeOfDay()])
    default:
      let first = timeOfDay()
      let gap = Int32(random.chance(50) ? random.int(1...600) * 60_000 : random.int(1_000...5_000_000))
      return .timesOfDay(
        Array(stride(from: first, to: 86_400_000, by: Int32.Stride(gap)).prefix(random.int(1...20))))
    }
  }

  // MARK: - Actions

  private mutating func action() -> TimelineAction {
    switch random.int(0...4) {
    case 0: return random.one(of: Self.plain)
    case 1: return .event(settingsEvent())
    case 2: return .event(appEvent() ?? .unlock)
    case 3: return factAction() ?? .event(.lock)
    default: return reminderAction()
    }
  }

  private static var plain: [TimelineAction] {
    let events: [PhoneEvent] = [
      .unlock, .lock, .plugIn, .unplug, .openOwnApp, .leaveOwnApp, .forceQuit, .forceStop, .updateApp,
      .terminate,
      .powerOff, .powerOn,
      .cancelAll, .clearNotifications, .pullNotificationCentre, .systemSheet, .reinstall, .storeFault(.lost),
      .storeFault(.stale), .storeFault(.torn), .inApp(.skipPriming), .inApp(.maybeLater),
    ]
    return [.reboot] + events.map { .event($0) }
  }

  private mutating func settingsEvent() -> PhoneEvent {
    switch random.int(0...17) {
    case 0: .batteryLevel(Int32(random.int(0...1_000)))
    case 1: .setClock(ahead: random.chance(50) ? span() : .zero - span())
    case 2: .notificationPermission(random.one(of: NotificationPermission.allCases))
    case 3: .answerPrompt(answer())
    case 17: .screenTimePermission(random.one(of: ScreenTimePermission.allCases))
    case 4: .locationPermission(random.one(of: LocationPermission.allCases))
    case 5: .preciseLocation(random.chance(50))
    case 6: .focus(random.chance(50))
    case 7: .summary(random.chance(50))
    case 8: .airplaneMode(random.chance(50))
    case 9: .backgroundRefresh(random.chance(50))
    case 10: .lowPowerMode(random.chance(50))
    case 11: .preference(.type(TypeID(random.int(0...types.count - 1)), isOn: random.chance(50)))
    case 12: .preference(.all(isOn: random.chance(50)))
    case 13: .locationServices(random.chance(50))
    case 14: .exactAlarms(random.chance(50))
    case 15:
      .channel(TypeID(random.int(0...types.count - 1)), random.one(of: ChannelImportance.allCases))
    default: .preference(.dailyCap(random.maybe(70) { UInt32($0.int(0...1_000_000)) }))
    }
  }

  private mutating func answer() -> PromptAnswer {
    switch random.int(0...2) {
    case 0: .notifications(random.one(of: NotificationPermission.allCases))
    case 1: .location(random.one(of: LocationAnswer.allCases))
    default: .screenTime(random.one(of: ScreenTimePermission.allCases))
    }
  }

  private mutating func appEvent() -> PhoneEvent? {
    switch random.int(0...10) {
    case 10:
      apps.isEmpty
        ? nil : .appChoice(AppID(random.int(0...apps.count - 1)), isChosen: random.chance(50))
    case 0: apps.isEmpty ? nil : .openApp(AppID(random.int(0...apps.count - 1)))
    case 1: .failNextAdd(UInt32(random.chance(50) ? 1 : random.int(1...1_000_000)))
    case 2: links == nil ? nil : .openLink(link())
    case 3:
      links == nil ? nil : .linkFault(random.one(of: [.lost, .late(by: span()), .again(after: span())]))
    case 4: .inApp(.prime(priming()))
    case 5: app.surfaces.isEmpty ? nil : .inApp(random.chance(50) ? .show(surface()) : .visit(surface()))
    case 6: app.surfaces.isEmpty ? nil : .inApp(.callToAction(surface()))
    case 7: app.analytics == nil ? nil : .inApp(.consent(random.chance(50)))
    case 8: places.isEmpty ? nil : .enterRegion(RegionID(random.int(0...places.count - 1)))
    default: places.isEmpty ? nil : .exitRegion(RegionID(random.int(0...places.count - 1)))
    }
  }

  mutating func surface() -> SurfaceID { SurfaceID(random.int(0...app.surfaces.count - 1)) }

  private mutating func link() -> LinkID {
    let known = links?.opened.count ?? 0
    if known > 0, random.chance(50) { return LinkID(random.int(0...known - 1)) }
    let link = "fitme://\(name())/\(text())"
    links?.opened.append(link)
    return LinkID(known)
  }

  private mutating func factAction() -> TimelineAction? {
    if random.chance(20), !factSources.isEmpty {
      return .event(
        .reading(FactSourceID(random.int(0...factSources.count - 1)), isAllowed: random.chance(50)))
    }
    if random.chance(30) {
      let accuracy = random.chance(50) ? -1 : Double(random.int(1...100_000)) / 1_000
      return .fix(coordinate(), accuracy: accuracy)
    }
    guard let fact = fact() else { return nil }
    if fact.kind == .instant, random.chance(50) { return .setToNow(id(of: fact)) }
    return .event(.fact(id(of: fact), random.chance(20) ? .missing : value(of: fact.kind, fact.names)))
  }

  private mutating func reminderAction() -> TimelineAction {
    let reminder = ReminderID(random.int(0...reminders.count - 1))
    switch random.int(0...7) {
    case 0: return .event(.snooze(reminder, for: span()))
    case 1:
      return .snoozeUntil(
        reminder, date: random.chance(50) ? storyDate() : nil, millisecondOfDay: timeOfDay())
    case 2: return .event(.cancel(reminder))
    case 3: return .event(.tap(reminder))
    case 7: return .event(.create(reminder))
    case 4 where !edits.isEmpty:
      let index = random.int(0...edits.count - 1)
      return .event(.edit(edits[index].reminder, UInt32(index)))
    case 5: return .event(.ignore(reminder))
    default: return .event(.dismiss(reminder))
    }
  }

  // MARK: - Recordings

  private mutating func speed() -> Speed {
    let thousandths = Int64(random.int(1...1_000_000))
    return Speed(millimetresPerHour: thousandths * (random.chance(50) ? 1_000 : 3_600))
  }

  mutating func recordings() -> [RecordingReference] {
    (0..<(random.chance(70) ? 0 : random.int(1...3))).map { _ in
      let source: RecordingReference.Source =
        switch random.int(0...4) {
        case 0: .gpx(text())
        case 1: .ndjson("traces/\(name()).ndjson")
        case 2: .aware(battery: text(), screen: nil)
        case 3: .aware(battery: nil, screen: text())
        default: .aware(battery: text(), screen: text())
        }
      let isAware = if case .aware = source { true } else { false }
      let isTrack = if case .gpx = source { true } else { false }
      let startsAt = random.chance(50) ? storyInstant() : nil
      return RecordingReference(
        source: source, startsAt: startsAt,
        accuracyLimit: !isAware && random.chance(40) ? Double(random.int(1...100_000)) / 1_000 : nil,
        longestGap: !isAware && random.chance(30) ? span() : nil,
        speed: isTrack && startsAt != nil && random.chance(30) ? speed() : nil,
        track: isTrack && random.chance(30) ? random.int(1...9) : nil,
        chargingColumn: isAware ? random.one(of: RecordingReference.ChargingColumn.allCases) : .adaptor,
        recordedDevice: isAware && random.chance(30) ? text() : nil, device: device(), position: .start)
    }
  }
}
