import ArgumentParser
import Foundation

/// Commands that await nothing run on the main thread, as in any program. An asynchronous `main` would park
/// that thread in a way of which valgrind dies, and `bench compare` counts instructions with it.
@main
enum Main {
  static func main() {
    // A reader that has had enough closes the pipe: writing then fails, and the tool ends quietly.
    signal(SIGPIPE, SIG_IGN)
    do {
      let parsed = try TriggerBench.parseAsRoot()
      guard let command = parsed as? any AsyncParsableCommand else {
        var command = parsed
        return try command.run()
      }
      run(command)
    } catch {
      TriggerBench.exit(withError: error)
    }
  }

  private static func run(_ command: sending any AsyncParsableCommand) -> Never {
    Task {
      do {
        var command = command
        try await command.run()
        TriggerBench.exit()
      } catch {
        TriggerBench.exit(withError: error)
      }
    }
    dispatchMain()
  }
}
