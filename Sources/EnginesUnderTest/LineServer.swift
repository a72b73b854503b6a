import EngineWire
import Recordings

/// The other side of the wire: answers the bench line by line.
package protocol LineServer {
  /// The bench has ended the conversation.
  var hasEnded: Bool { get }

  /// Answers one line.
  ///
  /// - Parameter output: Takes the lines of the answer.
  mutating func answer(_ line: UnsafeBufferPointer<UInt8>, into output: inout [UInt8]) throws(LineProblem)
}

/// What the other side was told, and cannot use.
package struct LineProblem: Error, CustomStringConvertible {
  /// Counted from 1.
  package var line: Int
  package var message: String

  package var description: String { "line \(line): \(message)" }
}

/// An engine that understands what it is told, and does nothing: what it costs is the wire.
package struct SilentEngine: LineServer {
  package private(set) var hasEnded = false
  private var lines = 0

  package init() {}

  package mutating func answer(
    _ line: UnsafeBufferPointer<UInt8>, into output: inout [UInt8]
  ) throws(LineProblem) {
    lines += 1
    do throws(ScanProblem) {
      switch try HostMessage(line) {
      case .hello:
        output += Array("{\"message\":\"hello\",\"protocol\":\(EngineProtocol.version)}\n".utf8)
      case .program: output += Array("{\"message\":\"ready\"}\n".utf8)
      case .answer, .effect: break
      case .end: hasEnded = true
      case .launch, .open, .settle, .half, nil:
        output += Array("{\"message\":\"done\",\"unsettled\":false}\n".utf8)
      }
    } catch {
      throw LineProblem(line: lines, message: "column \(error.offset + 1): \(error.message); \(error.remedy)")
    }
  }
}
