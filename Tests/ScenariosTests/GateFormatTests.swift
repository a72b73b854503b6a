import Foundation
import ScenarioSamples
import Testing
import TextFormats
import TriggerModel

@testable import ScenarioModel
@testable import Scenarios

/// Tests how the gates of a scenario are parsed and written.
@Suite struct GateFormatTests {
  private static func gates(_ entries: String..., expect: String = "milk fires") throws -> [Gate] {
    try scenario(
      Sample(
        timeline: "gates:\n" + entries.map { "  - \($0)" }.joined(separator: "\n"),
        expect: "expect: [\(expect)]")
    ).gates
  }

  private static let milk = ReminderGroup(name: "milk", reminders: [ReminderID(0)])

  @Test func `a target is compared with benchmarks and their sources`() throws {
    let benchmarks = [
      Benchmark(millionths: 100_000, subject: "", source: "A"),
      Benchmark(millionths: 120_000, subject: "", source: "B"),
      Benchmark(millionths: 144_000, subject: "contextual", source: "A"),
    ]
    let places = [99_999, 100_000, 144_000, 144_001].map {
      benchmarks.standing(of: $0, among: "figure")?.place
    }
    #expect(places == ["below every figure", "among the figures", "among the figures", "above every figure"])
    #expect(benchmarks.standing(of: 0)?.figures == "10 %, 14.4 % contextual (A); 12 % (B)")
    #expect([Benchmark]().standing(of: 0) == nil)
  }

  @Test func `gates have the same meaning in short and long form`() throws {
    let pairs = [
      (
        "tapThrough >= 25 %, kill < 5 % after 30 days",
        "{metric: tapThrough, target: '>= 25 %', kill: '< 5 %', after: 30 days}"
      ),
      (
        "tapThrough of milk > 12.5 % kill <= 0.1",
        "{metric: tapThrough, of: milk, target: '> 12.5 %', kill: '<= 10 %'}"
      ),
      ("disableRate <= 10 %, kill > 25 %", "{metric: disableRate, target: '<= 10 %', kill: '>25 %'}"),
      (
        "conversion of milk to signedIn within 7 days >= 10 %",
        "{metric: conversion, of: milk, fact: signedIn, within: 7 days, target: '>= 10 %'}"
      ),
      (
        "lift of current by bread >= 15 %, kill < 5 % after 60 days",
        "{metric: lift, fact: current, of: bread, target: '>= 15 %', kill: '< 5 %', after: 60 days}"
      ),
      ("weeklyActive >= 6 %", "{metric: weeklyActive, target: '>= 6 %'}"),
      ("weeklyActive of milk >= 6 %", "{metric: weeklyActive, of: milk, target: '>= 6 %'}"),
    ]
    for (short, long) in pairs {
      let first = try #require(try Self.gates("\"\(short)\"").first)
      let second = try #require(try Self.gates(long).first)
      #expect(first.measure == second.measure, "\(short)")
      #expect(first.words == second.words, "\(short)")
      #expect(first.name == second.name && first.name == first.words, "\(short)")
      #expect(first.target == second.target && first.kill == second.kill, "\(short)")
      #expect(first.benchmarks == second.benchmarks, "\(short)")
    }
  }

  @Test func `parsing a printed gate returns the same gate`() throws {
    for text in [
      "tapThrough of milk >= 25 %, kill < 5 % after 30 days", "disableRate <= 10 %, kill > 25 %",
      "conversion of milk to signedIn within 36 h > 10.5 %, kill <= 0.0001 % after 90 min",
      "lift of current by bread >= 15 %", "weeklyActive >= 6 %, kill < 1 % after 1 day",
    ] {
      let gate = try #require(try Self.gates("\"\(text)\"").first)
      #expect("\(gate.words) \(gate.bounds)" == text)
    }
  }

  @Test func `the product's nine goals are parsed and printed as documented`() throws {
    var sample = Sample(timeline: "gates:\n")
    let goals = [
      "tapThrough >= 25 %, kill < 5 % after 30 days",
      "tapThrough of trainingDay >= 25 %, kill < 10 % after 30 days",
      "acknowledgement of readinessAlert >= 20 %, kill < 8 % after 30 days",
      "optIn >= 40 %, kill < 20 % after 30 days", "routingSuccess >= 99 %, kill < 95 % after 7 days",
      "disableRate <= 10 %, kill > 25 %",
      "conversion of accountRegistration to signedIn within 7 days >= 10 %, kill < 2 % after 45 days",
      "lift of current by nutritionGap >= 15 %, kill < 5 % after 60 days",
      "weeklyActive >= 6 %, kill < 1 % after 60 days",
    ]
    sample.timeline += goals.map { "  - \($0)" }.joined(separator: "\n")
    let names = ["milk", "trainingDay", "readinessAlert", "accountRegistration", "nutritionGap"]
    sample.reminders =
      "reminders:\n" + names.map { "  \($0): {when: unlock, notify: \($0)}" }.joined(separator: "\n")
    #expect(try scenario(sample).gates.map { "\($0.words) \($0.bounds)" } == goals)
  }

  @Test func `names in a gate are resolved`() throws {
    let gates = try Self.gates(
      "acknowledgement of milk >= 20 %", "conversion of milk to signedIn within 7 days >= 10 %",
      "lift of current by bread >= 15 %")
    #expect(gates[0].measure == .share(.acknowledgement, of: Self.milk))
    #expect(gates[1].measure == .conversion(of: Self.milk, goal: FactID(0), within: .days(7)))
    let bread = ReminderGroup(name: "bread", reminders: [ReminderID(1)])
    #expect(gates[2].measure == .lift(FactID(1), by: bread))
  }

  @Test func `a notification type represents all reminders that send it`() throws {
    var sample = Sample(timeline: "gates: [acknowledgement of shopping >= 20 %]")
    sample.reminders = """
      reminders:
        milk: {when: unlock, notify: {title: Milk, type: shopping}}
        other: {when: unlock, notify: Other}
        bread: {when: unlock, notify: {title: Bread, type: shopping}}
      """
    let gate = try #require(try scenario(sample).gates.first)
    let group = ReminderGroup(name: "shopping", reminders: [ReminderID(0), ReminderID(2)])
    #expect(gate.measure == .share(.acknowledgement, of: group))
  }

  @Test func `a name that a reminder and a type share refers to the type`() throws {
    var sample = Sample(timeline: "gates: [tapThrough of shopping >= 20 %]")
    sample.reminders = """
      reminders:
        shopping: {when: unlock, notify: Shopping}
        milk: {when: unlock, notify: {title: Milk, type: shopping}}
      """
    let both = ReminderGroup(name: "shopping", reminders: [ReminderID(0), ReminderID(1)])
    #expect(try scenario(sample).gates.map(\.measure) == [.share(.tapThrough, of: both)])
    // If no type has this name, it refers to the reminder.
    sample.reminders = """
      reminders:
        shopping: {when: unlock, notify: {title: Shopping, type: other}}
        milk: {when: unlock, notify: Milk}
      """
    let one = ReminderGroup(name: "shopping", reminders: [ReminderID(0)])
    #expect(try scenario(sample).gates.map(\.measure) == [.share(.tapThrough, of: one)])
  }

  @Test func `a bound that every share meets or that no measurement can show is reported`() {
    func problems(_ gate: String) -> [String] {
      read(Sample(timeline: "gates:\n  - \(gate)").text).problems
    }
    for gate in [
      "tapThrough > 0 %", "tapThrough >= 0.0002 %, kill <= 0.0001 %", "disableRate < 100 %",
      "disableRate <= 99 %, kill > 99.5 %", "lift of current by bread >= -5 %, kill < -20 %",
      "weeklyActive >= 0 %, kill < -1 %", "lift of current by bread >= 150 %",
    ] {
      #expect(problems(gate).isEmpty, "\(gate): \(problems(gate))")
    }
    for (gate, message) in [
      ("tapThrough >= 0 %", "'>= 0 %' holds for every share"),
      ("tapThrough >= -5 %", "'>= -5 %' holds for every share"),
      ("disableRate <= 100 %", "'<= 100 %' holds for every share"),
      ("disableRate < 101 %", "'< 101 %' holds for every share"),
      ("tapThrough >= 100 %", "no measurement can show that a share is '>= 100 %'"),
      ("tapThrough > 100 %", "no measurement can show that a share is '> 100 %'"),
      ("disableRate <= 0 %", "no measurement can show that a share is '<= 0 %'"),
      ("tapThrough >= 25 %, kill < 0 %", "no measurement can show that a share is '< 0 %'"),
      ("tapThrough >= 25 %, kill < -3 %", "no measurement can show that a share is '< -3 %'"),
      (
        "conversion of milk to signedIn within 7 days >= 125 %",
        "no measurement can show that a share is '>= 125 %'"
      ),
    ] {
      #expect(problems(gate).contains { $0.contains("error: " + message) }, "\(gate): \(problems(gate))")
    }
  }

  @Test func `the published figures are a gate's benchmarks unless the author lists others`() throws {
    let gates = try Self.gates(
      "tapThrough >= 25 %", "routingSuccess >= 99 %",
      "{name: own, metric: tapThrough, target: '>= 25 %', benchmark: {value: 7 %, source: our last app}}")
    #expect(gates[0].benchmarks.map(\.text) == ["14.4 % contextual", "4.19 % generic"])
    #expect(gates[0].benchmarks.allSatisfy { $0.source.contains("Batch 2025") })
    #expect(gates[1].benchmarks.isEmpty)
    #expect(gates[2].benchmarks == [Benchmark(millionths: 70_000, subject: "", source: "our last app")])
    #expect(gates[2].name == "own")
  }

  @Test func `expectations of gates have the same meaning in short and long form`() throws {
    for (short, long, verdict) in [
      ("gate lift of current by milk passes", "pass", GateVerdict.pass),
      ("gate lift of current by milk kills", "kill", .kill),
      ("gate lift of current by milk is inconclusive", "inconclusive", .inconclusive),
    ] {
      let name = "lift of current by milk"
      let gates = "gates: [\(name) >= 15 %]"
      let claims = try [short, "{gate: \(name), verdict: \(long)}"].map {
        try scenario(Sample(timeline: gates, expect: "expect: [\($0)]")).expectations[0]
      }
      for expectation in claims {
        #expect(expectation.claim == .gate(name, verdict))
        #expect(expectation.text == short)
        #expect(expectation.claim.sentence(reminders: []) == short)
      }
    }
  }

  @Test func `bounds overlap if a number satisfies both`() {
    let sides = Bound.Side.allCases
    for first in sides {
      for second in sides {
        for (a, b) in [(5, 5), (4, 6), (6, 4)] as [(Int64, Int64)] {
          let one = Bound(side: first, millionths: a)
          let other = Bound(side: second, millionths: b)
          // Bounds are real numbers. Double all values, so that the test includes numbers between two whole numbers.
          let isBoth = (0...20).contains { twice in
            func contains(_ bound: Bound) -> Bool {
              Bound(side: bound.side, millionths: bound.millionths * 2).contains(Int64(twice))
            }
            return contains(one) && contains(other)
          }
          #expect(one.overlaps(other) == isBoth, "\(one.text) and \(other.text)")
        }
      }
    }
  }

  @Test func `the schema's pattern accepts short forms and rejects misspelled ones`() throws {
    guard case .string(let pattern)? = GateSentences.schema["pattern"] else {
      Issue.record("no pattern")
      return
    }
    let expression = try NSRegularExpression(pattern: pattern)
    func matches(_ text: String) -> Bool {
      expression.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) != nil
    }
    for text in [
      "tapThrough >= 25 %", "tapThrough of milk >= 25 %, kill < 5 % after 30 days", "disableRate <= 0.1",
      "conversion of a to b.c within 7 days >= 10 %, kill < 2 % after 45 days", "lift of a.b by c > 15 %",
      "weeklyActive >= 6 %",
    ] {
      #expect(matches(text), "\(text)")
    }
    for text in [
      "tapThru >= 25 %", "tapThrough", "tapThrough >= 25 %, kil < 5 %", "fires >= 3", "tapThrough = 25 %",
      "tapThrough >= 25 % after 30 days", "lift of a >= 3 %",
    ] {
      #expect(!matches(text), "\(text)")
    }
  }

  @Test func `durations are written in the largest unit that divides them`() {
    let cases: [(TimeSpan, String)] = [
      (.days(1), "1 day"), (.days(30), "30 days"), (.hours(36), "36 h"), (.minutes(90), "90 min"),
      (.seconds(61), "61 s"), (TimeSpan(milliseconds: 1), "1 ms"), (.zero, "0 ms"),
    ]
    for (span, words) in cases { #expect(span.inWords == words) }
  }
}
