import Foundation
import Synchronization
import Testing

@testable import EngineWire

/// Tests how processes and their descendants are ended.
@Suite(.serialized) struct EndingTests {
  @Test func `a process ends when its standard input is closed`() throws {
    let ending = try Script.play("while read line; do echo $line; done; exit 5", grace: .seconds(60)) {
      try $0.write(line: "event", deadline: $0.soon)
      try $0.expectLine("event")
    }
    #expect(ending == .exited(5))
  }

  @Test func `a process ends on SIGTERM`() throws {
    let script = try Script("trap 'exit 7' TERM; echo ready; for i in $(seq 9999); do sleep 0.01; done")
    defer { script.remove() }
    // The clock makes the first grace time end immediately, and the second one last forever.
    let watch = JumpingWatch()
    let process = try script.start(stopwatch: { watch.now() })
    let pipes = Pipes(of: process)
    try process.expectLine("ready")
    watch.jumpAfterOneReading()
    #expect(process.close(grace: .seconds(1)) == .exited(7))
    script.expectNothingLeft(process.processID, pipes)
  }

  @Test func `a process that ignores SIGTERM is killed`() throws {
    let source = "trap '' TERM; NOTE; echo ready; exec sleep 100"
    let ending = try Script.play(source, grace: .milliseconds(20), descendants: 1) {
      try $0.expectLine("ready")
    }
    #expect(ending == .killed(signal: 9))
  }

  @Test func `a stopped process is killed`() throws {
    let ending = try Script.play("echo ready; kill -STOP $$; exit 1", grace: .milliseconds(20)) {
      try $0.expectLine("ready")
    }
    #expect(ending == .killed(signal: 9))
  }

  @Test(.enabled(if: Script.hasProcessTable, Script.skipReason))
  func `a process that is released without being closed is killed`() throws {
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

  /// Each script leaves processes behind that are found in a different way.
  @Test(
    .enabled(if: Script.hasProcessTable, Script.skipReason),
    arguments: [
      // Found by its group. It ignores SIGTERM.
      "sh -c 'trap \"\" TERM; NOTE; exec sleep 100' & wait_for 1",
      // Found by its pipes or its marker: an orphan in a session of its own.
      "(setsid sh -c 'NOTE; exec sleep 100' &); wait_for 1",
      // Found by its pipes: the same process without the marker.
      "(env -i PIDS=\"$PIDS\" setsid sh -c 'NOTE; exec sleep 100' &); wait_for 1",
      // Found by its marker: the same process without the pipes.
      "(setsid sh -c 'NOTE; exec sleep 100' </dev/null >/dev/null 2>&1 &); wait_for 1",
      // Found by the session of its parent: an orphan in a group of its own, without marker and pipes.
      """
      (setsid bash -c 'NOTE; set -m
        (env -i PIDS="$PIDS" sh -c "NOTE; exec sleep 100" &)
        exec sleep 100' </dev/null >/dev/null 2>&1 &); wait_for 2
      """,
    ], [true, false])
  func `processes left behind are killed`(_ how: String, endsFirst: Bool) throws {
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
        // Other processes keep the output of the process open.
        let error = try failure { _ = try process.readLine(deadline: process.soon) }
        #expect(error.code == .exited(4))
      }
    }
    #expect(ending == (endsFirst ? .exited(4) : .killed(signal: 9)))
  }

  /// The child can be found only through its parent, so it must be found before the parent is killed.
  @Test(.enabled(if: Script.hasProcessTable, Script.skipReason))
  func `a child that can be found only through its parent is killed`() throws {
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

  /// The script forks almost endlessly. It ends eventually, in case the test is interrupted.
  @Test(.enabled(if: Script.hasProcessTable, Script.skipReason))
  func `a process that forks continuously is killed`() throws {
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

  /// Polling would check for the end fifty times during this time.
  @Test(.enabled(if: Script.hasProcessTable, Script.skipReason))
  func `waiting for the end of a process does not poll`() throws {
    let script = try Script("read line; sleep 1; exit 3")
    defer { script.remove() }
    let watch = CountingWatch()
    let process = try script.start(stopwatch: { watch.now() })
    #expect(process.close(grace: .seconds(1)) == .exited(3))
    #expect(watch.count < 25)
  }

  @Test func `other processes are not killed`() throws {
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

/// A clock that stands still and counts how often it is read.
private final class CountingWatch: Sendable {
  private let readings = Mutex(0)

  var count: Int { readings.withLock { $0 } }

  func now() -> UInt64 {
    readings.withLock { $0 += 1 }
    return 0
  }
}

/// A clock that stands still, except for one jump.
private final class JumpingWatch: Sendable {
  private let readings = Mutex<Int?>(nil)

  func jumpAfterOneReading() { readings.withLock { $0 = 0 } }

  func now() -> UInt64 {
    readings.withLock { readings in
      guard let count = readings else { return 0 }
      readings = count + 1
      return count == 0 ? 0 : 3_600_000_000_000
    }
  }
}
