import Synchronization
public import TriggerModel

/// A clock of simulation time for code that sleeps. Pass it to `Task.sleep(for:clock:)` or to any API that
/// takes a clock.
///
/// Time does not advance automatically. Start tasks on the clock's ``executor`` and advance time with
/// ``run(until:)``. The clock wakes sleepers one at a time in the order of their deadlines. Sleepers with
/// equal deadlines wake in the order in which they went to sleep. After each wake-up, all tasks run until
/// they wait again. A week of hourly work takes milliseconds of real time, and its order of execution is
/// always the same.
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
/// The order is deterministic for tasks on the executor and for the default actors that they call. Code on
/// another executor, such as the main actor, resumes at an unspecified time.
public final class SimulationClock: Clock {
  /// A point in simulation time, in whole milliseconds.
  public struct Instant: InstantProtocol {
    /// This point as an instant of a future event list.
    public var simulationTime: TriggerModel.Instant

    /// Creates an instant of this clock from an instant of a future event list.
    public init(_ simulationTime: TriggerModel.Instant) {
      self.simulationTime = simulationTime
    }

    /// Returns the instant after a duration. Rounds up to a whole millisecond, so that no sleeper wakes
    /// early.
    public func advanced(by duration: Duration) -> Self {
      Self(simulationTime + TimeSpan(milliseconds: duration.millisecondsRoundedUp))
    }

    /// Returns the exact duration to another instant, in whole milliseconds. The duration is negative if
    /// `other` is earlier.
    public func duration(to other: Self) -> Duration {
      .milliseconds((other.simulationTime - simulationTime).milliseconds)
    }

    public static func < (a: Self, b: Self) -> Bool { a.simulationTime < b.simulationTime }
  }

  /// The executor that runs the tasks that use this clock.
  public let executor = SimulationExecutor()
  private let sleepers: Mutex<Sleepers>

  /// Creates a clock without sleepers that reads `now` until it is run.
  public init(now: TriggerModel.Instant) {
    sleepers = Mutex(Sleepers(now))
  }

  /// The deadline of the sleeper that woke last, or the end of the last run. This property is thread-safe.
  public var now: Instant { Instant(sleepers.withLock { $0.deadlines.now }) }

  /// The resolution of simulation time: a millisecond.
  public var minimumResolution: Duration { .milliseconds(1) }

  /// Suspends the task until the clock reaches the deadline. Returns immediately if the deadline has passed.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    let sleeper = sleepers.withLock { $0.nextSleeper() }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        sleepers.withLock { $0.add(sleeper, until: deadline.simulationTime, continuation) }?()
      }
    } onCancel: {
      sleepers.withLock { $0.cancel(sleeper) }?.resume(throwing: CancellationError())
    }
  }

  /// Advances the clock to `end`, and wakes all sleepers whose deadline is at or before it.
  ///
  /// Do not call this method from a task on the clock's own executor.
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

/// The sleepers and their deadlines.
private struct Sleepers {
  private(set) var deadlines: FutureEventList<UInt64>
  private var continuations: [UInt64: CheckedContinuation<Void, any Error>] = [:]
  /// The sleepers that were cancelled before they went to sleep.
  private var cancelledEarly: Set<UInt64> = []
  private var count: UInt64 = 0

  init(_ now: Instant) { deadlines = FutureEventList(now: now) }

  mutating func nextSleeper() -> UInt64 {
    count += 1
    return count
  }

  /// - Returns: The action to perform as soon as the lock is released, or `nil` if the sleeper waits.
  mutating func add(
    _ sleeper: UInt64, until deadline: Instant, _ continuation: CheckedContinuation<Void, any Error>
  ) -> (() -> Void)? {
    if cancelledEarly.remove(sleeper) != nil { return { continuation.resume(throwing: CancellationError()) } }
    if deadline <= deadlines.now { return { continuation.resume() } }
    continuations[sleeper] = continuation
    deadlines.schedule(at: deadline, sleeper)
    return nil
  }

  mutating func cancel(_ sleeper: UInt64) -> CheckedContinuation<Void, any Error>? {
    if let continuation = continuations.removeValue(forKey: sleeper) { return continuation }
    cancelledEarly.insert(sleeper)
    return nil
  }

  /// Removes and returns the next sleeper, and advances the clock to its deadline.
  mutating func wakeNext(notAfter end: Instant) -> CheckedContinuation<Void, any Error>? {
    while let notice = deadlines.popNext(before: end + TimeSpan(milliseconds: 1)) {
      if let continuation = continuations.removeValue(forKey: notice.payload) { return continuation }
    }
    return nil
  }

  mutating func advance(to end: Instant) {
    guard end > deadlines.now else { return }
    // The clock of an event list advances only with its events, so this adds an event at `end`.
    deadlines.schedule(at: end, 0)
    while let notice = deadlines.popNext(before: end + TimeSpan(milliseconds: 1)), notice.payload != 0 {}
  }
}

/// An executor that runs its jobs only on request, one at a time, on the caller's thread.
public final class SimulationExecutor: TaskExecutor {
  private let jobs = Mutex<[UnownedJob]>([])

  /// Adds a job to the end of the queue. The job runs in a call of ``runUntilIdle()``.
  public func enqueue(_ job: UnownedJob) {
    jobs.withLock { $0.append(job) }
  }

  /// Adds a job to the end of the queue. The Swift runtime calls this method.
  public func enqueue(_ job: consuming ExecutorJob) {
    enqueue(UnownedJob(job))
  }

  /// Runs all queued jobs and the jobs that they enqueue, until the queue is empty.
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
    // Both parts of a negative duration are negative, so rounding towards zero rounds up.
    let rest =
      attoseconds > 0 ? (attoseconds + perMillisecond - 1) / perMillisecond : attoseconds / perMillisecond
    return seconds * 1_000 + rest
  }
}
