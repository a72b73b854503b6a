/// An error of an external engine, with a remedy.
public struct EngineProcessError: Error, Hashable, Sendable {
  /// The kind of an error.
  ///
  /// Later versions may add codes. Code that parses the lines may define additional ones.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The name of the code, such as `timedOut`.
    public let name: String
    /// The exit status or the number of the signal, or `nil` for other codes.
    public let number: Int32?

    public init(_ name: String, number: Int32? = nil) {
      self.name = name
      self.number = number
    }

    /// The name and the number, such as `timedOut` or `exited(1)`.
    public var description: String { number.map { "\(name)(\($0))" } ?? name }

    /// The command cannot be split into words, or needs a shell.
    public static let badCommand = Code("badCommand")
    /// The program was not found.
    public static let notFound = Code("notFound")
    /// The program was found but is not executable.
    public static let notExecutable = Code("notExecutable")
    /// The system cannot start another process.
    public static let cannotStart = Code("cannotStart")
    /// The process exited with this status before it answered.
    public static func exited(_ status: Int32) -> Code { Code("exited", number: status) }
    /// A signal ended the process before it answered.
    public static func killed(_ signal: Int32) -> Code { Code("killed", number: signal) }
    /// The process is running but has closed its standard output.
    public static let closedOutput = Code("closedOutput")
    /// The process is running but has closed its standard input.
    public static let brokenPipe = Code("brokenPipe")
    /// The process neither answered nor ended within the time limit.
    public static let timedOut = Code("timedOut")
    /// A line exceeds the maximum length, or has no line end.
    public static let lineTooLong = Code("lineTooLong")
    /// The process wrote more output than the limit allows.
    public static let floodedOutput = Code("floodedOutput")
    /// A line is not UTF-8.
    public static let notUTF8 = Code("notUTF8")
    /// The process was already closed.
    public static let closed = Code("closed")
  }

  public var code: Code
  /// The command, as the user wrote it.
  public var command: String
  /// A description of the problem.
  public var message: String
  /// The action that is suggested to the user.
  public var remedy: String
  /// The last lines that the process wrote to standard error, with control characters replaced.
  public var lastLines: [String]

  public init(
    _ code: Code, command: String, _ message: String, remedy: String, lastLines: [String] = []
  ) {
    self.code = code
    self.command = command
    self.message = message
    self.remedy = remedy
    self.lastLines = lastLines
  }
}

extension EngineProcessError: CustomStringConvertible {
  /// `engine "command" message; remedy`, followed by the last lines of standard error.
  public var description: String {
    let sentence = "engine \"\(command)\" \(message); \(remedy)"
    if lastLines.isEmpty { return sentence }
    return ([sentence, "its last lines on standard error:"] + lastLines.map { "  | \($0)" })
      .joined(separator: "\n")
  }
}
