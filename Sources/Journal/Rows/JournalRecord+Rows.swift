import DeviceSimulation
import ScenarioModel
import TriggerModel

/// A request that is due on the truth track, or a difference between the requests of the engine under test
/// and its observations.
package struct DueRequest: WireEvent {
  package enum Word: UInt8, WireWord {
    case due, notRequested, uncalledFor

    static let table = NameTable("event", of: Self.self)
  }

  var word: Word
  var id: RequestID
  /// The wall-clock instant for which the request is due.
  var time: Instant
  var cause: ObservedEvent

  func coded<Coder: FieldCoder>(by coder: inout Coder) throws(Coder.Failure) -> DueRequest {
    DueRequest(
      word: word,
      id: try coder.request(id),
      time: try coder.time(
        "scheduledFor", time, on: .wall, isNullable: false, .unless(coder.moment.wall)),
      cause: try coder.cause("because", cause))
  }
}

extension DueRequest {
  init(row word: Word, at moment: Moment) {
    self.init(
      word: word, id: RequestID(reminder: ReminderID(0), occurrence: 0), time: moment.wall,
      cause: ObservedEvent(.unlock, at: moment))
  }
}

extension JournalRecord.Body {
  /// The kind of a record.
  package enum Track: UInt8, WireWord {
    case happened, truth, observed, effect, outcome, due, link, app, person, sync

    static let table = NameTable("track", of: Self.self)
  }

  var track: Track {
    switch self {
    case .happened: .happened
    case .truth: .truth
    case .observed: .observed
    case .effect: .effect
    case .outcome: .outcome
    case .due, .notRequested, .uncalledFor: .due
    case .link: .link
    case .app: .app
    case .person: .person
    case .sync: .sync
    }
  }

  /// The index of the row's word in ``Track/words``.
  var word: UInt8 {
    switch self {
    case .happened(let event): event.word.rawValue
    case .truth(let event), .observed(let event): event.word.rawValue
    case .effect(let effect): effect.word.rawValue
    case .outcome(let outcome): outcome.word.rawValue
    case .due: DueRequest.Word.due.rawValue
    case .notRequested: DueRequest.Word.notRequested.rawValue
    case .uncalledFor: DueRequest.Word.uncalledFor.rawValue
    case .link(let record): record.word.rawValue
    case .app(let event): event.word.rawValue
    case .person(let act): act.word.rawValue
    case .sync(let record): record.word.rawValue
    }
  }

  /// Passes the fields of the row through a coder.
  func coded<Coder: FieldCoder>(by coder: inout Coder) throws(Coder.Failure) -> JournalRecord.Body {
    switch self {
    case .happened(let event): .happened(try event.coded(by: &coder))
    case .truth(let event): .truth(try event.coded(by: &coder))
    case .observed(let event): .observed(try event.coded(by: &coder))
    case .effect(let effect): .effect(try effect.coded(by: &coder))
    case .outcome(let outcome): .outcome(try outcome.coded(by: &coder))
    case .due(let id, let time, let cause):
      Self.due(try DueRequest(word: .due, id: id, time: time, cause: cause).coded(by: &coder))
    case .notRequested(let id, let time, let cause):
      Self.due(try DueRequest(word: .notRequested, id: id, time: time, cause: cause).coded(by: &coder))
    case .uncalledFor(let id, let time, let cause):
      Self.due(try DueRequest(word: .uncalledFor, id: id, time: time, cause: cause).coded(by: &coder))
    case .link(let record): .link(try record.coded(by: &coder))
    case .app(let event): .app(try event.coded(by: &coder))
    case .person(let act): .person(try act.coded(by: &coder))
    case .sync(let record): .sync(try record.coded(by: &coder))
    }
  }

  private static func due(_ due: DueRequest) -> JournalRecord.Body {
    switch due.word {
    case .due: .due(due.id, at: due.time, because: due.cause)
    case .notRequested: .notRequested(due.id, at: due.time, because: due.cause)
    case .uncalledFor: .uncalledFor(due.id, at: due.time, because: due.cause)
    }
  }

  /// Creates a row with placeholder fields, or returns `nil` if the track has no such word.
  init?(_ track: Track, row word: UInt8, at moment: Moment) {
    func row<Event: WireEvent>(_ type: Event.Type) -> Event? {
      Event.Word(rawValue: word).map { Event(row: $0, at: moment) }
    }
    let body: JournalRecord.Body? =
      switch track {
      case .happened: row(PhoneEvent.self).map { .happened($0) }
      case .truth: row(ObservedEvent.self).map { .truth($0) }
      case .observed: row(ObservedEvent.self).map { .observed($0) }
      case .effect: row(EngineEffect.self).map { .effect($0) }
      case .outcome: row(PhoneOutcome.self).map { .outcome($0) }
      case .due: row(DueRequest.self).map { Self.due($0) }
      case .link: row(LinkRecord.self).map { .link($0) }
      case .app: row(AppEvent.self).map { .app($0) }
      case .person: row(PersonAct.self).map { .person($0) }
      case .sync: row(SyncRecord.self).map { .sync($0) }
      }
    guard let body else { return nil }
    self = body
  }
}

extension JournalRecord.Body.Track {
  /// The words of the events on this track.
  var words: NameTable {
    switch self {
    case .happened: PhoneEvent.Word.table
    case .truth, .observed: ObservedEvent.Kind.table
    case .effect: EngineEffect.Word.table
    case .outcome: PhoneOutcome.Word.table
    case .due: DueRequest.Word.table
    case .link: LinkRecord.Word.table
    case .app: AppEvent.Word.table
    case .person: PersonAct.Word.table
    case .sync: SyncRecord.Word.table
    }
  }
}

/// A type whose cases are rows of the journal. Each row has a word and fields.
///
/// Implementations switch over the cases without a `default`. The module therefore does not compile until a
/// new case has a word, a placeholder and fields.
protocol WireEvent {
  associatedtype Word: WireWord

  /// Creates the row of a word with placeholder fields.
  init(row word: Word, at moment: Moment)

  var word: Word { get }

  /// Passes the fields of the row through a coder, in the order in which they are written.
  func coded<Coder: FieldCoder>(by coder: inout Coder) throws(Coder.Failure) -> Self
}
