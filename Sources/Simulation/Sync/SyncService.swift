import CivilTime
import ScenarioModel
import TriggerModel

/// The server behind the app under test, and the sync state of the app on each device.
///
/// Each device adds its user's changes to its *outbox*. While the device is online, a change reaches the
/// server after half of the delay. The server keeps the newest record of each subject. After the other half,
/// the other devices apply the changes that they lack. For this a device must be online, and its app must be
/// running or be started by a push. The service is a value without callbacks. It replies with `SyncStep`s.
struct SyncService: Sendable {
  /// Whether a device can send and fetch changes at a moment.
  struct Reach: Hashable, Sendable {
    var isOnline: Bool
    var isAppRunning: Bool
    var takesPushes: Bool
  }

  /// The operation that a timer starts.
  enum Operation: UInt8, Hashable, Sendable, BitwiseCopyable {
    case send, fetch, retry
  }

  private struct SyncedDevice: Sendable {
    var reach = Reach(isOnline: true, isAppRunning: true, takesPushes: false)
    /// The changes that the server has not accepted yet, in order of creation.
    var outbox: [Waiting] = []
    /// The newest change of each subject that this device knows, whichever device made it.
    var known: [SharedChange.Subject: SyncWrite] = [:]
    /// The server's sequence number of the last change that the device has fetched.
    var lastFetched = 0
    /// The number of further changes that the server will refuse, and the number that it will receive twice.
    var refusalsLeft = 0, repetitionsLeft = 0
    var isSending = false, isFetching = false
    var count: UInt32 = 0
  }

  private struct Waiting: Sendable {
    var write: SyncWrite
    /// Whether the server refused the change. A blocked change is not sent again until an event releases it.
    var isBlocked = false
    var refusal: SyncRefusal?
  }

  private struct Occasion: Hashable, Sendable {
    var reminder: ReminderID
    var time: LocalTime
  }

  private let setup: SyncSetup
  /// The facts on which each reminder depends.
  private let facts: [Set<FactID>]
  private var devices: [SyncedDevice]
  /// The server's records, each with its sequence number.
  private var records: [SharedChange.Subject: (write: SyncWrite, sequence: Int)] = [:]
  private var lastSequence = 0
  /// The number of records that count toward the quota.
  private var quotaUsed = 0
  /// The devices that showed the notification of each occasion, as bits.
  private var shownOn: [Occasion: UInt16] = [:]
  private var steps: [SyncStep] = []

  /// - Parameters:
  ///   - facts: The facts on which each reminder depends.
  ///   - devices: The number of the person's devices, at most 16.
  init(_ setup: SyncSetup, facts: [Set<FactID>], devices: Int) {
    self.setup = setup
    self.facts = facts
    self.devices = Array(repeating: SyncedDevice(), count: devices)
  }

  /// Creates the service of a scenario, or returns `nil` if the scenario declares no sync.
  init?(_ scenario: Scenario) {
    guard let setup = scenario.sync else { return nil }
    let positions = Dictionary(
      scenario.facts.enumerated().map { ($0.element.name, FactID($0.offset)) }, uniquingKeysWith: { $1 })
    var facts = scenario.reminders.map { Set($0.declaration.factNames.compactMap { positions[$0] }) }
    for edit in scenario.edits {
      facts[edit.reminder.index].formUnion(edit.declaration.factNames.compactMap { positions[$0] })
    }
    self.init(setup, facts: facts, devices: scenario.devices.count + 1)
  }

  /// Removes and returns the steps collected so far.
  mutating func takeSteps() -> [SyncStep] {
    if steps.isEmpty { return [] }
    defer { steps.removeAll(keepingCapacity: true) }
    return steps
  }

  // MARK: - Events

  /// Processes the events of a device.
  mutating func observe(_ events: [SyncEvent], of device: Int, _ reach: Reach, at now: Instant) {
    if reach.isOnline, !devices[device].reach.isOnline { release(device) }
    devices[device].reach = reach
    for event in events { observe(event, of: device) }
    plan(at: now)
  }

  private mutating func observe(_ event: SyncEvent, of device: Int) {
    switch event {
    case .changed(let change, let wall):
      let write = SyncWrite(change, at: wall, device: UInt8(device), number: devices[device].count)
      devices[device].count += 1
      devices[device].outbox.append(Waiting(write: write))
      devices[device].known[write.subject] = write
      record(.written(write), on: device)
    case .refuses(let count): devices[device].refusalsLeft += Int(count)
    case .repeats: devices[device].repetitionsLeft += 1
    case .opened: release(device)
    case .reinstalled:
      // A new installation loses the unsent changes and fetches everything again.
      devices[device].outbox = []
      devices[device].known = [:]
      devices[device].lastFetched = 0
    case .appeared(let id, let time): appeared(id, for: time, on: device)
    }
  }

  /// Runs an operation that is due.
  mutating func run(_ operation: Operation, of device: Int, _ reach: Reach, at now: Instant) {
    devices[device].reach = reach
    switch operation {
    case .send: send(device, at: now)
    case .fetch: fetch(device)
    case .retry: release(device)
    }
    plan(at: now)
  }

  // MARK: - To the server

  /// Unblocks the device's refused changes, so that they are sent again.
  private mutating func release(_ device: Int) {
    for index in devices[device].outbox.indices { devices[device].outbox[index].isBlocked = false }
  }

  private mutating func send(_ device: Int, at now: Instant) {
    devices[device].isSending = false
    guard devices[device].reach.isOnline else { return }
    var left: [Waiting] = []
    var needsRetry = false
    for var waiting in devices[device].outbox {
      if !waiting.isBlocked, let refusal = refusal(of: waiting.write, from: device) {
        (waiting.isBlocked, waiting.refusal) = (true, refusal)
        needsRetry = needsRetry || refusal == .fault
        record(.refused(waiting.write, refusal), on: device)
      }
      if waiting.isBlocked {
        left.append(waiting)
        continue
      }
      store(waiting.write, from: device)
      if devices[device].repetitionsLeft > 0 {
        devices[device].repetitionsLeft -= 1
        // The server recognizes a repeated change by its device and number, even if it refused the change
        // before.
        record(.repeated(waiting.write), on: device)
      }
    }
    devices[device].outbox = left
    if needsRetry { steps.append(.wake(at: now + setup.retry, device: device, .retry)) }
  }

  private mutating func refusal(of write: SyncWrite, from device: Int) -> SyncRefusal? {
    if devices[device].refusalsLeft > 0 {
      devices[device].refusalsLeft -= 1
      return .fault
    }
    if let quota = setup.quota, write.change.countsTowardQuota, records[write.subject] == nil,
      quotaUsed >= quota
    {
      return .quota
    }
    return nil
  }

  private mutating func store(_ write: SyncWrite, from device: Int) {
    if let other = records[write.subject] {
      guard write.overrules(other.write) else {
        // Make the next fetch return the newer change.
        devices[device].lastFetched = min(devices[device].lastFetched, other.sequence - 1)
        return record(.overruled(write), on: device)
      }
    }
    lastSequence += 1
    if write.change.countsTowardQuota, records[write.subject] == nil { quotaUsed += 1 }
    records[write.subject] = (write, lastSequence)
    record(.stored(write), on: device)
  }

  // MARK: - From the server

  private mutating func fetch(_ device: Int) {
    devices[device].isFetching = false
    guard devices[device].reach.isOnline else { return }
    let new = records.values.filter { $0.sequence > devices[device].lastFetched }.sorted {
      $0.sequence < $1.sequence
    }
    for (write, _) in new {
      let known = devices[device].known[write.subject]
      if let known, !write.overrules(known) { continue }
      devices[device].known[write.subject] = write
      // The app already has this value.
      if known?.change == write.change { continue }
      steps.append(.apply(write, device: device))
      record(.learned(write), on: device)
    }
    devices[device].lastFetched = lastSequence
  }

  // MARK: - Scheduling

  /// Schedules each send and fetch that is needed and possible.
  private mutating func plan(at now: Instant) {
    let half = TimeSpan(milliseconds: setup.delay.milliseconds / 2)
    for index in devices.indices where devices[index].reach.isOnline {
      if !devices[index].isSending, devices[index].outbox.contains(where: { !$0.isBlocked }) {
        devices[index].isSending = true
        steps.append(.wake(at: now + half, device: index, .send))
      }
      let reach = devices[index].reach
      let fetches = reach.isAppRunning || setup.pushes && reach.takesPushes
      if fetches, !devices[index].isFetching, hasUnfetchedChanges(for: index) {
        devices[index].isFetching = true
        steps.append(.wake(at: now + (setup.delay - half), device: index, .fetch))
      }
    }
  }

  private func hasUnfetchedChanges(for device: Int) -> Bool { devices[device].lastFetched < lastSequence }

  private mutating func record(_ record: SyncRecord, on device: Int) {
    steps.append(.record(record, device: device))
  }

  // MARK: - Unnecessary notifications

  private mutating func appeared(_ id: RequestID, for time: LocalTime, on device: Int) {
    let occasion = Occasion(reminder: id.reminder, time: time)
    let before = shownOn[occasion, default: 0] & ~(1 << UInt16(device))
    shownOn[occasion, default: 0] |= 1 << UInt16(device)
    let gap = missedChange(id.reminder, device)
    if before != 0 {
      // Either of the two devices may have missed a change by the other.
      var cause = gap
      for other in devices.indices where before >> UInt16(other) & 1 == 1 {
        cause = cause ?? missedChange(id.reminder, other)
      }
      record(.doubled(id, cause ?? .nothingDone), on: device)
    }
    if let gap { record(.untold(id, gap), on: device) }
  }

  /// Returns why a device missed another device's change of a reminder, or `nil` if it missed none.
  private func missedChange(_ reminder: ReminderID, _ device: Int) -> SyncCause? {
    func concerns(_ write: SyncWrite) -> Bool {
      guard Int(write.device) != device, isAbout(write.change, reminder) else { return false }
      return devices[device].known[write.subject].map { write.overrules($0) } ?? true
    }
    for other in devices.indices where other != device {
      guard let waiting = devices[other].outbox.last(where: { concerns($0.write) }) else { continue }
      if waiting.refusal != nil { return .refused }
      return devices[other].reach.isOnline && devices[device].reach.isOnline ? .underway : .offline
    }
    guard records.values.contains(where: { concerns($0.write) }) else { return nil }
    guard devices[device].reach.isOnline else { return .offline }
    return devices[device].isFetching ? .underway : .notRun
  }

  private func isAbout(_ change: SharedChange, _ reminder: ReminderID) -> Bool {
    switch change {
    case .fact(let fact, _): facts[reminder.index].contains(fact)
    case .create(let other), .edit(let other, _), .cancel(let other), .snooze(let other, _): other == reminder
    case .cancelAll: true
    case .preference, .notified: false
    }
  }
}

extension SharedChange {
  /// Whether the record of the change counts toward the quota. Records of shown notifications do not, because
  /// the server deletes them automatically.
  fileprivate var countsTowardQuota: Bool { if case .notified = self { false } else { true } }
}

/// A step that the service requests. The world executes the steps in order.
enum SyncStep: Sendable {
  case record(SyncRecord, device: Int)
  /// The app on a device applies a change.
  case apply(SyncWrite, device: Int)
  /// Call ``SyncService/run(_:of:_:at:)`` at this instant. Operations cannot be cancelled.
  case wake(at: Instant, device: Int, SyncService.Operation)
}
