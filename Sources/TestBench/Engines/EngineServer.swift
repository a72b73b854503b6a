import CivilTime
package import EngineWire
import Foundation
import Journal
import Recordings
import ScenarioFiles
import ScenarioModel
import Simulation
import TextFormats
import TriggerEngine
import TriggerModel

/// The built-in engine, or one half of it, as the other side of the wire: what `triggerbench engine` does.
///
/// It answers line by line, as any engine in another process does, and is an example of one.
package struct EngineServer: LineServer {
  private var session: Session?
  private var lines = 0
  private let version: String
  private let claims: Set<EngineGreeting.Capability>
  /// The bench has ended the conversation.
  package private(set) var hasEnded = false

  /// One program, and the engine that works on it.
  fileprivate struct Session {
    var engine: any ServedEngine
    var reader: JournalReader
    var writer: JournalWriter
    var effects: [EngineEffect] = []
  }

  /// - Parameters:
  ///   - version: Of the tool.
  ///   - claims: What it does: the built-in engine's one half, the other, or both.
  package init(version: String, claims: Set<EngineGreeting.Capability> = [.match, .caps]) {
    self.version = version
    self.claims = claims
  }

  /// Answers one line.
  ///
  /// - Parameter output: Takes the lines of the answer.
  package mutating func answer(
    _ line: UnsafeBufferPointer<UInt8>, into output: inout [UInt8]
  ) throws(LineProblem) {
    lines += 1
    do throws(ScanProblem) {
      if let message = try HostMessage(line) {
        try answer(message, line, into: &output)
      } else {
        try observe(line, into: &output)
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
    case .launch(let store, let permission):
      try work(line, into: &output) { session, moment in
        session.engine.launch(
          ProcessLaunch(store: store, permission: permission, moment: moment), into: &session.effects)
        return false
      }
    case .open(let store):
      try work(line, into: &output) { session, moment in
        session.engine.open(store, at: moment, into: &session.effects)
        return false
      }
    case .half(let question):
      try work(line, into: &output) { session, moment in
        session.engine.answer(question, at: moment, into: &session.effects)
        return false
      }
    case .effect: try hear(line)
    case .settle:
      try work(line, into: &output) { session, moment in
        session.engine.settle(at: moment, into: &session.effects)
      }
    // A refusal comes as an event too.
    case .answer: break
    case .end: hasEnded = true
    }
  }

  private mutating func observe(
    _ line: UnsafeBufferPointer<UInt8>, into output: inout [UInt8]
  ) throws(ScanProblem) {
    guard var session else { throw Self.noProgram }
    self.session = nil
    defer { self.session = session }
    let record: JournalRecord
    do throws(WireProblem) {
      record = try session.reader.read(line, as: .observations)
    } catch {
      throw error.scanProblem
    }
    guard case .observed(let event) = record.body else { return }
    session.engine.process(event, into: &session.effects)
    session.answer(at: event.moment, hasMore: false, into: &output)
  }

  /// What the other half wants or says.
  private mutating func hear(_ line: UnsafeBufferPointer<UInt8>) throws(ScanProblem) {
    guard var session else { throw Self.noProgram }
    self.session = nil
    defer { self.session = session }
    do throws(WireProblem) {
      // It has no stamp: it is asked about together with what comes next.
      let now = Moment(wall: .distantPast, uptime: Uptime(boot: 0, span: .zero), zone: ZoneID(0))
      let form = WireForm.effects(WireStamp(instant: now.wall, moment: now))
      guard case .effect(let effect) = try session.reader.read(line, as: form).body else { return }
      session.engine.tell(effect)
    } catch {
      throw error.scanProblem
    }
  }

  private mutating func work(
    _ line: UnsafeBufferPointer<UInt8>, into output: inout [UInt8],
    _ body: (inout Session, Moment) -> Bool
  ) throws(ScanProblem) {
    guard var session else { throw Self.noProgram }
    self.session = nil
    defer { self.session = session }
    let moment: Moment
    do throws(WireProblem) {
      moment = try session.reader.moment(of: line)
    } catch {
      throw error.scanProblem
    }
    let hasMore = body(&session, moment)
    session.answer(at: moment, hasMore: hasMore, into: &output)
  }

  private static let noProgram = ScanProblem(
    .value, offset: 0, "there is no program yet", remedy: "send \"hello\" and \"program\" first")

  private static func session(
    _ document: [UInt8], _ zones: [String], _ claims: Set<EngineGreeting.Capability>
  ) throws(ScanProblem) -> Session {
    func refuse(_ why: String) -> ScanProblem {
      ScanProblem(.value, offset: 0, "the program cannot be used: \(why)", remedy: "see what it names")
    }
    switch ScenarioDocument.read(document, file: "program", [], fileExists: { _ in true }) {
    case .otherKind(let kind): throw refuse("it is a \(kind)")
    case .unusable(let diagnostics): throw refuse(diagnostics.first.map { "\($0)" } ?? "")
    case .scenario(var scenario, _):
      do {
        for zone in zones { _ = try scenario.zones.intern(zone) }
      } catch {
        throw refuse("\(error)")
      }
      do throws(Diagnostic) {
        let program = try Program(scenario, folder: URL(fileURLWithPath: "/"))
        let engine = program.makeEngine()
        let served: any ServedEngine
        if !claims.contains(.caps) {
          served = ServedMatching(engine.reminders)
        } else if !claims.contains(.match) {
          served = ServedDeciding(engine, hasCounters: program.scenario.stored != nil)
        } else {
          served = ServedWhole(engine)
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
  /// Writes the effects, and the end of the answer.
  fileprivate mutating func answer(at moment: Moment, hasMore: Bool, into output: inout [UInt8]) {
    for effect in effects {
      writer.write(effect, at: moment, state: effect == .persist ? engine.storedState() : nil)
    }
    effects.removeAll(keepingCapacity: true)
    let isUnsettled = hasMore || engine.isUnsettled(at: moment)
    writer.append(raw: "{\"message\":\"done\",\"unsettled\":\(isUnsettled),\"more\":\(hasMore)}\n".utf8)
    output += writer.bytes
    writer.removeBytes()
  }
}
