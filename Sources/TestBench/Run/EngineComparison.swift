import ReminderMatching
import DeviceSimulation
package import Journal
import ReminderEngine
import ScenarioModel
package import ScenarioPrograms
import Statistics
package import TriggerModel

/// Holds the decisions of two engines in one scenario against each other.
package struct EngineComparison: Sendable {
  /// The first decision about a reminder in which two engines differ.
  package struct Difference: Hashable, Sendable {
    package var reminder: String
    package var instant: Instant
    /// `milk at 2026-03-02 17:40: built-in denies the request by quietHours; mine admits it`; of a person with
    /// several devices it begins with `milk on tablet`.
    package var sentence: String
  }

  /// In the order of time, and of one instant in that of the reminders' names.
  package private(set) var differences: [Difference] = []

  /// - Parameters:
  ///   - names: How the engines are called in sentences.
  package init(_ program: Program, _ a: DecisionLog, _ b: DecisionLog, names: (String, String)) {
    let words = RunWords(program)
    for (index, reminder) in program.scenario.reminders.enumerated() {
      let (first, second) = (a.decisions[index], b.decisions[index])
      var position = 0
      while position < first.count, position < second.count, first[position] == second[position] {
        position += 1
      }
      let left = position < first.count ? first[position] : nil
      let right = position < second.count ? second[position] : nil
      // What comes first in time is where they part, and of one instant on the first of the devices.
      guard
        let moment = [left, right].compactMap(\.self).min(by: {
          ($0.instant, $0.device) < ($1.instant, $1.device)
        })
      else { continue }
      func isThere(_ decision: DecisionLog.Decision) -> Bool {
        decision.instant == moment.instant && decision.device == moment.device
      }
      func phrase(_ decision: DecisionLog.Decision?, _ log: DecisionLog) -> String {
        guard let decision, isThere(decision) else {
          let miss = log.misses[index].last(where: isThere)
          return miss.map { $0.what.phrase } ?? "does nothing"
        }
        return decision.what.phrase
      }
      let id = reminder.declaration.id
      let device = program.devices.count > 1 ? " on \(words.name(ofDevice: moment.device))" : ""
      differences.append(
        Difference(
          reminder: id, instant: moment.instant,
          sentence: "\(id)\(device) at \(words.time(moment.moment)): \(names.0) \(phrase(left, a)); "
            + "\(names.1) \(phrase(right, b))"))
    }
    differences.sort { ($0.instant, $0.reminder) < ($1.instant, $1.reminder) }
  }
}

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
