import EngineWire
import Foundation
import Journal
import PlatformRuns
import ScenarioModel
import ScenarioSamples
import Simulation
import Synchronization
import Testing
import TriggerModel

@testable import TestBench

/// Tests damaged output of an external engine. The bench must reject a damaged line with its position, ignore
/// it, or execute it as written.
@Suite("Transcripts")
struct TranscriptTests {
  private static let program = Result {
    try PlatformRun(
      """
      for: 100 minutes
      places:
        shop: {at: [52.52, 13.405], radius: 150 m}
      reminders:
        milk: {when: [unlock, enter shop], repeat: always, notify: {title: Milk}}
        night: {when: charging starts, notify: {title: Good night, bucket: user}}
        walk: {when: every day 08:10, if: charging, repeat: daily, notify: {title: Walk}}
      policy: {dailyCap: 2, quietHours: 08:20-08:30, minimumInterval: 10 minutes}
      timeline:
        - 07:05 unlock
        - 07:10 unlock
        - 07:20 next add fails
        - 07:20 unlock
        - 07:30 terminate
        - 07:35 open
        - 07:36 unlock
        - 07:40 plug in
        - 07:50 enter shop
        - 08:15 cancel walk
        - 08:21 unplug
        - 08:22 plug in
        - 08:35 leave
      expect:
        - milk fires >= 0
      """
    ).program
  }

  @Test
  func `damaged transcripts are rejected with line and field, or executed as written`() throws {
    let program = try Self.program.get()
    let original = PlayedEngine()
    let journal = try original.journal(of: program)
    let transcript = original.state.withLock { $0.transcript }
    #expect(transcript.exchanges.map(\.process).max() == 1, "the app's process ends once")
    #expect(try PlayedEngine(playing: transcript).journal(of: program) == journal)

    let setup = try EngineProgram(program)
    var outcomes: [Outcome: Int] = [:]
    var refused: Set<TranscriptMutation.Kind> = []
    for seed in 0..<UInt64(1_020) {
      let mutation = TranscriptMutation(transcript, seed: seed)
      let engine = PlayedEngine(playing: mutation.transcript)
      do throws(EngineFailure) {
        let played = try engine.journal(of: program, setup)
        if played != journal {
          // The bench accepted the damaged output as that of a different engine. Another parser checks that
          // the bench executed its lines.
          let taken = engine.state.withLock { $0.taken }
          let (said, done) = (
            Effects(taken), Effects(played.split(separator: UInt8(ascii: "\n")).map(Array.init))
          )
          #expect(said.lines.count == done.lines.count, "\(seed): \(mutation)")
          for (said, done) in zip(said.lines, done.lines) { #expect(said == done, "\(seed): \(mutation)") }
        }
        outcomes[played == journal ? .same : .another, default: 0] += 1
      } catch {
        refused.insert(mutation.kind)
        outcomes[.refused, default: 0] += 1
        expectPlace(error.description, mutation, seed)
      }
    }
    #expect(refused.count == TranscriptMutation.Kind.allCases.count, "\(refused)")
    #expect(outcomes[.refused, default: 0] > 700, "\(outcomes)")
    #expect(outcomes[.another, default: 0] < 200, "\(outcomes)")
  }

  private enum Outcome { case same, another, refused }

  /// Checks that a failure states the damaged line or a later one, and a column, a field or the expected
  /// message.
  private func expectPlace(_ sentence: String, _ mutation: TranscriptMutation, _ seed: UInt64) {
    guard let place = sentence.firstMatch(of: #/"played (\d+)".* line (\d+) of its output/#),
      let process = Int(place.1), let line = Int(place.2)
    else {
      Issue.record("\(seed): \(mutation): \(sentence)")
      return
    }
    let exchange = mutation.transcript.exchanges[mutation.exchange]
    let first = (exchange.process, mutation.transcript.linesBefore(mutation.exchange) + mutation.line + 1)
    #expect((process, line) >= first, "\(seed): \(mutation): \(sentence)")
    #expect(sentence.contains(#/column \d+|"\w+"/#), "\(seed): \(mutation): \(sentence)")
  }

  @Test(
    arguments: [
      (#"{"message":"done"}"#, 1, "without being asked"),
      (#"{"event":"persist"}"#, 1, "without being asked"),
      (#"{"message":"ready"}"#, 0, "cannot be part of an answer"),
      (#"{"event":"wakeForRelease","at":null,"wall":"2026-03-01T00:00:00Z"}"#, 0, "the moment differs"),
      (
        #"{"event":"dropped","reminder":"milk","occurrence":9,"type":"milk","bucket":"user","scheduledFor":0,"#
          + #""deliverAt":0,"reason":"cancelled"}"#, 0, "request 9 of this reminder does not exist"
      ),
    ])
  func `messages in the wrong order are rejected`(_ line: String, _ isAfter: Int, _ problem: String) throws {
    let program = try Self.program.get()
    let original = PlayedEngine()
    _ = try original.journal(of: program)
    var transcript = original.state.withLock { $0.transcript }
    let last = transcript.exchanges[5].answer.count
    transcript.exchanges[5].answer.insert(Array(line.utf8), at: isAfter * last)
    #expect {
      try PlayedEngine(playing: transcript).journal(of: program)
    } throws: {
      "\($0)".contains(problem)
    }
  }

  @Test(arguments: ["decided", "add", "request"])
  func `a request without an outcome is a failure`(_ event: String) throws {
    let program = try Self.program.get()
    let original = PlayedEngine()
    _ = try original.journal(of: program)
    var transcript = original.state.withLock { $0.transcript }
    let word = Array("{\"event\":\"\(event)\"".utf8)
    let place = try #require(transcript.exchanges.firstIndex { $0.answer.contains { $0.starts(with: word) } })
    transcript.exchanges[place].answer.removeAll { $0.starts(with: word) }
    #expect {
      try PlayedEngine(playing: transcript).journal(of: program)
    } throws: {
      "\($0)".contains("milk") || "\($0)".contains(#"in "reminder""#) || "\($0)".contains(#""type""#)
    }
  }
}

/// Tests connections outside of a run.
extension TranscriptTests {
  /// Sends a launch and an unlock at one instant. Returns whether anything remains to be settled, and the
  /// failure, or `nil` if there is none.
  private static func settled(by engine: PlayedEngine, _ program: Program) throws -> (Bool, EngineFailure?) {
    var external = ExternalEngine(engine.command, program: try EngineProgram(program))
    var effects: [EngineEffect] = []
    let moment = Moment(
      wall: program.scenario.start, uptime: Uptime(boot: 0, span: .zero), zone: program.scenario.zone)
    external.launch(
      ProcessLaunch(store: .empty, permission: .authorized, moment: moment), into: &effects)
    external.process(ObservedEvent(.unlock, at: moment), into: &effects)
    return (external.settle(at: moment, into: &effects), external.failure)
  }

  @Test
  func `an engine that ends within an answer reports a failure and no further work`() throws {
    let program = try Self.program.get()
    let original = PlayedEngine()
    #expect(try Self.settled(by: original, program).1 == nil)
    var transcript = original.state.withLock { $0.transcript }
    let answer = try #require(transcript.exchanges.last).answer
    #expect(answer.count > 1)
    transcript.end = transcript.exchanges.count - 1
    for kept in answer.indices {
      transcript.exchanges[transcript.exchanges.count - 1].answer = Array(answer.prefix(kept))
      let (hasMore, failure) = try Self.settled(by: PlayedEngine(playing: transcript), program)
      #expect(!hasMore && failure != nil, "after \(kept) lines")
    }
  }
}

/// The effects in a list of lines, parsed by Foundation and normalised.
private struct Effects {
  private(set) var lines: [NSDictionary] = []
  private var requests: [String: [String: Any]] = [:]

  init(_ lines: [[UInt8]]) {
    for line in lines {
      guard let object = try? JSONSerialization.jsonObject(with: Data(line)) as? [String: Any],
        object["message"] == nil, object["track"] as? String ?? "effect" == "effect"
      else { continue }
      self.lines.append(plain(object) as NSDictionary)
    }
  }

  private mutating func plain(_ object: [String: Any]) -> [String: Any] {
    var fields = object
    for key in ["track", "t", "wall", "zone", "boot", "uptime", "person", "device", "state"] {
      fields[key] = nil
    }
    let event = fields["event"] as? String ?? ""
    if ["request", "decided", "dropped", "add"].contains(event) {
      let id = "\(fields["reminder"] ?? "") \(fields["occurrence"] ?? "")"
      var request = event == "request" ? ["priority": 100, "copy": 0] : requests[id] ?? [:]
      for key in Self.ofRequest { request[key] = fields[key] ?? request[key] }
      requests[id] = request
      fields.merge(request) { own, _ in own }
    }
    for key in ["expiresAt", "until", "reason"] where fields[key] is NSNull { fields[key] = nil }
    if fields["floating"] as? Bool == false { fields["floating"] = nil }
    for (key, value) in fields {
      if let text = value as? String, let instant = Self.instant(text) { fields[key] = instant }
      if let words = value as? [String] { fields[key] = Set(words).sorted() }
    }
    return fields
  }

  private static let ofRequest = [
    "type", "bucket", "priority", "copy", "scheduledFor", "deliverAt", "expiresAt", "floating", "elapsed",
  ]

  private static func instant(_ text: String) -> Double? {
    guard text.contains(#/^\d{4}-\d\d-\d\dT/#) else { return nil }
    for fraction in [true, false] {
      let style = Date.ISO8601FormatStyle(includingFractionalSeconds: fraction)
      if let date = try? style.parse(text) { return (date.timeIntervalSince1970 * 1_000).rounded() }
    }
    return nil
  }
}
