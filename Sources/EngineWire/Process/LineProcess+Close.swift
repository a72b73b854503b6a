import CChildProcess

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension LineProcess {
  /// Ends the process and everything that it has started, and says how it ended.
  ///
  /// Its standard input is closed, after which it has the grace time to end by itself; then it gets SIGTERM
  /// and the same time again; then it is killed, with all its descendants. With no grace time it is killed at
  /// once. What a process that ended by itself has left running is killed too. The second call does nothing.
  ///
  /// What this cannot end is said at ``ProcessFamily``. A process that the system does not end although it is
  /// killed (it waits for a broken disk, say) is given up after five seconds.
  @discardableResult
  package func close(grace: Duration) -> Ending {
    if let ending { return ending }
    input.shut()
    if grace > .zero, awaitEnding(until: deadline(after: grace)) == nil {
      kill(-processID, SIGTERM)
      _ = awaitEnding(until: deadline(after: grace))
    }
    let how = killFamily()
    ending = how
    if failed == nil {
      failed = EngineProcessError(
        .closed, command: command, "was closed before", remedy: "start it anew")
    }
    drainErrors(atMost: 16)
    errorLines.finish()
    output.shut()
    errors.shut()
    exit.shut()
    return how
  }

  /// Kills until nobody is left, and takes the process out of the system's table.
  private func killFamily() -> Ending {
    let deadline = deadline(after: .seconds(5))
    var members = Set<Int32>()
    var pause: Int32 = 1
    while true {
      // They are found before anybody is killed: the orphans of a dead process are not known by their parent.
      // As long as the process is not reaped, its number and that of its group cannot be anybody else's.
      let isOurs = endingByNow() != .unknown
      let living = family.living(knowing: isOurs ? members.union([processID]) : members)
      members.formUnion(living)
      let ending = endingByNow()
      if isOurs { kill(-processID, SIGKILL) }
      for member in living { kill(member, SIGKILL) }
      if living.isEmpty, let ending {
        reap(members)
        return ending
      }
      if left(until: deadline) == 0 { return .unknown }
      poll(nil, 0, pause)
      pause = min(pause * 2, 20)
    }
  }

  /// The process itself; and its orphans, where the tool is the one that they are handed to (as the first
  /// process of a container is).
  private func reap(_ members: Set<Int32>) {
    _ = waitpid(processID, nil, WNOHANG)
    for member in members.sorted() where member != processID { _ = waitpid(member, nil, WNOHANG) }
  }
}
