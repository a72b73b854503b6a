import DeviceSimulation
package import Journal
import ReminderMatching
package import TriggerModel

/// What an engine decided about each reminder, in the order of time.
package struct DecisionLog: JournalSink, Sendable {
  package struct Decision: Hashable, Sendable {
    package var instant: Instant
    package var moment: Moment
    package var device: UInt8
    package var what: What
  }

  package enum What: Hashable, Sendable {
    case asks(Bucket, deliverAt: Instant)
    /// It saw the trigger and asks for nothing.
    case declines(Reason, failed: ConditionKinds)
    case decides(TriggerModel.Decision.Outcome, Reason?)
    case drops(Reason)
    case takesBack(Reason)
    /// The system has delivered it.
    case delivers

    /// With the engine as its subject: "denies the request by quietHours".
    var phrase: String {
      switch self {
      case .asks: return "asks for a notification"
      case .declines(let reason, let failed):
        return "asks for nothing: \(reason.name)"
          + (failed.isEmpty ? "" : " (\(failed.names.joined(separator: ", ")))")
      case .decides(let outcome, let reason):
        let by = reason.map { " by \($0.name)" } ?? ""
        switch outcome {
        case .admit: return "admits the request"
        case .deny: return "denies the request" + by
        case .defer: return "defers the request" + by
        case .fail: return "fails the request" + by
        }
      case .drops(let reason): return "drops the request: \(reason.name)"
      case .takesBack(let reason): return "takes the request back: \(reason.name)"
      case .delivers: return "has it delivered"
      }
    }
  }

  /// By reminder.
  package private(set) var decisions: [[Decision]]
  /// By reminder: the triggers for which nothing was asked. Engines need not tell of them.
  package private(set) var misses: [[Decision]]

  package init(reminderCount: Int) {
    decisions = Array(repeating: [], count: reminderCount)
    misses = decisions
  }

  package static var wantsEveryFix: Bool { false }

  package mutating func record(_ body: JournalRecord.Body, _ stamp: RecordStamp) {
    switch body {
    case .effect(let effect): note(effect, stamp)
    case .outcome(.delivered(let id, _)): append(.delivers, id.reminder, stamp)
    case .happened, .truth, .observed, .outcome, .due, .link, .app, .person, .sync: break
    }
  }

  private mutating func note(_ effect: EngineEffect, _ stamp: RecordStamp) {
    switch effect {
    case .request(let request):
      append(.asks(request.bucket, deliverAt: request.deliverAt), request.id.reminder, stamp)
    case .noRequest(let reminder, let reason, let failed):
      guard reminder.index < misses.count else { return }
      misses[reminder.index].append(decision(.declines(reason, failed: failed), stamp))
    case .decided(let request, let decision):
      append(.decides(decision.outcome, decision.reason), request.id.reminder, stamp)
    case .dropped(let request, let reason): append(.drops(reason), request.id.reminder, stamp)
    case .remove(let id, let reason): append(.takesBack(reason), id.reminder, stamp)
    case .add, .withdraw, .monitor, .unmonitor, .watch, .unwatch, .wake, .wakeForRelease, .persist,
      .storeUnusable:
      break
    }
  }

  private mutating func append(_ what: What, _ reminder: ReminderID, _ stamp: RecordStamp) {
    guard reminder.index < decisions.count else { return }
    decisions[reminder.index].append(decision(what, stamp))
  }

  private func decision(_ what: What, _ stamp: RecordStamp) -> Decision {
    Decision(instant: stamp.instant, moment: stamp.moment, device: stamp.device, what: what)
  }
}
