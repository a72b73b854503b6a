import Foundation
import ReminderEngine
import ReminderMatching
import ScenarioModel
import Simulation
import TestSupport
import Testing
import TextFormats
import TriggerModel

@testable import Journal
@testable import Statistics
@testable import TestBench

/// Tests properties that every run has, in random scenarios with random draws under every profile.
@Suite struct AnyRunTests {
  @Test(arguments: ["ideal", "ios", "android"])
  func
    `counts are consistent, nothing is due twice and nothing fires after its end; 10,000 scenarios each with TRIGGERBENCH_ALL`(
      profile: String
    ) throws
  {
    var seen = Seen()
    var contradictions = 0
    try AnyScenario.each(Self.count, profile: profile) { seed, program in
      let faults = try Self.faults(of: program, &seen)
      if faults.isEmpty { return }
      contradictions += 1
      Issue.record("\(profile), seed \(seed): \(faults.prefix(4).joined(separator: "; "))")
    }
    // The scenarios must contain every kind of event.
    #expect(seen.isEverything(on: profile), "\(seen)")
    try Trial.keep([profile, "\(Self.count)", "\(seen.exposed)", "\(contradictions)"], as: "runs.\(profile)")
  }

  private static let count = Trial.isWhole ? 10_000 : 45

  private static func faults(of program: Program, _ seen: inout Seen) throws -> [String] {
    var world = World(program: program, engine: program.makeEngine())
    var sinks = TeeSink(RunAccounts(program), TeeSink(Recount(program), JournalLaws(program)))
    world.run(into: &sinks)
    var accounts = sinks.first
    accounts.close()
    if sinks.second.second.usesNumbersTwice { return sinks.second.second.faults }
    var faults = accounts.contradictions + sinks.second.second.faults
    for (index, account) in accounts.reminders.enumerated() {
      let problems =
        sinks.second.first.problems(with: account, of: index)
        + sinks.second.second.problems(with: account, of: index)
        + shares(of: account)
      faults += problems.map { "\(program.scenario.reminders[index].declaration.id): \($0)" }
      seen.take(account)
    }
    faults += shares(of: accounts.total) + signs(of: accounts)
    seen.take(sinks.second.second)
    return faults
  }

  /// Returns the figures in the form in which reports print them.
  private static func shares(of account: ReminderAccount) -> [String] {
    Metric.allCases.filter { !$0.isOfPerson }.compactMap { metric in
      let figure = Figure(metric, account, days: 7)
      let whole = metric.isShare ? figure.denominator ?? 0 : Int.max
      let isSound = 0...whole ~= figure.numerator && figure.unknown >= 0
      return isSound ? nil : "\(metric.name): \(figure)"
    }
  }

  private static func signs(of accounts: RunAccounts) -> [String] {
    PlatformSignal.Kind.allCases.compactMap { kind in
      let account = accounts.signals.account(of: kind)
      let (happened, told) = (
        accounts.truth[Int(kind.event.rawValue)], accounts.observed[Int(kind.event.rawValue)]
      )
      let isSound =
        account.truth == happened && account.observed == told && 0...min(happened, told) ~= account.matched
        && account.missed.values.allSatisfy { $0 > 0 }
        && account.delays.counts.allSatisfy { $0.milliseconds >= 0 }
        && account.matched + account.missed.values.reduce(0, +) == happened
      return isSound
        ? nil : "\(kind.name): \(account), of \(happened) that happened and \(told) that were told"
    }
  }

  private struct Seen {
    var (tapped, dismissed, ignored, listed, hidden, replaced, lost) = (0, 0, 0, 0, 0, 0, 0)
    var (exposed, due, made, unmade, putOff, ended) = (0, 0, 0, 0, 0, 0)

    mutating func take(_ account: ReminderAccount) {
      tapped += account.tapped
      dismissed += account.dismissed
      ignored += account.ignored
      listed += account.listed
      hidden += account.delivered - account.exposed
      replaced += account.replaced
      lost += account.lost.total
      exposed += account.exposed
      due += account.dueRequests
      made += account.requests - account.unfounded - account.early
      unmade += account.unmade
    }

    mutating func take(_ laws: JournalLaws) {
      putOff += laws.putOff
      ended += laws.ended
    }

    func isEverything(on profile: String) -> Bool {
      // Android has no summary, and its list shows the notifications that a focus suppresses.
      let isHidden = hidden > 0 || profile == "android"
      return isHidden
        && [tapped, dismissed, ignored, listed, replaced, lost, exposed, due, made, unmade, putOff, ended]
          .allSatisfy { $0 > 0 }
    }
  }
}
