import CivilTime
import Foundation
import Journal
import Recordings
import ScenarioModel
import Scenarios
import Simulation
import TextFormats
import TriggerEngine
import TriggerModel

/// Serves the built-in engine, or one of its halves, over the wire (`triggerbench engine`).
///
/// The server answers line by line like an external engine, so it is also an example of one.
package struct EngineServer: LineServer {
  private var session: Session?
  private var lines = 0
  private let version: String
  private let claims: Set<EngineGreeting.Capability>
  /// Whether the bench has ended the conversation.
  package private(set) var hasEnded = false

  /// A program and its running engine.
  fileprivate struct Session {
    var engine: any ServedEngine
    var reader: JournalReader
    var writer: JournalWriter
    var effects: [EngineEffect] = []
  }

  /// - Parameters:
  ///   - version: The version of the tool.
  ///   - claims: The halves of the built-in engine to serve.
  package init(version: String, claims: Set<EngineGreeting.Capability> = [.match, .caps]) {
    self.version = version
    self.claims = claims
  }

  /// Answers one line.
  ///
  /// - Parameter output: Receives the lines of the answer.
  package mutating func answer(
    _ line: UnsafeBufferPointer<UInt8>, into output: inout [UInt8]
  ) throws(LineProblem) {
    lines += 1
    do throws(ScanProblem) {
      if let message = try HostMessage(line) {
        try answer(message, line, into: &output)
      } else {
        guard session != nil else { throw Self.noProgram }
        try session?.observe(line, into: &output)
      }
    } catch {
      throw LineProblem(line: lines, message: "column \(error.offset + 1): \(error.message); \(error.remedy)")
    }
  }

  private mutating func answer(
    _ message: HostMessage, _ line: UnsafeBufferPointer<UInt8>, into output: inout [UInt8]
  ) throws(ScanProblem) {
    switch message {
    case .hello:
      let words = claims.map { "\"\($0.rawValue)\"" }.sorted().reversed().joined(separator: ",")
      output += Array(
        """
        {"message":"hello","protocol":\(EngineProtocol.version),"name":"triggerbench",\
        "version":"\(version)","capabilities":[\(words)]}

        """.utf8)
    case .program(let document, let zones):
      session = try Self.session(document, zones, claims)
      output += Array("{\"message\":\"ready\"}\n".utf8)
    case .launch(let store, let permission, let pendingCapacity, let regionCapacity, let alarmsMayBeLate):
      try work(line, into: &output) { engine, moment, effects in
        engine.launch(
          ProcessLaunch(
            store: store, permission: permission, moment: moment, pendingCapacity: pendingCapacity,
            regionCapacity: regionCapacity, alarmsMayBeLate: alarmsMayBeLate),
          into: &effects)
        return false
      }
    case .open(let store):
      try work(line, into: &output) { engine, moment, effects in
        engine.open(store, at: moment, into: &effects)
        return false
      }
    case .half(let question):
      try work(line, into: &output) { engine, moment, effects in
        engine.answer(question, at: moment, into: &effects)
        return false
      }
    case .effect:
      guard session != nil else { throw Self.noProgram }
      try session?.receive(line)
    case .settle:
      try work(line, into: &output) { engine, moment, effects in
        engine.settle(at: moment, into: &effects)
      }
    // No action is needed, because the engine also observes a refusal as an event.
    case .answer: break
    case .end: hasEnded = true
    }
  }

  /// Handles a message. Changes the session in place, because moving it would copy the engine's state.
  private mutating func work(
    _ line: UnsafeBufferPointer<UInt8>, into output: inout [UInt8],
    _ body: (inout any ServedEngine, Moment, inout [EngineEffect]) -> Bool
  ) throws(ScanProblem) {
    guard session != nil else { throw Self.noProgram }
    try session?.work(line, into: &output, body)
  }

  private static let noProgram = ScanProblem(
    .value, offset: 0, "there is no program yet", remedy: "send \"hello\" and \"program\" first")

  private static func session(
    _ document: [UInt8], _ zones: [String], _ claims: Set<EngineGreeting.Capability>
  ) throws(ScanProblem) -> Session {
    func refuse(_ why: String) -> ScanProblem {
      ScanProblem(.value, offset: 0, "the program cannot be used: \(why)", remedy: "correct the scenario")
    }
    switch ScenarioDocument.read(document, file: "program", [], fileExists: { _ in false }) {
    case .otherKind(let kind): throw refuse("it is a \(kind)")
    case .unusable(let diagnostics): throw refuse(diagnostics.first.map { "\($0)" } ?? "")
    case .scenario(var scenario, _):
      do {
        for zone in zones { _ = try scenario.zones.intern(zone) }
      } catch {
        throw refuse("\(error)")
      }
      do throws(Diagnostic) {
        let program = try Program(scenario, in: .nothing)
        let engine = program.makeEngine()
        let served: any ServedEngine
        let hasCounters = program.scenario.stored != nil
        if !claims.contains(.caps) {
          served = ServedMatching(engine.reminders)
        } else if !claims.contains(.match) {
          served = ServedDeciding(engine, hasCounters: hasCounters)
        } else {
          served = ServedWhole(engine, hasCounters: hasCounters)
        }
        return Session(
          engine: served, reader: JournalReader(program.wireNames), writer: JournalWriter(program.wireNames))
      } catch {
        throw refuse("\(error)")
      }
    }
  }
}

extension EngineServer.Session {
  fileprivate mutating func observe(
    _ line: UnsafeBufferPointer<UInt8>, into output: inout [UInt8]
  ) throws(ScanProblem) {
    let record: JournalRecord
    do throws(WireProblem) {
      record = try reader.read(line, as: .observations)
    } catch {
      throw error.scanProblem
    }
    guard case .observed(let event) = record.body else { return }
    engine.process(event, into: &effects)
    answer(at: event.moment, hasMore: false, into: &output)
  }

  /// Receives an effect of the other half.
  fileprivate mutating func receive(_ line: UnsafeBufferPointer<UInt8>) throws(ScanProblem) {
    do throws(WireProblem) {
      // The line has no time stamp. The question that follows it has one.
      let now = Moment(wall: .distantPast, uptime: Uptime(boot: 0, span: .zero), zone: ZoneID(0))
      let form = WireForm.effects(RecordStamp(instant: now.wall, moment: now))
      guard case .effect(let effect) = try reader.read(line, as: form).body else { return }
      engine.receive(effect)
    } catch {
      throw error.scanProblem
    }
  }

  fileprivate mutating func work(
    _ line: UnsafeBufferPointer<UInt8>, into output: inout [UInt8],
    _ body: (inout any ServedEngine, Moment, inout [EngineEffect]) -> Bool
  ) throws(ScanProblem) {
    let moment: Moment
    do throws(WireProblem) {
      moment = try reader.moment(of: line)
    } catch {
      throw error.scanProblem
    }
    let hasMore = body(&engine, moment, &effects)
    answer(at: moment, hasMore: hasMore, into: &output)
  }

  /// Writes the effects and the line that ends the answer.
  private mutating func answer(at moment: Moment, hasMore: Bool, into output: inout [UInt8]) {
    // Write the state only once per answer.
    var state: [UInt8]?
    for effect in effects {
      if effect == .persist, state == nil { state = engine.storedState() }
      writer.write(effect, at: moment, state: effect == .persist ? state : nil)
    }
    effects.removeAll(keepingCapacity: true)
    let isUnsettled = hasMore || engine.isUnsettled(at: moment)
    writer.append(raw: Self.done[(isUnsettled ? 1 : 0) + (hasMore ? 2 : 0)])
    output += writer.bytes
    writer.removeBytes()
  }

  /// The lines that end an answer. In the index, bit 0 is `unsettled` and bit 1 is `more`.
  private static let done = (0..<4).map { kind in
    Array("{\"message\":\"done\",\"unsettled\":\(kind & 1 == 1),\"more\":\(kind & 2 == 2)}\n".utf8)
  }
}
