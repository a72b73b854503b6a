import CivilTime
package import ScenarioModel
package import TriggerModel

/// The server behind our app, and what each device of the person keeps for it.
///
/// A device puts what its user does into its *outbox*. When it is online, what waits there reaches the server after
/// half of the delay; the server keeps one record of each subject, the newest. A device that is online, and whose app
/// runs or is started by a push, takes over after the other half what it does not have. The service is a value and
/// calls nobody: it answers with `SyncStep`s.
package struct SyncService: Sendable {
  /// What is known of a device at a moment.
  package struct Reach: Hashable, Sendable {
    package var isOnline: Bool
    package var isAppRunning: Bool
    package var takesPushes: Bool

    package init(isOnline: Bool, isAppRunning: Bool, takesPushes: Bool) {
      self.isOnline = isOnline
      self.isAppRunning = isAppRunning
      self.takesPushes = takesPushes
    }
  }

  /// What a timer of the service is for.
  package enum Errand: UInt8, Hashable, Sendable, BitwiseCopyable {
    case send, fetch, retry
  }

  private struct SyncedDevice: Sendable {
    var reach = Reach(isOnline: true, isAppRunning: true, takesPushes: false)
    /// In the order in which they were made.
    var outbox: [Waiting] = []
    /// The newest of each subject that the app here knows, whoever made it.
    var known: [SharedChange.Subject: SyncWrite] = [:]
    /// The last of the server's changes that it has taken over.
    var seen = 0
    /// How many of the next changes the server refuses, and how many come to it twice.
    var refusing = 0, repeating = 0
    var isSending = false, isFetching = false
    var count: UInt32 = 0
  }

  private struct Waiting: Sendable {
    var write: SyncWrite
    /// Refused, and not to be sent before something gives rise to it.
    var isHeld = false
    var refusal: SyncRefusal?
  }

  private struct Occasion: Hashable, Sendable {
    var reminder: ReminderID
    var time: LocalTime
  }

  private let setup: SyncSetup
  /// By reminder: the facts that it looks at.
  private let facts: [Set<FactID>]
  private var devices: [SyncedDevice]
  /// What the server holds, each with its place in the order of its changes.
  private var records: [SharedChange.Subject: (write: SyncWrite, place: Int)] = [:]
  private var lastPlace = 0
  /// How many of the records count for the quota.
  private var roomTaken = 0
  /// On which devices a notification was seen for an occasion, as bits.
  private var seen: [Occasion: UInt16] = [:]
  private var steps: [SyncStep] = []

  /// - Parameters:
  ///   - facts: By reminder: the facts that it looks at.
  ///   - devices: How many the person has, 16 at most.
  package init(_ setup: SyncSetup, facts: [Set<FactID>], devices: Int) {
    self.setup = setup
    self.facts = facts
    self.devices = Array(repeating: SyncedDevice(), count: devices)
  }

  /// What was answered so far, which is taken.
  package mutating func takeSteps() -> [SyncStep] {
    if steps.isEmpty { return [] }
    defer { steps.removeAll(keepingCapacity: true) }
    return steps
  }

  // MARK: - What it is told

  /// Something has happened on a device, or may have.
  package mutating func hear(_ news: [SyncNews], of device: Int, _ reach: Reach, at now: Instant) {
    if reach.isOnline, !devices[device].reach.isOnline { release(device) }
    devices[device].reach = reach
    for item in news { hear(item, of: device) }
    plan(at: now)
  }

  private mutating func hear(_ news: SyncNews, of device: Int) {
    switch news {
    case .changed(let change, let wall):
      let write = SyncWrite(change, at: wall, device: UInt8(device), number: devices[device].count)
      devices[device].count += 1
      devices[device].outbox.append(Waiting(write: write))
      devices[device].known[write.subject] = write
      record(.written(write), on: device)
    case .refuses(let count): devices[device].refusing += Int(count)
    case .repeats: devices[device].repeating += 1
    case .opened: release(device)
    case .reinstalled:
      // What was not sent is gone with the installation, and the new one takes over everything.
      devices[device].outbox = []
      devices[device].known = [:]
      devices[device].seen = 0
    case .appeared(let id, let time): appeared(id, for: time, on: device)
    }
  }

  /// An errand's time has come.
  package mutating func run(_ errand: Errand, of device: Int, _ reach: Reach, at now: Instant) {
    devices[device].reach = reach
    switch errand {
    case .send: send(device, at: now)
    case .fetch: fetch(device)
    case .retry: release(device)
    }
    plan(at: now)
  }

  // MARK: - To the server

  /// What was refused is sent again.
  private mutating func release(_ device: Int) {
    for index in devices[device].outbox.indices { devices[device].outbox[index].isHeld = false }
  }

  private mutating func send(_ device: Int, at now: Instant) {
    devices[device].isSending = false
    guard devices[device].reach.isOnline else { return }
    var left: [Waiting] = []
    var needsRetry = false
    for var waiting in devices[device].outbox {
      if !waiting.isHeld, let refusal = refusal(of: waiting.write, from: device) {
        (waiting.isHeld, waiting.refusal) = (true, refusal)
        needsRetry = needsRetry || refusal == .fault
        record(.refused(waiting.write, refusal), on: device)
      }
      if waiting.isHeld {
        left.append(waiting)
        continue
      }
      store(waiting.write, from: device)
      if devices[device].repeating > 0 {
        devices[device].repeating -= 1
        // The server knows it by its device and number, whatever has become of it.
        record(.repeated(waiting.write), on: device)
      }
    }
    devices[device].outbox = left
    if needsRetry { steps.append(.wake(at: now + setup.retry, device: device, .retry)) }
  }

  private mutating func refusal(of write: SyncWrite, from device: Int) -> SyncRefusal? {
    if devices[device].refusing > 0 {
      devices[device].refusing -= 1
      return .fault
    }
    if let quota = setup.quota, write.change.takesRoom, records[write.subject] == nil, roomTaken >= quota {
      return .quota
    }
    return nil
  }

  private mutating func store(_ write: SyncWrite, from device: Int) {
    if let other = records[write.subject] {
      guard write.overrules(other.write) else {
        // The answer brings the newer one along.
        devices[device].seen = min(devices[device].seen, other.place - 1)
        return record(.overruled(write), on: device)
      }
    }
    lastPlace += 1
    if write.change.takesRoom, records[write.subject] == nil { roomTaken += 1 }
    records[write.subject] = (write, lastPlace)
    record(.stored(write), on: device)
  }

  // MARK: - From the server

  private mutating func fetch(_ device: Int) {
    devices[device].isFetching = false
    guard devices[device].reach.isOnline else { return }
    let new = records.values.filter { $0.place > devices[device].seen }.sorted { $0.place < $1.place }
    for (write, _) in new {
      let known = devices[device].known[write.subject]
      if let known, !write.overrules(known) { continue }
      devices[device].known[write.subject] = write
      // What is so already the app need not be told.
      if known?.change == write.change { continue }
      steps.append(.learn(write, device: device))
      record(.learned(write), on: device)
    }
    devices[device].seen = lastPlace
  }

  // MARK: - When

  /// Sends every device on the errands that it can and has to do.
  private mutating func plan(at now: Instant) {
    let half = TimeSpan(milliseconds: setup.delay.milliseconds / 2)
    for index in devices.indices where devices[index].reach.isOnline {
      if !devices[index].isSending, devices[index].outbox.contains(where: { !$0.isHeld }) {
        devices[index].isSending = true
        steps.append(.wake(at: now + half, device: index, .send))
      }
      let reach = devices[index].reach
      let asks = reach.isAppRunning || setup.pushes && reach.takesPushes
      if asks, !devices[index].isFetching, hasNews(for: index) {
        devices[index].isFetching = true
        steps.append(.wake(at: now + (setup.delay - half), device: index, .fetch))
      }
    }
  }

  private func hasNews(for device: Int) -> Bool { devices[device].seen < lastPlace }

  private mutating func record(_ record: SyncRecord, on device: Int) {
    steps.append(.record(record, device: device))
  }

  // MARK: - Notifications that should not be

  private mutating func appeared(_ id: RequestID, for time: LocalTime, on device: Int) {
    let occasion = Occasion(reminder: id.reminder, time: time)
    let before = seen[occasion, default: 0] & ~(1 << UInt16(device))
    seen[occasion, default: 0] |= 1 << UInt16(device)
    let gap = untold(id.reminder, device)
    if before != 0 {
      // Either of them may have known better.
      var cause = gap
      for other in devices.indices where before >> UInt16(other) & 1 == 1 {
        cause = cause ?? untold(id.reminder, other)
      }
      record(.doubled(id, cause ?? .nothingDone), on: device)
    }
    if let gap { record(.untold(id, gap), on: device) }
  }

  /// Why a device does not know of something that was done about a reminder on another one; nil: it knows everything.
  private func untold(_ reminder: ReminderID, _ device: Int) -> SyncCause? {
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
  /// Whether a record of it counts for the quota: what was shown is a list that is cleared by itself.
  fileprivate var takesRoom: Bool { if case .notified = self { false } else { true } }
}

/// What the service answers with, in the order in which it is to be done.
package enum SyncStep: Sendable {
  case record(SyncRecord, device: Int)
  /// The app on a device takes a change over.
  case learn(SyncWrite, device: Int)
  /// ``SyncService/run(_:of:_:at:)`` is to be called then. Errands are not cancelled.
  case wake(at: Instant, device: Int, SyncService.Errand)
}
