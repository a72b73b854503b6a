import Foundation
import Testing

@testable import EngineWire

/// Tests how processes are started.
@Suite(.serialized) struct StartTests {
  private func start(_ command: String, path: String = Script.path) throws(EngineProcessError) -> LineProcess
  {
    try LineProcess(command: command, environment: ["PATH": path], stopwatch: Script.stopwatch)
  }

  @Test func `a program is found in the PATH of its environment`() throws {
    let first = try Script("echo first")
    let second = try Script("echo second")
    let notExecutable = try Script("", mayRun: false)
    defer { for script in [first, second, notExecutable] { script.remove() } }
    let process = try start(
      "engine", path: "/no/such:\(notExecutable.folder.path):\(second.folder.path):\(first.folder.path)")
    try process.expectLine("second")
    #expect(try failure { _ = try start("engine", path: "/no/such") }.code == .notFound)
    #expect(try failure { _ = try start("engine", path: notExecutable.folder.path) }.code == .notExecutable)
  }

  @Test func `an error states why a program cannot be started`() throws {
    let notExecutable = try Script("", mayRun: false)
    let lost = try Script("", line: "#!/no/such/program")
    let strange = try Script("", line: "neither this nor that")
    defer { for script in [notExecutable, lost, strange] { script.remove() } }
    let expected: [(String, EngineProcessError.Code, String)] = [
      (
        "no-such-engine --fast", .notFound,
        "there is no program no-such-engine on PATH; install it, or write its path"
      ),
      (
        "A=1 node", .notFound,
        "there is no program A=1 on PATH; to set a variable, put the word env before it"
      ),
      ("/no/such/engine", .notFound, "there is no file /no/such/engine"),
      (notExecutable.folder.path, .notFound, "there is no file"),
      (notExecutable.path, .notExecutable, "is not marked as a program; run: chmod +x"),
      (lost.path, .notFound, "the program in the first line of \(lost.path) does not exist"),
      (strange.path, .notExecutable, "is not a program for this machine; begin a script with"),
    ]
    for (command, code, words) in expected {
      let error = try failure { _ = try start(command) }
      #expect(error.code == code && error.command == command)
      #expect(error.description.contains(words), "\(error)")
    }
  }

  @Test func `a file that is open for writing cannot be started`() throws {
    let script = try Script("exec cat")
    defer { script.remove() }
    let file = try Script.fileToWrite(script.path)
    let error = try failure { _ = try start(script.path) }
    #expect(
      error.code == .notExecutable && error.message.hasSuffix("\(script.path) is still being written"))
    try file.close()
    #expect(try start(script.path).ask("event") == "event")
  }

  @Test func `a program receives its arguments and its environment`() throws {
    let script = try Script("for word in \"$@\"; do echo \"<$word>\"; done; exec env")
    defer { script.remove() }
    let process = try LineProcess(
      command: "'\(script.path)' a 'b c' \"\" d\\ e", environment: ["PATH": Script.path, "X": "1"],
      stopwatch: Script.stopwatch)
    var lines: [String] = []
    let error = try failure { while true { lines.append(try process.readLine(deadline: process.soon)) } }
    #expect(error.code == .exited(0))
    #expect(lines.prefix(4) == ["<a>", "<b c>", "<>", "<d e>"])
    let variables = lines.dropFirst(4).filter { !$0.hasPrefix("PWD=") && !$0.hasPrefix("_=") }
    #expect(variables.count == 3 && variables.contains("X=1") && variables.contains("PATH=\(Script.path)"))
    #expect(variables.contains { $0.hasPrefix("TRIGGERBENCH_ENGINE_\(getpid())_") && $0.hasSuffix("=1") })
  }

  @Test(.enabled(if: Script.hasProcessTable, Script.skipReason))
  func `a process leads its own group`() throws {
    try Script.play("exec cat") { process in
      let status = try #require(ProcessTable.status(of: process.processID))
      #expect(status.group == process.processID && status.parent == getpid())
    }
  }

  @Test(.enabled(if: Script.hasProcessTable, Script.skipReason))
  func `descriptors are not inherited`() throws {
    try Script.play("exec ls /proc/self/fd") { process in
      for descriptor in [process.input.number, process.output.number, process.errors.number] {
        #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0)
        #expect(descriptor > 2)
      }
      // The last number is the descriptor of the folder that `ls` is reading.
      let numbers = try (0..<4).map { _ in try process.readLine(deadline: process.soon) }
      #expect(numbers == ["0", "1", "2", "3"])
      #expect(throws: EngineProcessError.self) { try process.readLine(deadline: process.soon) }
    }
  }

  /// A child process that inherited the input of another process would keep that process running.
  @Test func `many processes can be started at the same time`() async throws {
    let script = try Script("exec cat")
    defer { script.remove() }
    let path = script.path
    let endings = await withTaskGroup(of: [LineProcess.Ending?].self) { group in
      for worker in 0..<4 {
        group.addTask {
          (0..<25).map { number in
            guard
              let process = try? LineProcess(
                command: path, environment: ["PATH": Script.path], stopwatch: Script.stopwatch),
              (try? process.ask("\(worker) \(number)")) == "\(worker) \(number)"
            else { return nil }
            return process.close(grace: .seconds(60))
          }
        }
      }
      return await group.reduce(into: []) { $0 += $1 }
    }
    #expect(endings == Array(repeating: .exited(0), count: 100))
  }

  @Test(.enabled(if: Script.hasProcessTable, Script.skipReason))
  func `the tool's signal settings are not inherited`() async {
    await #expect(processExitsWith: .success) {
      signal(SIGINT, SIG_IGN)
      signal(SIGPIPE, SIG_DFL)
      var blocked = sigset_t()
      sigemptyset(&blocked)
      sigaddset(&blocked, SIGTERM)
      pthread_sigmask(SIG_BLOCK, &blocked, nil)
      _ = try Script.play("exec grep -E 'SigBlk|SigIgn' /proc/self/status") { process in
        for _ in 0..<2 {
          // The C library reserves signals above 31.
          let signals = try process.readLine(deadline: process.soon).split(separator: "\t")[1]
          #expect(try #require(UInt64(signals, radix: 16)) & 0x7FFF_FFFF == 0)
        }
      }
      // Writing to a closed pipe throws an error and does not affect SIGPIPE, which is neither blocked,
      // pending nor ignored.
      _ = try Script.play("exit 3") { process in
        let error = try failure { while true { try process.write(line: "event", deadline: process.soon) } }
        #expect(error.code == .exited(3))
      }
      var now = sigset_t()
      pthread_sigmask(SIG_BLOCK, nil, &now)
      #expect(sigismember(&now, SIGPIPE) == 0 && sigismember(&now, SIGTERM) == 1)
      sigpending(&now)
      #expect(sigismember(&now, SIGPIPE) == 0)
    }
  }
}
