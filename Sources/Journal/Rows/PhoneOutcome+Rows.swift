import DeviceSimulation
import TriggerModel

/// The rows of outcomes inside the phone.
extension PhoneOutcome: WireEvent {
  package enum Word: UInt8, WireWord {
    case reserved, refused, removed, rescheduled, repeated, delivered, presentedLate, regionSuppressed, missed
    case falseSign, prompted, readingChanged, ignored
    case promptedLocation, promptedScreenTime

    static let table = NameTable("event", of: Self.self)
  }

  var word: Word {
    switch self {
    case .reserved: .reserved
    case .refused: .refused
    case .removed: .removed
    case .rescheduled: .rescheduled
    case .repeated: .repeated
    case .delivered: .delivered
    case .presentedLate: .presentedLate
    case .regionSuppressed: .regionSuppressed
    case .missed: .missed
    case .falseSign: .falseSign
    case .prompted(.notifications): .prompted
    case .prompted(.location): .promptedLocation
    case .prompted(.screenTime): .promptedScreenTime
    case .readingChanged: .readingChanged
    case .ignored: .ignored
    }
  }

  init(row word: Word, at moment: Moment) {
    let id = RequestID(reminder: ReminderID(0), occurrence: 0)
    self =
      switch word {
      case .reserved: .reserved(id, due: moment.wall)
      case .refused: .refused(id, .pendingLimit)
      case .removed: .removed(id, .cancelled)
      case .rescheduled: .rescheduled(id, due: moment.wall)
      case .repeated: .repeated(id, for: moment.wall, due: moment.wall)
      case .delivered: .delivered(id, .banner)
      case .presentedLate: .presentedLate(id, after: .zero)
      case .regionSuppressed: .regionSuppressed(RegionID(0), entering: false, .dwell)
      case .missed: .missed(.unlock, subject: 0, .noSign)
      case .falseSign: .falseSign(.unlock, subject: 0)
      case .prompted: .prompted(.notifications(.notDetermined))
      case .promptedLocation: .prompted(.location(.notDetermined))
      case .promptedScreenTime: .prompted(.screenTime(.notDetermined))
      case .readingChanged: .readingChanged(FactSourceID(0), isAllowed: false)
      case .ignored: .ignored(.alreadySo)
      }
  }

  func coded<Coder: FieldCoder>(by coder: inout Coder) throws(Coder.Failure) -> PhoneOutcome {
    switch self {
    case .reserved(let id, let due): return .reserved(try coder.request(id), due: try coder.time("due", due))
    case .refused(let id, let reason):
      return .refused(try coder.request(id), try coder.word("reason", reason))
    case .removed(let id, let reason):
      return .removed(try coder.request(id), try coder.word("reason", reason))
    case .rescheduled(let id, let due):
      return .rescheduled(try coder.request(id), due: try coder.time("due", due))
    case .repeated(let id, let occurrence, let due):
      return .repeated(
        try coder.request(id), for: try coder.time("scheduledFor", occurrence),
        due: try coder.time("due", due))
    case .delivered(let id, var presentation):
      let id = try coder.request(id)
      presentation.surface = try coder.word("surface", presentation.surface)
      presentation.cause = try coder.optionalWord("cause", presentation.cause)
      return .delivered(id, presentation)
    case .presentedLate(let id, let span):
      return .presentedLate(try coder.request(id), after: try coder.span("afterMilliseconds", span))
    case .regionSuppressed(let region, let isEntering, let suppression):
      return .regionSuppressed(
        try coder.name("region", .region, region), entering: try coder.truth("entering", isEntering),
        try coder.word("suppression", suppression))
    case .missed(let kind, let subject, let cause):
      let (kind, subject) = try Self.sign(kind, subject, &coder)
      return .missed(kind, subject: subject, try coder.word("cause", cause))
    case .falseSign(let kind, let subject):
      let (kind, subject) = try Self.sign(kind, subject, &coder)
      return .falseSign(kind, subject: subject)
    case .prompted(let answer): return .prompted(try answer.coded(by: &coder, "answer"))
    case .readingChanged(let source, let isAllowed):
      return .readingChanged(
        try coder.name("source", .source, source), isAllowed: try coder.truth("allowed", isAllowed))
    case .ignored(let cause): return .ignored(try coder.word("cause", cause))
    }
  }

  /// Encodes or decodes the kind of an event and its subject. The key of the subject depends on the kind.
  private static func sign<Coder: FieldCoder>(
    _ kind: ObservedEvent.Kind, _ subject: UInt32, _ coder: inout Coder
  ) throws(Coder.Failure) -> (ObservedEvent.Kind, UInt32) {
    let kind = try coder.variant("kind", kind)
    guard let (key, list) = kind.subject else { return (kind, 0) }
    return (kind, try coder.name(key, list, subject, .always))
  }
}
