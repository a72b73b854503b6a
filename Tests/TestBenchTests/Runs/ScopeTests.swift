import DeviceSimulation
import Foundation
import ScenarioModel
import TestSupport
import Testing
import TextFormats
import TriggerModel

@testable import Journal
@testable import Simulation
@testable import TestBench

/// Tests records that are made only if a sink needs them. Omitting them must not affect the rest of a run.
@Suite struct ScopeTests {
  private static let count = Trial.isWhole ? 1_000 : 30

  @Test(arguments: ["ideal", "ios", "android"])
  func
    `a run with a smaller scope has the same effects and decisions; 1,000 scenarios each with TRIGGERBENCH_ALL`(
      profile: String
    ) throws
  {
    var (levels, left) = (0, 0)
    try AnyScenario.each(Self.count, profile: profile) { seed, program in
      let whole = records(program, .everything)
      let acts = records(program, .acts).filter { !$0.body.isLevel && !$0.body.isIgnored }
      let rest = whole.filter { record in
        switch record.body {
        case .due, .link, .app: false
        default: !record.body.isLevel && !record.body.isIgnored
        }
      }
      levels += whole.count { $0.body.isLevel }
      left += whole.count - rest.count
      if acts != rest {
        let difference = zip(acts, rest).first { $0 != $1 }
        Issue.record(
          "\(profile), seed \(seed): \(acts.count) of \(rest.count); \(difference.map { "\($0)" } ?? "")")
      }
    }
    #expect(levels > 1_000 && left > levels, "\(levels) of \(left)")
  }

  @Test(arguments: ["ideal", "ios", "android"])
  func `an engine that observes only relevant events acts like one that observes all`(profile: String) throws
  {
    var (told, left) = (0, 0)
    try AnyScenario.each(Self.count, profile: profile) { seed, program in
      func rest(_ records: [JournalRecord]) -> [JournalRecord] {
        records.filter { !$0.body.isLevel && !$0.body.isFrequent }
      }
      let all = records(program, .acts)
      var observing = ObservingSink()
      let some = records(program, .acts, into: &observing) { $0.records }
      told += all.count { $0.body.isFrequent }
      left += all.count - some.count
      if rest(all) != rest(some) {
        let difference = zip(rest(all), rest(some)).first { $0 != $1 }
        Issue.record("\(profile), seed \(seed): \(difference.map { "\($0)" } ?? "one is longer")")
      }
    }
    #expect(profile != "ideal" || left > told / 2, "\(left) of \(told)")
  }

  /// A sink that keeps every record but does not need the app's observations.
  private struct ObservingSink: JournalSink {
    private(set) var records: [JournalRecord] = []

    static var interest: RecordInterest {
      var interest = RecordInterest.everything
      interest.observed = false
      return interest
    }

    mutating func record(_ body: JournalRecord.Body, _ stamp: RecordStamp) {
      records.append(JournalRecord(body, stamp))
    }
  }

  private func records(_ program: Program, _ scope: RunScope) -> [JournalRecord] {
    var sink = RecordingSink()
    return records(program, scope, into: &sink) { $0.records }
  }

  private func records<Sink: JournalSink>(
    _ program: Program, _ scope: RunScope, into sink: inout Sink, _ kept: (Sink) -> [JournalRecord]
  ) -> [JournalRecord] {
    var world = World(program: program, scope: scope) { _ in program.makeEngine() }
    world.run(into: &sink)
    // Events of two devices at the same instant have no defined order. For example, both batteries may lose
    // one per cent at the same time.
    return kept(sink).enumerated().sorted {
      ($0.element.stamp.instant, $0.element.stamp.device, $0.offset)
        < ($1.element.stamp.instant, $1.element.stamp.device, $1.offset)
    }.map(\.element)
  }
}

extension JournalRecord.Body {
  /// Whether the record states an event without effect. The sink does not need the app's own record of it.
  fileprivate var isIgnored: Bool {
    if case .outcome(.ignored) = self { true } else { false }
  }

  /// Whether the record is a frequent event that an engine may ignore.
  fileprivate var isFrequent: Bool {
    if case .observed(let event) = self { ObservedEvent.Kind.frequent.contains(event.kind) } else { false }
  }

  /// Whether the record is a change of the battery level that no reminder needs.
  fileprivate var isLevel: Bool {
    if case .truth(let event) = self { event.kind == .batteryLevel } else { false }
  }
}
