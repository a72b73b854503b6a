/// What went wrong with an engine in another process, and what to do about it.
public struct EngineProcessError: Error, Hashable, Sendable {
  /// What went wrong, for code that has to tell one thing from another.
  ///
  /// More codes can come with any version, and who reads the lines may have codes of its own.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// In the style of a case: `timedOut`.
    public let name: String
    /// The exit status, or the signal; nil for all other codes.
    public let number: Int32?

    public init(_ name: String, number: Int32? = nil) {
      self.name = name
      self.number = number
    }

    /// `timedOut`, or `exited(1)`.
    public var description: String { number.map { "\(name)(\($0))" } ?? name }

    /// The command cannot be split into words, or needs a shell.
    public static let badCommand = Code("badCommand")
    /// There is no such program.
    public static let notFound = Code("notFound")
    /// It is there, but cannot be run.
    public static let notExecutable = Code("notExecutable")
    /// The system cannot start one more process.
    public static let cannotStart = Code("cannotStart")
    /// The process ended by itself, with this status, before it had answered.
    public static func exited(_ status: Int32) -> Code { Code("exited", number: status) }
    /// A signal ended the process before it had answered.
    public static func killed(_ signal: Int32) -> Code { Code("killed", number: signal) }
    /// The process lives, but has closed its standard output.
    public static let closedOutput = Code("closedOutput")
    /// The process lives, but reads no more.
    public static let brokenPipe = Code("brokenPipe")
    /// The process neither answered nor ended in the time that it had.
    public static let timedOut = Code("timedOut")
    /// A line is longer than allowed, or has no end.
    public static let lineTooLong = Code("lineTooLong")
    /// The process writes more than it was asked for, and nobody can read it all.
    public static let floodedOutput = Code("floodedOutput")
    /// A line is not text in UTF-8.
    public static let notUTF8 = Code("notUTF8")
    /// The process was closed already.
    public static let closed = Code("closed")
  }

  public var code: Code
  /// The command as its user wrote it.
  public var command: String
  /// What is wrong.
  public var message: String
  /// What to do about it.
  public var remedy: String
  /// The last lines on its standard error, without control characters.
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
  /// `engine "command" message; remedy`, and below it the last lines on standard error.
  public var description: String {
    let sentence = "engine \"\(command)\" \(message); \(remedy)"
    if lastLines.isEmpty { return sentence }
    return ([sentence, "its last lines on standard error:"] + lastLines.map { "  | \($0)" })
      .joined(separator: "\n")
  }
}
