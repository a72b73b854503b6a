import ArgumentParser
import Foundation
import TriggerModel

/// Commands that await nothing run on the main thread, as in any program. For the others that thread waits by a
/// semaphore: an asynchronous `main`, and `dispatchMain`, would park it in a way of which valgrind dies, and tests
/// and `bench compare` count instructions with it.
@main
enum Main {
  static func main() {
    // A reader that has had enough closes the pipe: writing then fails, and the tool ends quietly.
    signal(SIGPIPE, SIG_IGN)
    // Nor is a file that may not grow any more a reason to die without a word.
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

  /// That the first word is no command, and which one is nearest, says more than that no such word was expected.
  private static func unknownCommand() -> ValidationError? {
    let names = TriggerBench.configuration.subcommands.compactMap { $0.configuration.commandName }
    guard let word = CommandLine.arguments.dropFirst().first, !word.hasPrefix("-"),
      !(names + ["help"]).contains(word)
    else { return nil }
    let hint = NearestNames.hint(for: word, among: names) ?? "'triggerbench --help' lists all"
    return ValidationError("there is no command '\(word)'; \(hint)")
  }

  /// A stream that is closed gives its number to the next file that is opened, and what is printed would go there.
  private static func openStreams() {
    for stream in STDIN_FILENO...STDERR_FILENO where fcntl(stream, F_GETFD) == -1 {
      _ = open("/dev/null", O_RDWR)
    }
  }

  /// Ends with the verdict. That a result could not be written is a failure of the tool, whatever the verdict.
  ///
  /// - Parameter command: Which one ran: its usage is told where it was used wrongly.
  private static func end(_ error: (any Error)?, of command: (any ParsableCommand.Type)? = nil) -> Never {
    if let problem = Terminal.lostOutput {
      Terminal.diagnose("triggerbench: \(Terminal.lostWords(problem))")
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
    // The task never returns, it ends the process.
    while true { DispatchSemaphore(value: 0).wait() }
  }
}
