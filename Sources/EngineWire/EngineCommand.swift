/// How an engine in another process is started, and how long it may take.
package struct EngineCommand: Sendable {
  /// Split into words as a shell does.
  package var command: String
  package var environment: [String: String]
  /// For the first answers of a process: an interpreter has to be loaded.
  package var startLimit = Duration.seconds(20)
  /// For every other answer.
  package var answerLimit = Duration.seconds(10)
  /// For its end.
  package var grace = Duration.seconds(2)
  /// How long one listens to it after it was told that this is the end: it has nothing to say then.
  package var farewell = Duration.milliseconds(100)
  /// Nanoseconds on a clock that never goes back.
  package var stopwatch: @Sendable () -> UInt64
  /// Takes each line that the engine logs on its standard error.
  package var log: (@Sendable (String) -> Void)?
  /// Starts it.
  package var connect: @Sendable (EngineCommand) throws(EngineProcessError) -> any LineChannel = Self.process

  package init(
    _ command: String, environment: [String: String], stopwatch: @escaping @Sendable () -> UInt64
  ) {
    self.command = command
    self.environment = environment
    self.stopwatch = stopwatch
  }

  private static func process(_ command: EngineCommand) throws(EngineProcessError) -> any LineChannel {
    try LineProcess(
      command: command.command, environment: command.environment, stopwatch: command.stopwatch,
      receive: command.log)
  }
}
