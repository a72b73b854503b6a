import ArgumentParser
import Foundation
import TriggerModel

/// The entry point of the tool.
///
/// Synchronous commands run on the main thread. During an asynchronous command, the main thread blocks on a
/// semaphore. An asynchronous `main` or `dispatchMain` would park the main thread in a way that crashes
/// valgrind, with which tests and `bench compare` count instructions.
@main
enum Main {
  static func main() {
    // A write to a closed pipe, or beyond the size limit of a file, returns an error instead of killing the
    // process.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    openStreams()
    do {
      let parsed = try TriggerBench.parseAsRoot()
      guard let command = parsed as? any AsyncParsableCommand else {
        var command = parsed
        do {
          try command.run()
        } catch {
          end(error, of: type(of: command))
        }
        end(nil)
      }
      run(command)
    } catch {
      if let misuse = unknownCommand() { end(misuse, of: TriggerBench.self) }
      end(error)
    }
  }

  /// Returns an error that suggests the nearest command, or `nil` if the first argument is a command or an
  /// option.
  ///
  /// The parser's own error states only that the argument was unexpected.
  private static func unknownCommand() -> ValidationError? {
    let names = TriggerBench.configuration.subcommands.compactMap { $0.configuration.commandName }
    guard let word = CommandLine.arguments.dropFirst().first, !word.hasPrefix("-"),
      !(names + ["help"]).contains(word)
    else { return nil }
    let hint = NearestNames.hint(for: word, among: names) ?? "'triggerbench --help' lists all"
    return ValidationError("there is no command '\(word)'; \(hint)")
  }

  /// Opens `/dev/null` for each closed standard stream.
  ///
  /// Otherwise the next opened file would take the stream's number and receive the printed text.
  private static func openStreams() {
    for stream in STDIN_FILENO...STDERR_FILENO where fcntl(stream, F_GETFD) == -1 {
      _ = open("/dev/null", O_RDWR)
    }
  }

  /// Ends the process with the exit code of an error, or with 0.
  ///
  /// If a result could not be written, the tool has failed, whatever the verdict.
  ///
  /// - Parameter command: The executed command, whose usage is printed after a validation error.
  private static func end(_ error: (any Error)?, of command: (any ParsableCommand.Type)? = nil) -> Never {
    if let problem = Terminal.lostOutput {
      Terminal.diagnose("triggerbench: \(Terminal.message(ofOutputError: problem))")
      if error == nil || error is ExitCode { TriggerBench.exit(withError: Exit.failure) }
    }
    if let command, let misuse = error as? ValidationError {
      Terminal.diagnose("Error: \(misuse.message)\nUsage: \(TriggerBench.usageString(for: command))")
      Foundation.exit(ExitCode.validationFailure.rawValue)
    }
    TriggerBench.exit(withError: error)
  }

  private static func run(_ command: sending any AsyncParsableCommand) -> Never {
    Task {
      var command = command
      do {
        try await command.run()
        end(nil)
      } catch {
        end(error, of: type(of: command))
      }
    }
    // Block until the task ends the process.
    while true { DispatchSemaphore(value: 0).wait() }
  }
}
