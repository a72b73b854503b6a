import Synchronization
public import TriggerModel

/// A clock of simulation time for code that waits: `Task.sleep(for:clock:)` and everything built on it.
///
/// Nothing happens by itself. Start tasks on the clock's ``executor`` and let time pass with ``run(until:)``:
/// sleepers are woken one at a time, in the order of their deadlines and, of one deadline, in the order in
/// which they went to sleep; after each everything runs until it waits again. A week of hourly work takes
/// milliseconds, and the same program does the same things in the same order every time.
///
/// ```swift
/// let clock = SimulationClock(now: start)
/// let task = Task(executorPreference: clock.executor) {
///   while true {
///     try await Task.sleep(for: .seconds(3600), clock: clock)
///     await phone.look()
///   }
/// }
/// clock.run(until: start + .days(7))
/// task.cancel()
/// ```
///
/// The order is certain for tasks on the executor, and for default actors that they call. What hops to
/// another executor, such as the main actor, comes back when it likes.
public final class SimulationClock: Clock {
  /// A point of simulation time, in whole milliseconds.
  public struct Instant: InstantProtocol {
    /// As event lists count it.
    public var simulationTime: TriggerModel.Instant

    /// The same point, for code that sleeps.
    public init(_ simulationTime: TriggerModel.Instant) {
      self.simulationTime = simulationTime
    }

    /// A duration that is no whole number of milliseconds is rounded up: nobody wakes early.
    public func advanced(by duration: Duration) -> Self {
      Self(simulationTime + TimeSpan(milliseconds: duration.millisecondsRoundedUp))
    }

    /// Exact, in whole milliseconds; negative where the other is earlier.
    public func duration(to other: Self) -> Duration {
      .milliseconds((other.simulationTime - simulationTime).milliseconds)
    }

    public static func < (a: Self, b: Self) -> Bool { a.simulationTime < b.simulationTime }
  }

  /// Runs the tasks that live by this clock.
  public let executor = SimulationExecutor()
  private let sleepers: Mutex<Sleepers>

  /// A clock on which nobody sleeps yet, and that shows this instant until it is run.
  public init(now: TriggerModel.Instant) {
    sleepers = Mutex(Sleepers(now))
  }

  /// The deadline of the sleeper that was woken last, or the end of the last run. May be asked by any thread.
  public var now: Instant { Instant(sleepers.withLock { $0.deadlines.now }) }

  /// A millisecond, in which all simulation time counts.
  public var minimumResolution: Duration { .milliseconds(1) }

  /// Waits until the clock has come to the deadline; one that has passed is no wait.
  ///
  /// - Throws: `CancellationError` when the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    let sleeper = sleepers.withLock { $0.nextSleeper() }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        sleepers.withLock { $0.lie(down: sleeper, until: deadline.simulationTime, continuation) }?()
      }
    } onCancel: {
      sleepers.withLock { $0.cancel(sleeper) }?.resume(throwing: CancellationError())
    }
  }

  /// Lets time pass. Everything that is due before the instant, and at it, has happened when this returns.
  ///
  /// Must not be called by a task on the clock's own executor.
  ///
  /// - Complexity: O(log n) for each sleeper that wakes.
  public func run(until end: TriggerModel.Instant) {
    executor.runUntilIdle()
    while let sleeper = sleepers.withLock({ $0.wakeNext(notAfter: end) }) {
      sleeper.resume()
      executor.runUntilIdle()
    }
    sleepers.withLock { $0.advance(to: end) }
  }
}

/// Who sleeps, and until when.
private struct Sleepers {
  private(set) var deadlines: FutureEventList<UInt64>
  private var continuations: [UInt64: CheckedContinuation<Void, any Error>] = [:]
  /// Cancelled before they lay down.
  private var restless: Set<UInt64> = []
  private var count: UInt64 = 0

  init(_ now: Instant) { deadlines = FutureEventList(now: now) }

  mutating func nextSleeper() -> UInt64 {
    count += 1
    return count
  }

  /// - Returns: What is to be done at once, without the lock, where there is no wait.
  mutating func lie(
    down sleeper: UInt64, until deadline: Instant, _ continuation: CheckedContinuation<Void, any Error>
  ) -> (() -> Void)? {
    if restless.remove(sleeper) != nil { return { continuation.resume(throwing: CancellationError()) } }
    if deadline <= deadlines.now { return { continuation.resume() } }
    continuations[sleeper] = continuation
    deadlines.schedule(at: deadline, sleeper)
    return nil
  }

  mutating func cancel(_ sleeper: UInt64) -> CheckedContinuation<Void, any Error>? {
    if let continuation = continuations.removeValue(forKey: sleeper) { return continuation }
    restless.insert(sleeper)
    return nil
  }

  /// The next sleeper, and the clock at its deadline.
  mutating func wakeNext(notAfter end: Instant) -> CheckedContinuation<Void, any Error>? {
    while let notice = deadlines.popNext(before: end + TimeSpan(milliseconds: 1)) {
      if let continuation = continuations.removeValue(forKey: notice.payload) { return continuation }
    }
    return nil
  }

  mutating func advance(to end: Instant) {
    guard end > deadlines.now else { return }
    // The clock of a list goes where its events are.
    deadlines.schedule(at: end, 0)
    while let notice = deadlines.popNext(before: end + TimeSpan(milliseconds: 1)), notice.payload != 0 {}
  }
}

/// Runs the jobs that are handed to it when it is told to, one after the other, on the thread that tells it.
public final class SimulationExecutor: TaskExecutor {
  private let jobs = Mutex<[UnownedJob]>([])

  /// Adds a job behind those that wait. Nothing runs before ``runUntilIdle()``.
  public func enqueue(_ job: UnownedJob) {
    jobs.withLock { $0.append(job) }
  }

  /// The same of a job as the runtime hands it over.
  public func enqueue(_ job: consuming ExecutorJob) {
    enqueue(UnownedJob(job))
  }

  /// Runs everything that waits, and what comes of it, until nothing is left to run.
  public func runUntilIdle() {
    while true {
      let batch = jobs.withLock { waiting in
        defer { waiting.removeAll(keepingCapacity: true) }
        return waiting
      }
      if batch.isEmpty { return }
      for job in batch { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
  }
}

extension Duration {
  fileprivate var millisecondsRoundedUp: Int64 {
    let (seconds, attoseconds) = components
    let perMillisecond: Int64 = 1_000_000_000_000_000
    // Of a negative duration both parts are negative; rounding towards zero is rounding up there.
    let rest =
      attoseconds > 0 ? (attoseconds + perMillisecond - 1) / perMillisecond : attoseconds / perMillisecond
    return seconds * 1_000 + rest
  }
}
