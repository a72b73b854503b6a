import CivilTime
import DeviceSimulation
import Journal
import NotificationGateway
import ScenarioModel
import TestSupport
import TriggerModel

@testable import Journal

/// Creates random records of every kind. The same seed creates the same records.
struct RandomRecords {
  private var random: SplitMix64
  private let names: WireNames

  init(_ names: WireNames, seed: UInt64) {
    self.names = names
    random = SplitMix64(seed: seed)
  }

  mutating func draw(_ bound: Int) -> Int { random.below(bound) }

  // MARK: Values

  private mutating func flip() -> Bool { draw(2) == 0 }

  private mutating func id<Subject>(_ list: NameList) -> DenseID<Subject> {
    DenseID(draw(names[list].names.count))
  }

  private mutating func word<Word: WireWord>() -> Word {
    let all = Array(Word.allCases)
    return all[draw(all.count)]
  }

  /// Returns an instant that the wire form can represent. Most are recent, and some are distant.
  private mutating func instant() -> Instant {
    switch draw(8) {
    case 0: Instant(millisecondsSince1970: Int64(draw(300_000_000_000_000)) - 62_000_000_000_000)
    case 1: Instant(millisecondsSince1970: Int64(draw(60)) * 1_000_000_000)
    default: Instant(millisecondsSince1970: 1_772_000_000_000 + Int64(draw(40_000_000)) * 250)
    }
  }

  private mutating func span() -> TimeSpan { TimeSpan(milliseconds: Int64(draw(1 << 40))) }

  mutating func moment() -> Moment {
    Moment(
      wall: instant(), uptime: Uptime(boot: UInt32(draw(1 << 32)), span: span()), zone: id(.zone))
  }

  private mutating func requestID() -> RequestID {
    RequestID(reminder: id(.reminder), occurrence: UInt32(draw(flip() ? 3 : 1 << 32)))
  }

  private mutating func request() -> NotificationRequest {
    let id = requestID()
    return NotificationRequest(
      id: id, type: self.id(.type), bucket: word(), priority: UInt8(draw(256)), copy: UInt8(draw(256)),
      scheduledFor: instant(), deliverAt: instant(), expiresAt: flip() ? instant() : .distantFuture,
      rank: names.rank(of: id.reminder), isFloating: flip(), repeats: flip() ? pattern() : nil)
  }

  private mutating func pattern() -> SystemRepeat {
    SystemRepeat(
      word(), month: Int(draw(12)) + 1, day: Int(draw(31)) + 1, minute: Int(draw(1_440)),
      seconds: Int(draw(1 << 20)))
  }

  private mutating func decision() -> Decision {
    Decision(
      outcome: word(), reason: flip() ? word() : nil,
      blockers: ReasonSet(rawValue: random.next() & (1 << UInt64(Reason.allCases.count) - 1)),
      until: flip() ? instant() : nil)
  }

  private mutating func fix() -> Fix {
    Fix(
      instant: instant(),
      coordinate: Coordinate(
        latitude: Double(draw(180_000_001)) / 1e6 - 90,
        longitude: Double(random.next() >> 11) * 0x1p-53 * 360 - 180),
      accuracy: flip() ? -1 : Double(draw(100_000)) / 7)
  }

  private mutating func fact() -> (FactID, FactValue) {
    let fact = FactID(draw(names.facts.count))
    if draw(5) == 0 { return (fact, .missing) }
    let value: FactValue =
      switch names.facts[fact.index].kind {
      case .truth: .truth(flip())
      case .number:
        .number(
          thousandths: flip()
            ? Int64(draw(2_000_000)) - 1_000_000 : Int64(truncatingIfNeeded: random.next() | 1))
      case .instant: .instant(instant())
      case .date: .date(CivilDate(dayNumber: Int32(draw(40_000))))
      case .name: .name(draw(names.facts[fact.index].names.count))
      }
    return (fact, value)
  }

  private mutating func edit() -> (ReminderID, UInt32) {
    let reminder: ReminderID = id(.reminder)
    return (reminder, names.edit(UInt32(draw(names.edits(of: reminder).names.count)), of: reminder))
  }

  private mutating func preference() -> PreferenceChange {
    switch draw(4) {
    case 0: .type(id(.type), isOn: flip())
    case 1: .all(isOn: flip())
    case 2: .dailyCap(nil)
    default: .dailyCap(UInt32(draw(1 << 32)))
    }
  }

  // MARK: Rows

  mutating func happened(_ word: PhoneEvent.Word) -> PhoneEvent {
    switch word {
    case .unlock, .lock, .plugIn, .unplug, .openOwnApp, .leaveOwnApp, .forceQuit, .forceStop, .updateApp,
      .terminate, .powerOff, .powerOn, .cancelAll, .clearNotifications, .pullNotificationCentre, .systemSheet,
      .reinstall,
      .skipPriming, .maybeLater, .syncRepeats:
      return PhoneEvent(row: word, at: moment())
    case .batteryLevel: return .batteryLevel(Int32(draw(1_001)))
    case .openApp: return .openApp(id(.app))
    case .fix: return .fix(fix())
    case .found: return .found(fix())
    case .enterRegion: return .enterRegion(id(.region))
    case .exitRegion: return .exitRegion(id(.region))
    case .travel: return .travel(id(.zone))
    case .setClock: return .setClock(ahead: flip() ? span() : .zero - span())
    case .notificationPermission: return .notificationPermission(self.word())
    case .answerPrompt: return .answerPrompt(.notifications(self.word()))
    case .answerLocationPrompt: return .answerPrompt(.location(self.word()))
    case .answerScreenTimePrompt: return .answerPrompt(.screenTime(self.word()))
    case .screenTimePermission: return .screenTimePermission(self.word())
    case .appChoice: return .appChoice(id(.app), isChosen: flip())
    case .locationPermission: return .locationPermission(self.word())
    case .preciseLocation: return .preciseLocation(flip())
    case .locationServices: return .locationServices(flip())
    case .exactAlarms: return .exactAlarms(flip())
    case .channel: return .channel(id(.type), self.word())
    case .focus: return .focus(flip())
    case .summary: return .summary(flip())
    case .airplaneMode: return .airplaneMode(flip())
    case .backgroundRefresh: return .backgroundRefresh(flip())
    case .lowPowerMode: return .lowPowerMode(flip())
    case .fact:
      let (fact, value) = fact()
      return .fact(fact, value)
    case .reading: return .reading(id(.source), isAllowed: flip())
    case .snooze: return .snooze(id(.reminder), for: span())
    case .snoozeUntil: return .snoozeUntil(id(.reminder), instant())
    case .cancel: return .cancel(id(.reminder))
    case .create: return .create(id(.reminder))
    case .edit:
      let (reminder, edit) = edit()
      return .edit(reminder, edit)
    case .preference: return .preference(preference())
    case .tap: return .tap(id(.reminder))
    case .dismiss: return .dismiss(id(.reminder))
    case .act: return .act(id(.reminder), flip() ? .done : .snooze(span()))
    case .ignore: return .ignore(id(.reminder))
    case .failNextAdd: return .failNextAdd(UInt32(draw(1 << 32)))
    case .openLink: return .openLink(id(.link))
    case .storeFault: return .storeFault(self.word())
    case .linkFault: return .linkFault([.lost, .late(by: span()), .again(after: span())][draw(3)])
    case .syncRefuses: return .syncRefuses(UInt32(draw(1 << 32)))
    case .prime: return .inApp(.prime(id(.priming)))
    case .visit: return .inApp(.visit(id(.surface)))
    case .show: return .inApp(.show(id(.surface)))
    case .callToAction: return .inApp(.callToAction(id(.surface)))
    case .consent: return .inApp(.consent(flip()))
    case .batch: return .inApp(.batch(id(.batch)))
    }
  }

  mutating func observed(_ kind: ObservedEvent.Kind, at moment: Moment) -> ObservedEvent {
    var subject: UInt32 = 0
    var value: Int64 = 0
    switch kind {
    case .unlock, .lock, .opened, .backgrounded, .zoneChanged, .clockChanged, .storeAvailable, .reinstalled,
      .cancelAll:
      break
    case .chargingStarted, .chargingStopped, .launched: value = Int64(draw(2))
    case .batteryLevel: value = Int64(draw(101))
    case .appOpened: subject = (id(.app) as AppID).rawValue
    case .regionEntered, .regionExited:
      subject = (id(.region) as RegionID).rawValue
      value = Int64(draw(kind == .regionEntered ? 3 : 2))
    case .regionFailed: subject = (id(.region) as RegionID).rawValue
    case .factChanged, .factFound:
      let (fact, new) = fact()
      (subject, value) = (fact.rawValue, new.bits)
    case .permissionChanged: value = Int64(draw(NotificationPermission.allCases.count))
    case .woken: subject = flip() ? .max : (id(.reminder) as ReminderID).rawValue
    case .addFailed, .pendingDropped, .delivered, .tapped, .dismissed, .acted:
      let id = requestID()
      (subject, value) = (id.reminder.rawValue, Int64(id.occurrence))
    case .snooze: (subject, value) = ((id(.reminder) as ReminderID).rawValue, instant().millisecondsSince1970)
    case .cancel, .create: subject = (id(.reminder) as ReminderID).rawValue
    case .edit:
      let (reminder, edit) = edit()
      (subject, value) = (reminder.rawValue, Int64(edit))
    case .preferencesChanged: return ObservedEvent(preference(), at: moment)
    case .deliveredElsewhere:
      return ObservedEvent(
        deliveredElsewhere: id(.type), word(), at: moment, age: TimeSpan(milliseconds: Int64(draw(1 << 32))))
    case .located: value = position().bits
    }
    return ObservedEvent(kind, subject: subject, value: value, at: moment)
  }

  private mutating func position() -> Position {
    Position(
      latitude: Int32(draw(1_800_000_001) - 900_000_000),
      longitude: Int32(draw(3_600_000_001) - 1_800_000_000))
  }

  mutating func effect(_ word: EngineEffect.Word) -> EngineEffect {
    switch word {
    case .request: .request(request())
    case .noRequest: .noRequest(id(.reminder), self.word(), failed: ConditionKinds(rawValue: UInt8(draw(32))))
    case .decided: .decided(request(), decision())
    case .dropped: .dropped(request(), self.word())
    case .add: .add(request())
    case .remove: .remove(requestID(), self.word())
    case .withdraw: .withdraw(id(.reminder), self.word())
    case .removeShown: .removeShown(id(.reminder))
    case .monitor: .monitor(id(.region))
    case .unmonitor: .unmonitor(id(.region))
    case .watch: .watch(Surroundings(center: position(), radius: UInt32(draw(500_000)) + 1))
    case .unwatch: .unwatch
    case .wake: .wake(id(.reminder), at: flip() ? instant() : .distantFuture)
    case .wakeForRelease: .wakeForRelease(at: flip() ? instant() : .distantFuture)
    case .persist: .persist
    case .storeUnusable: .storeUnusable(self.word())
    }
  }

  mutating func outcome(_ word: PhoneOutcome.Word) -> PhoneOutcome {
    switch word {
    case .reserved: return .reserved(requestID(), due: instant())
    case .refused: return .refused(requestID(), self.word())
    case .removed: return .removed(requestID(), self.word())
    case .rescheduled: return .rescheduled(requestID(), due: instant())
    case .repeated: return .repeated(requestID(), for: instant(), due: instant())
    case .delivered:
      var presentation = Presentation.banner
      presentation.surface = self.word()
      presentation.cause = flip() ? self.word() : nil
      return .delivered(requestID(), presentation)
    case .presentedLate: return .presentedLate(requestID(), after: span())
    case .regionSuppressed: return .regionSuppressed(id(.region), entering: flip(), self.word())
    case .missed:
      let (kind, subject) = sign()
      return .missed(kind, subject: subject, self.word())
    case .falseSign:
      let (kind, subject) = sign()
      return .falseSign(kind, subject: subject)
    case .prompted: return .prompted(.notifications(self.word()))
    case .promptedLocation: return .prompted(.location(self.word()))
    case .promptedScreenTime: return .prompted(.screenTime(self.word()))
    case .readingChanged: return .readingChanged(id(.source), isAllowed: flip())
    case .ignored: return .ignored(self.word())
    }
  }

  private mutating func sign() -> (ObservedEvent.Kind, UInt32) {
    let kind: ObservedEvent.Kind = word()
    let subject: UInt32 =
      switch kind {
      case .appOpened: (id(.app) as AppID).rawValue
      case .regionEntered, .regionExited, .regionFailed: (id(.region) as RegionID).rawValue
      case .factChanged, .factFound: UInt32(draw(names.facts.count))
      case .addFailed, .pendingDropped, .delivered, .tapped, .dismissed, .snooze, .cancel, .edit:
        (id(.reminder) as ReminderID).rawValue
      default: 0
      }
    return (kind, subject)
  }

  private mutating func destination() -> LinkDestination {
    LinkDestination(consumer: UInt32(draw(2)), pattern: UInt32(draw(2)), isFallback: flip())
  }

  mutating func link(_ word: LinkRecord.Word) -> LinkRecord {
    let step: LinkRecord.Step =
      switch word {
      case .attempted: .attempted
      case .duplicate: .duplicate
      case .routed: .routed(destination())
      case .unconsumed: .unconsumed(destination())
      case .failed: .failed(self.word())
      }
    return LinkRecord(
      link: id(.link), request: flip() ? requestID() : nil, source: self.word(), isRepeat: flip(), step: step)
  }

  mutating func app(_ word: AppEvent.Word) -> AppEvent {
    switch word {
    case .primingShown: .primingShown(id(.priming))
    case .primingSkipped: .primingSkipped(id(.priming))
    case .permissionRequested: .permissionRequested(self.word())
    case .permissionGranted: .permissionGranted(self.word())
    case .permissionDenied: .permissionDenied(self.word())
    case .promptEarly: .promptEarly(self.word())
    case .promptStacked: .promptStacked(self.word())
    case .settingsBannerShown: .settingsBannerShown
    case .surfaceShown: .surfaceShown(id(.surface))
    case .surfaceCallToAction: .surfaceCallToAction(id(.surface))
    case .surfaceDismissed: .surfaceDismissed(id(.surface))
    case .surfaceUnlocked: .surfaceUnlocked(id(.surface))
    case .surfaceLocked: .surfaceLocked(id(.surface))
    case .milestone: .milestone(id(.milestone))
    case .consentChanged: .consentChanged(flip())
    case .reminderRefused: .reminderRefused(id(.reminder))
    case .surfaceUnasked: .surfaceUnasked(id(.surface))
    case .batchDone: .batchDone(UInt32(draw(1 << 32)))
    case .confirmationAsked: .confirmationAsked
    case .confirmationDeclined: .confirmationDeclined
    }
  }

  private mutating func person(_ word: PersonAct.Word) -> PersonAct {
    switch word {
    case .taps: return .tap(requestID())
    case .dismisses: return .dismiss(requestID())
    case .optsOut: return .optOut
    case .opens: return .open
    case .sets:
      let (fact, value) = fact()
      return .set(fact, value)
    case .snoozes: return .snooze(id(.reminder), for: span())
    }
  }

  private mutating func sync(_ word: SyncRecord.Word) -> SyncRecord {
    switch word {
    case .written: .written(write())
    case .refused: .refused(write(), self.word())
    case .stored: .stored(write())
    case .overruled: .overruled(write())
    case .repeated: .repeated(write())
    case .learned: .learned(write())
    case .doubled: .doubled(requestID(), self.word())
    case .untold: .untold(requestID(), self.word())
    }
  }

  private mutating func write() -> SyncWrite {
    SyncWrite(change(), at: instant(), device: UInt8(draw(2)), number: UInt32(draw(1 << 32)))
  }

  private mutating func change() -> SharedChange {
    switch draw(8) {
    case 0:
      let (fact, value) = fact()
      return .fact(fact, value)
    case 1: return .create(id(.reminder))
    case 2:
      let (reminder, edit) = edit()
      return .edit(reminder, edit)
    case 3: return .cancel(id(.reminder))
    case 4: return .snooze(id(.reminder), until: instant())
    case 5: return .cancelAll
    case 6: return .notified(id(.type), word())
    default: return .preference(preference())
    }
  }

  // MARK: Records

  /// Returns one record for each row of each track, in the order of tracks and words.
  mutating func round() -> [JournalRecord] {
    JournalRecord.Body.Track.allCases.flatMap { track in
      (0..<track.words.names.count).map { record(track, UInt8($0)) }
    }
  }

  private mutating func due(_ word: DueRequest.Word, at moment: Moment) -> JournalRecord.Body {
    let (id, time) = (requestID(), flip() ? moment.wall : self.moment().wall)
    let cause = observed(self.word(), at: flip() ? moment : self.moment())
    return switch word {
    case .due: .due(id, at: time, because: cause)
    case .notRequested: .notRequested(id, at: time, because: cause)
    case .uncalledFor: .uncalledFor(id, at: time, because: cause)
    }
  }

  private mutating func record(_ track: JournalRecord.Body.Track, _ word: UInt8) -> JournalRecord {
    let moment = moment()
    func row<Word: WireWord>(_ type: Word.Type) -> Word { Array(Word.allCases)[Int(word)] }
    let body: JournalRecord.Body =
      switch track {
      case .happened: .happened(happened(row(PhoneEvent.Word.self)))
      case .truth: .truth(observed(row(ObservedEvent.Kind.self), at: moment))
      case .observed: .observed(observed(row(ObservedEvent.Kind.self), at: moment))
      case .effect: .effect(effect(row(EngineEffect.Word.self)))
      case .outcome: .outcome(outcome(row(PhoneOutcome.Word.self)))
      case .due: due(row(DueRequest.Word.self), at: moment)
      case .link: .link(link(row(LinkRecord.Word.self)))
      case .app: .app(app(row(AppEvent.Word.self)))
      case .person: .person(person(row(PersonAct.Word.self)))
      case .sync: .sync(sync(row(SyncRecord.Word.self)))
      }
    return JournalRecord(
      body,
      RecordStamp(
        person: flip() ? UInt64(draw(3)) : random.next(), device: UInt8(draw(2)), instant: instant(),
        moment: moment))
  }
}

/// Names that JSON must escape.
enum SampleNames {
  static let names: WireNames = {
    var lists = WireNames.Lists()
    lists.reminders = ["milk", "a \"quoted\" one", "back\\slash", "née ☕️ 🏊🏽", "", "tab\tand\u{1}control"]
    lists.edits = [
      .init(of: ReminderID(0), "later"), .init(of: ReminderID(2), "later"),
      .init(of: ReminderID(0), "at home"),
      .init(of: ReminderID(1), "x"), .init(of: ReminderID(3), "y"), .init(of: ReminderID(4), "z"),
      .init(of: ReminderID(5), "z"),
    ]
    lists.types = ["milk", "protein", "rest/day"]
    lists.regions = (0..<20).map { "place \($0)" }
    lists.apps = ["maps", "mail"]
    lists.facts = [
      .init("account.signedIn", .truth), .init("protein.current", .number), .init("workout.next", .instant),
      .init("plan", .name, names: ["free", "plus", "null"]),
    ]
    lists.sources = ["health", "contacts"]
    lists.links = ["fitme://nav/home", "https://fitme.example/a?b=\"c\""]
    lists.consumers = [
      LinkConsumer(id: "tabs", patterns: ["nav/{home|main}", "auth/{flow}"].compactMap { LinkPattern($0) }),
      LinkConsumer(id: "rest", patterns: ["a/b", "c"].compactMap { LinkPattern($0) }, fallback: "nav/home"),
    ]
    for zone in ["Europe/Berlin", "Pacific/Apia", "Africa/Monrovia", "Asia/Kathmandu", "UTC"] {
      _ = try? lists.zones.intern(zone)
    }
    lists.surfaces = ["insights", "plans"]
    lists.primings = ["first_workout", "settings_row"]
    lists.milestones = ["firstWorkout"]
    lists.batches = ["complete all water in room kitchen", "move all in room kitchen to other"]
    lists.devices = ["phone", "watch"]
    return WireNames(lists)
  }()
}
