import NotificationGateway
import TriggerModel

/// The steps of a link on its way into the app. The step is the event.
extension LinkRecord: WireEvent {
  enum Word: UInt8, WireWord {
    case attempted, duplicate, routed, unconsumed, failed

    static let table = NameTable("event", of: Self.self)
  }

  var word: Word {
    switch step {
    case .attempted: .attempted
    case .duplicate: .duplicate
    case .routed: .routed
    case .unconsumed: .unconsumed
    case .failed: .failed
    }
  }

  init(row word: Word, at moment: Moment) {
    let step: Step =
      switch word {
      case .attempted: .attempted
      case .duplicate: .duplicate
      case .routed: .routed(LinkDestination(consumer: 0, pattern: 0))
      case .unconsumed: .unconsumed(LinkDestination(consumer: 0, pattern: 0))
      case .failed: .failed(.linkLost)
      }
    self.init(link: LinkID(0), source: .notification, step: step)
  }

  func coded<Coder: FieldCoder>(by coder: inout Coder) throws(Coder.Failure) -> LinkRecord {
    var record = self
    record.link = try coder.name("link", .link, link)
    record.source = try coder.word("source", source)
    let isTap = try coder.has("reminder", request != nil)
    let nobody = RequestID(reminder: ReminderID(0), occurrence: 0)
    record.request = isTap ? try coder.request(request ?? nobody) : nil
    record.isRepeat = try coder.flag("repeat", isRepeat)
    record.step = try step.coded(by: &coder)
    return record
  }
}

extension LinkRecord.Step {
  fileprivate func coded<Coder: FieldCoder>(by coder: inout Coder) throws(Coder.Failure) -> LinkRecord.Step {
    switch self {
    case .attempted, .duplicate: self
    case .routed(let destination): .routed(try coder.destination(destination))
    case .unconsumed(let destination): .unconsumed(try coder.destination(destination))
    case .failed(let reason): .failed(try coder.word("reason", reason))
    }
  }
}
