import DeviceSimulation
package import EngineWire
package import Journal
import ReminderEngine
import ReminderMatching
import ScenarioModel
package import Simulation
import Statistics
import TextFormats
package import TriggerModel

/// Compares the decisions of two engines in one scenario.
package struct EngineComparison: Sendable {
  /// The first decision about a reminder that differs between the engines.
  package struct Difference: Hashable, Sendable {
    package var reminder: String
    package var instant: Instant
    /// The difference as text: `milk at 2026-03-02 17:40: built-in denies the request by quietHours; mine
    /// admits it`. If the person has several devices, it begins with `milk on tablet`.
    package var sentence: String
  }

  /// The differences, in order of time and then of the reminders' names.
  package private(set) var differences: [Difference] = []

  /// - Parameter names: The names of the engines in messages.
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
      // The engines diverge at the earlier of the two decisions. At equal instants, use the first device.
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

/// The decisions of an engine about each reminder, in chronological order.
package struct DecisionLog: JournalSink, Sendable {
  package struct Decision: Hashable, Sendable {
    package var instant: Instant
    package var moment: Moment
    package var device: UInt8
    package var what: What
  }

  package enum What: Hashable, Sendable {
    case asks(Bucket, deliverAt: Instant)
    /// The engine observed the trigger but made no request.
    case declines(Reason, failed: ConditionKinds)
    case decides(TriggerModel.Decision.Outcome, Reason?)
    case drops(Reason)
    case takesBack(Reason)
    /// The system delivered the notification.
    case delivers

    /// The decision as a predicate whose subject is the engine: "denies the request by quietHours".
    var phrase: String {
      switch self {
      case .asks: return "requests a notification"
      case .declines(let reason, let failed):
        return "makes no request: \(reason.name)"
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
      case .takesBack(let reason): return "withdraws the request: \(reason.name)"
      case .delivers: return "delivers the notification"
      }
    }
  }

  /// The decisions, indexed by reminder.
  package private(set) var decisions: [[Decision]]
  /// The triggers that led to no request, indexed by reminder. An engine may omit them.
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
    case .happened, .truth, .observed, .outcome, .due, .notRequested, .uncalledFor, .link, .app, .person,
      .sync:
      break
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
    case .add, .withdraw, .removeShown, .monitor, .unmonitor, .watch, .unwatch, .wake, .wakeForRelease,
      .persist, .storeUnusable:
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

/// Runs every scenario of a suite with two engines and reports where their decisions differ.
package struct EngineContest: Sendable {
  /// The suite, run with the engine under test.
  package let suite: Suite
  package let other: EngineChoice

  package init(_ suite: Suite, against other: EngineChoice) {
    self.suite = suite
    self.other = other
  }

  /// The differences between the engines in one scenario.
  package struct Comparison: Sendable {
    package var file: String
    package var reminders: Int
    /// The first difference for each reminder.
    package var differences: [EngineComparison.Difference]
  }

  package typealias Outcome = FileResult<Comparison>

  /// Returns the outcomes in the order of the suite's paths.
  package func run(
    stopwatch: @escaping @Sendable () -> UInt64, progress: @escaping @Sendable (Int) -> Void
  ) async -> [Outcome] {
    await suite.map(progress: progress) { _, program, _ in compare(program, stopwatch) }
  }

  private func compare(_ program: Program, _ stopwatch: @escaping @Sendable () -> UInt64) -> Outcome {
    let engine = suite.options.engine
    var logs = (
      DecisionLog(reminderCount: program.reminders.reminderCount),
      DecisionLog(reminderCount: program.reminders.reminderCount)
    )
    do throws(EngineFailure) {
      let results = (
        try engine.run(program, [], stopwatch, into: &logs.0).result,
        try other.run(program, [], stopwatch, into: &logs.1).result
      )
      if let overrun = results.0.overrun ?? results.1.overrun { return .invalid([overrun]) }
    } catch {
      return .invalid([program.scenario.sources.diagnostic(error.description, at: nil)])
    }
    let comparison = EngineComparison(program, logs.0, logs.1, names: (engine.name, other.name))
    return .made(
      Comparison(
        file: program.scenario.file, reminders: program.reminders.reminderCount,
        differences: comparison.differences))
  }
}
