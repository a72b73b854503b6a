import Recordings

/// The engine's side of the wire. It answers the bench line by line.
package protocol LineServer {
  /// Whether the bench has ended the conversation.
  var hasEnded: Bool { get }

  /// Answers one line.
  ///
  /// - Parameter output: Receives the lines of the answer.
  mutating func answer(_ line: UnsafeBufferPointer<UInt8>, into output: inout [UInt8]) throws(LineProblem)
}

extension LineServer {
  /// Answers lines until the bench ends the conversation or the input ends.
  ///
  /// - Parameter write: Receives the lines of the answers whenever no more input is available.
  /// - Throws: An error for the first invalid line. The answers to earlier lines have been written.
  package mutating func serve(
    _ input: inout LineInput, _ write: (_ answers: [UInt8]) -> Void
  ) throws(LineProblem) {
    var answers: [UInt8] = []
    var goesOn = true
    while goesOn {
      do throws(LineProblem) {
        try answer(linesOf: &input, into: &answers)
      } catch {
        write(answers)
        throw error
      }
      write(answers)
      answers.removeAll(keepingCapacity: true)
      goesOn = hasEnded ? false : try input.hasMore()
    }
  }

  /// Answers all lines received so far.
  private mutating func answer(
    linesOf input: inout LineInput, into answers: inout [UInt8]
  ) throws(LineProblem) {
    while !hasEnded, let line = try input.nextLine() { try answer(line, into: &answers) }
  }
}

/// An engine that only parses its input. It measures the cost of the wire.
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
