import Journal
import Recordings
import TriggerModel

/// What can be wrong with what an engine writes.
extension EngineLink {
  func wrong(_ problem: ScanProblem, _ process: any LineChannel) -> EngineProcessError {
    process.failure(
      .garbled,
      "has written what the protocol does not know, in line \(process.linesRead) of its output, column "
        + "\(problem.offset + 1): \(problem.message)",
      remedy: problem.remedy)
  }

  func unexpected(
    _ message: EngineMessage?, _ expected: String, _ process: any LineChannel
  ) -> EngineProcessError {
    if case .failed(let why)? = message {
      return process.failure(.refused, "has given up: \(why)", remedy: "see its own messages")
    }
    return process.failure(
      .garbled, "was to say \(expected) in line \(process.linesRead) of its output, and said something else",
      remedy: "see the order of messages in the documentation of the protocol")
  }

  /// A line has come, and is the last that was read.
  func unasked(_ process: any LineChannel) -> EngineProcessError {
    process.failure(
      .garbled,
      "has written line \(process.linesRead) of its output without being asked: \"done\" ends an answer",
      remedy: "write effects, and \"done\" once at the end")
  }

  func unexpectedHere(_ message: EngineMessage) -> ScanProblem {
    if case .failed(let why) = message {
      return ScanProblem(.value, offset: 0, "the engine has given up: \(why)", remedy: "see its own messages")
    }
    return ScanProblem(
      .value, offset: 0, "this message has no place in an answer",
      remedy: "write effects, and \"done\" at the end")
  }

  static let otherMoment = problem(
    "wall", "this is of another moment than what was asked", "write what the clocks read there, or nothing")

  static func notClaimed(_ only: EngineGreeting.Capability) -> ScanProblem {
    problem(
      "event", "this is not for an engine that claims only \"\(only.rawValue)\"",
      "leave it to the bench, or claim \"match\" and \"caps\"")
  }

  static let noAnswer = problem(
    "event", "this is no answer to what was asked", "see what each question to an engine of one half asks for"
  )

  static func problem(_ field: String, _ message: String, _ remedy: String) -> ScanProblem {
    ScanProblem(.value, offset: 0, "in \"\(field)\": \(message)", remedy: remedy)
  }
}

extension EngineGreeting {
  /// Nil for an engine that does both halves.
  package var onlyCapability: Capability? { capabilities.count == 1 ? capabilities.first : nil }
}

extension EngineGreeting.Capability {
  /// Whether an engine of this half alone has any business with an effect.
  func mayWrite(_ effect: EngineEffect) -> Bool {
    switch effect {
    case .persist, .storeUnusable: true
    case .request, .remove: true
    case .noRequest, .withdraw, .monitor, .unmonitor, .watch, .unwatch, .wake: self == .match
    case .decided, .dropped, .add, .wakeForRelease: self == .caps
    }
  }

  /// Whether an effect of its own is one that answers a question, nil for an event or a message that every
  /// engine gets.
  func mayWrite(_ effect: EngineEffect, answering question: HalfQuestion?) -> Bool {
    switch (self, question, effect) {
    case (.match, .release, .remove), (.caps, .release, .request): true
    case (_, .release, _), (.caps, _, .request): false
    case (.match, .settled, .request), (.match, .settled, .remove), (.match, .settled, .withdraw): false
    default: true
    }
  }
}

extension EngineProcessError {
  /// With what the line had to be that did not come.
  func awaiting(_ expected: String, line: Int) -> EngineProcessError {
    // What is too long, or not text, says where it is.
    guard code != .lineTooLong, code != .notUTF8 else { return self }
    var error = self
    error.message += ": line \(line) of its output was to be \(expected)"
    return error
  }
}

extension EngineProcessError.Code {
  /// A line is not of the protocol.
  static let garbled = Self("garbled")
  /// It keeps one instant from ending.
  static let endless = Self("endless")
  /// The engine said itself that it cannot go on.
  static let refused = Self("refused")
}
