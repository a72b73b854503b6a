import SimulationKernel
import Synchronization
import Testing
import TriggerModel

/// The simulation clock as a Swift `Clock` for code that sleeps.
@Suite("The simulation clock") struct SimulationClockTests {
  private let start = Instant(millisecondsSince1970: 1_772_400_000_000)

  private actor Log {
    private(set) var lines: [String] = []
    func add(_ line: String) { lines.append(line) }
  }

  /// An actor that checks every hour.
  private actor Watcher {
    private(set) var looks = 0
    func live(by clock: SimulationClock) async throws {
      while true {
        try await Task.sleep(for: .seconds(3_600), clock: clock)
        looks += 1
      }
    }
  }

  @Test func `an actor that sleeps an hour at a time runs for a week`() async throws {
    let clock = SimulationClock(now: start)
    let watcher = Watcher()
    let task = Task(executorPreference: clock.executor) { try await watcher.live(by: clock) }
    clock.run(until: start + .days(7))
    #expect(await watcher.looks == 7 * 24)
    #expect(clock.now.simulationTime == start + .days(7))
    task.cancel()
    clock.run(until: start + .days(8))
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(await watcher.looks == 7 * 24, "a cancelled sleep wakes immediately")
  }

  @Test
  func `sleepers wake in the order of their deadlines, and ties in the order of their sleeps`()
    async throws
  {
    let clock = SimulationClock(now: start)
    let log = Log()
    for (name, milliseconds) in [("a", 30), ("b", 10), ("c", 30), ("d", 20), ("e", 10)] {
      Task(executorPreference: clock.executor) {
        for round in 1...3 {
          try await Task.sleep(for: .milliseconds(milliseconds), clock: clock)
          await log.add("\(name)\(round)")
        }
      }
    }
    clock.run(until: start + TimeSpan(milliseconds: 59))
    // b and e wake at 10; d, b and e at 20; a, c, b and e at 30; d at 40.
    #expect(await log.lines == ["b1", "e1", "d1", "b2", "e2", "a1", "c1", "b3", "e3", "d2"])
    clock.run(until: start + TimeSpan(milliseconds: 60))
    #expect(await log.lines.suffix(3) == ["a2", "c2", "d3"])
  }

  @Test func `no sleeper wakes early, and a sleep whose deadline has passed does not wait`() async throws {
    let clock = SimulationClock(now: start)
    let log = Log()
    Task(executorPreference: clock.executor) {
      try await clock.sleep(until: clock.now.advanced(by: .seconds(-5)))
      await log.add("at once")
      try await Task.sleep(for: .microseconds(1_500), clock: clock)
      await log.add("at \(clock.now.simulationTime.millisecondsSince1970 - start.millisecondsSince1970)")
    }
    clock.run(until: start + TimeSpan(milliseconds: 1))
    #expect(await log.lines == ["at once"])
    clock.run(until: start + TimeSpan(milliseconds: 5))
    #expect(await log.lines == ["at once", "at 2"])
  }
}
