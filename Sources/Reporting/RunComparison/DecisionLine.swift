import DeviceSimulation
import Journal
import TriggerModel

/// A line of a journal that says something of what became of a reminder, by the journal's own words: one that is added
/// to them does not compile here until it is known whether it does.
enum DecisionLine: CaseIterable {
  case request, noRequest, decided, dropped
  case refused, removed, repeated, delivered, presentedLate
  case tapped, dismissed

  init?(_ word: EngineEffect.Word) {
    switch word {
    case .request: self = .request
    case .noRequest: self = .noRequest
    case .decided: self = .decided
    case .dropped: self = .dropped
    // What is taken back is an outcome where the system has it.
    case .add, .remove, .withdraw, .monitor, .unmonitor, .watch, .unwatch, .wake, .wakeForRelease, .persist,
      .storeUnusable:
      return nil
    }
  }

  init?(_ word: PhoneOutcome.Word) {
    switch word {
    case .refused: self = .refused
    case .removed: self = .removed
    case .repeated: self = .repeated
    case .delivered: self = .delivered
    case .presentedLate: self = .presentedLate
    case .reserved, .rescheduled, .regionSuppressed, .missed, .falseSign, .prompted, .promptedLocation,
      .promptedScreenTime, .readingChanged, .ignored:
      return nil
    }
  }

  /// Of what really happened.
  init?(_ kind: ObservedEvent.Kind) {
    switch kind {
    case .tapped: self = .tapped
    case .dismissed: self = .dismissed
    default: return nil
    }
  }

  /// By the word with which a line of a track begins; every track has an entry.
  static let named = Dictionary(
    uniqueKeysWithValues: JournalRecord.Body.Track.allCases.map { ("\($0)", lines(of: $0)) })

  private static func lines(of track: JournalRecord.Body.Track) -> [String: DecisionLine] {
    switch track {
    case .effect: lines(EngineEffect.Word.allCases, Self.init)
    case .outcome: lines(PhoneOutcome.Word.allCases, Self.init)
    case .truth: lines(ObservedEvent.Kind.allCases, Self.init)
    case .happened, .observed, .due, .link, .app, .person, .sync: [:]
    }
  }

  private static func lines<Word>(
    _ words: [Word], _ line: (Word) -> DecisionLine?
  ) -> [String: DecisionLine] {
    Dictionary(uniqueKeysWithValues: words.compactMap { word in line(word).map { ("\(word)", $0) } })
  }
}
