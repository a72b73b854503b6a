import Foundation
import Synchronization
import Testing

@testable import EngineWire

/// Engines that do not want to end, and what they leave behind.
@Suite(.serialized) struct EndingTests {
  @Test func endsByItself() throws {
    let ending = try Script.play("while read line; do echo $line; done; exit 5", grace: .seconds(60)) {
      try $0.write(line: "event", deadline: $0.soon)
      try $0.expectLine("event")
    }
    #expect(ending == .exited(5))
  }

  @Test func endsWhenAskedTo() throws {
    let script = try Script("trap 'exit 7' TERM; echo ready; for i in $(seq 9999); do sleep 0.01; done")
    defer { script.remove() }
    // The first grace time is over when it begins, the second never ends.
    let watch = JumpingWatch()
    let process = try script.start(stopwatch: { watch.now() })
    let pipes = Pipes(of: process)
    try process.expectLine("ready")
    watch.jumpAfterOneLook()
    #expect(process.close(grace: .seconds(1)) == .exited(7))
    script.expectNothingLeft(process.processID, pipes)
  }

  @Test func ignoresThatItIsAskedTo() throws {
    let source = "trap '' TERM; NOTE; echo ready; exec sleep 100"
    let ending = try Script.play(source, grace: .milliseconds(20), descendants: 1) {
      try $0.expectLine("ready")
    }
    #expect(ending == .killed(signal: 9))
  }

  @Test func isStopped() throws {
    let ending = try Script.play("echo ready; kill -STOP $$; exit 1", grace: .milliseconds(20)) {
      try $0.expectLine("ready")
    }
    #expect(ending == .killed(signal: 9))
  }

  @Test(.enabled(if: Script.hasProcessTable, Script.skipReason))
  func isNotClosed() throws {
    let script = try Script(
      "sh -c 'trap \"\" TERM; NOTE; echo ready; exec sleep 100' & exec sleep 100")
    defer { script.remove() }
    var process = Optional(try script.start())
    let pipes = try #require(process.map { Pipes(of: $0) })
    let number = try #require(process?.processID)
    #expect(try process.map { try $0.readLine(deadline: $0.soon) } == "ready")
    #expect(script.pids.count == 1 && pipes.open.count == 3)
    process = nil
    script.expectNothingLeft(number, pipes)
  }

  /// One row for each way to be found, by which alone it is.
  @Test(
    "leaves processes behind", .enabled(if: Script.hasProcessTable, Script.skipReason),
    arguments: [
      // In the group, and deaf.
      "sh -c 'trap \"\" TERM; NOTE; exec sleep 100' & wait_for 1",
      // In a session of its own, an orphan that holds the pipes.
      "(setsid sh -c 'NOTE; exec sleep 100' &); wait_for 1",
      // The same without the variable.
      "(env -i PIDS=\"$PIDS\" setsid sh -c 'NOTE; exec sleep 100' &); wait_for 1",
      // With the variable, and without the pipes.
      "(setsid sh -c 'NOTE; exec sleep 100' </dev/null >/dev/null 2>&1 &); wait_for 1",
      // Without either, but an orphan of such a one, in its session, and alone in a group.
      """
      (setsid bash -c 'NOTE; set -m
        (env -i PIDS="$PIDS" sh -c "NOTE; exec sleep 100" &)
        exec sleep 100' </dev/null >/dev/null 2>&1 &); wait_for 2
      """,
    ], [true, false])
  func leavesProcessesBehind(_ how: String, endsFirst: Bool) throws {
    let count = how.hasSuffix("2") ? 2 : 1
    let source = """
      wait_for() { until [ "$(wc -l < "$PIDS")" -ge $1 ]; do sleep 0.01; done; }
      touch "$PIDS"
      \(how)
      echo ready
      \(endsFirst ? "exit 4" : "exec sleep 100")
      """
    let ending = try Script.play(source, descendants: count) { process in
      try process.expectLine("ready")
      if endsFirst {
        // Although others hold its output open.
        let error = try failure { _ = try process.readLine(deadline: process.soon) }
        #expect(error.code == .exited(4))
      }
    }
    #expect(ending == (endsFirst ? .exited(4) : .killed(signal: 9)))
  }

  /// Known by nothing but its parent, which must not be killed before it is found.
  @Test(.enabled(if: Script.hasProcessTable, Script.skipReason))
  func leavesAChildThatHidesItself() throws {
    let source = """
      touch "$PIDS"
      env -i PIDS="$PIDS" setsid sh -c 'NOTE; exec sleep 100' </dev/null >/dev/null 2>&1 &
      until [ -s "$PIDS" ]; do sleep 0.01; done
      echo ready; exec sleep 100
      """
    try Script.play(source, descendants: 1) {
      try $0.expectLine("ready")
    }
  }

  /// As good as without end: a run that is broken off must not leave an endless one to the machine.
  @Test(.enabled(if: Script.hasProcessTable, Script.skipReason))
  func forksAllTheTime() throws {
    let source = """
      setsid sh -c 'trap "" TERM; for i in $(seq 500); do
        setsid sh -c "NOTE; exec sleep 30" & sleep 0.02; done' &
      until [ "$(cat "$PIDS" 2>/dev/null | wc -l)" -ge 10 ]; do sleep 0.01; done
      echo ready; exec sleep 100
      """
    try Script.play(source, descendants: 10) {
      try $0.expectLine("ready")
    }
  }

  /// Who waits for an end is woken by it, and does not look again and again whether it has come: in the time of the
  /// sleep there would be fifty looks.
  @Test(.enabled(if: Script.hasProcessTable, Script.skipReason))
  func isNotLookedAtWhileItTakesItsTime() throws {
    let script = try Script("read line; sleep 1; exit 3")
    defer { script.remove() }
    let watch = CountingWatch()
    let process = try script.start(stopwatch: { watch.now() })
    #expect(process.close(grace: .seconds(1)) == .exited(3))
    #expect(watch.count < 25)
  }

  @Test func othersAreLeftAlone() throws {
    let script = try Script("exec cat")
    defer { script.remove() }
    let other = try script.start()
    try Script.play("echo ready; exec sleep 100") {
      try $0.expectLine("ready")
    }
    #expect(try other.ask("still here") == "still here")
    #expect(other.close(grace: .seconds(60)) == .exited(0))
  }
}

/// Stands still, and counts how often it is looked at.
private final class CountingWatch: Sendable {
  private let looks = Mutex(0)

  var count: Int { looks.withLock { $0 } }

  func now() -> UInt64 {
    looks.withLock { $0 += 1 }
    return 0
  }
}

/// Stands still, jumps once, and stands still again.
private final class JumpingWatch: Sendable {
  private let looks = Mutex<Int?>(nil)

  func jumpAfterOneLook() { looks.withLock { $0 = 0 } }

  func now() -> UInt64 {
    looks.withLock { looks in
      guard let count = looks else { return 0 }
      looks = count + 1
      return count == 0 ? 0 : 3_600_000_000_000
    }
  }
}
