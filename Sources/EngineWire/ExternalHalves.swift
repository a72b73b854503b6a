import TriggerEngine
import TriggerModel

/// The half of an external engine that matches triggers.
struct ExternalMatching: MatchingHalf {
  let link: EngineLink

  func begin(
    _ launch: ProcessLaunch, _ stored: StoredState?, into effects: inout [EngineEffect]
  ) throws(StoreProblem) {
    try link.begin(launch, stored, into: &effects)
  }

  func open(
    _ stored: StoredState?, at now: Moment, into effects: inout [EngineEffect]
  ) throws(StoreProblem) {
    try link.open(stored, at: now, into: &effects)
  }

  func process(_ event: ObservedEvent, into effects: inout [EngineEffect]) {
    link.ask(at: event.moment, into: &effects) { $0.observed(event) }
  }

  /// Passes the event on unchanged. The engine knows that its store is locked, so it makes no requests.
  func look(_ event: ObservedEvent, into effects: inout [EngineEffect]) { process(event, into: &effects) }

  func takeBack(_ request: NotificationRequest, at moment: Moment) {}

  func settled(_ answers: [EngineEffect], at moment: Moment, into effects: inout [EngineEffect]) {
    var isNews = false
    for answer in answers {
      switch answer {
      case .decided, .dropped, .remove:
        link.queue(answer, at: moment)
        isNews = true
      default: break
      }
    }
    if isNews { link.ask(.settled, at: moment, into: &effects) }
  }

  func stale(among releases: [NotificationRequest], at moment: Moment) -> Set<RequestID> {
    for request in releases { link.queue(.request(request), at: moment) }
    var effects: [EngineEffect] = []
    link.ask(.release, at: moment, into: &effects)
    var stale: Set<RequestID> = []
    for case .remove(let id, _) in effects { stale.insert(id) }
    return stale
  }

  func collectNames(into used: inout UsedNames) {}
  func write(to writer: inout StateWriter) {}
  var ownState: [UInt8]? { link.stored }
}

/// The half of an external engine that decides requests.
struct ExternalDeciding: DecidingHalf {
  let link: EngineLink

  func begin(
    _ launch: ProcessLaunch, _ stored: StoredState?, names: StoreNames, into effects: inout [EngineEffect]
  ) throws(StoreProblem) {
    try link.begin(launch, stored, into: &effects)
  }

  func open(
    _ stored: StoredState?, names: StoreNames, at now: Moment, into effects: inout [EngineEffect]
  ) throws(StoreProblem) {
    try link.open(stored, at: now, into: &effects)
  }

  func process(_ event: ObservedEvent, into effects: inout [EngineEffect]) {
    link.answerAdds(refused: event.kind == .addFailed ? event.request : nil)
    link.ask(at: event.moment, into: &effects) { $0.observed(event) }
  }

  func submit(_ request: NotificationRequest) { link.submit(request) }

  func withdraw(
    _ id: RequestID, because reason: Reason, at now: Moment, into effects: inout [EngineEffect]
  ) {
    withdraw([.remove(id, reason)], at: now, into: &effects)
  }

  func withdraw(
    _ reminder: ReminderID, because reason: Reason, at now: Moment, into effects: inout [EngineEffect]
  ) {
    withdraw([.withdraw(reminder, reason)], at: now, into: &effects)
  }

  private func withdraw(_ withdrawals: [EngineEffect], at now: Moment, into effects: inout [EngineEffect]) {
    for effect in withdrawals { link.queue(effect, at: now) }
    link.ask(.withdraw, at: now, into: &effects)
  }

  func withdrawStale(_ stale: Set<RequestID>, at now: Moment, into effects: inout [EngineEffect]) {
    withdraw(stale.sorted().map { .remove($0, .staleAtRelease) }, at: now, into: &effects)
  }

  /// Always `false`, because the engine reports further work with `more` in its answer.
  var hasNewReleases: Bool { false }

  func releases(at now: Moment) -> [NotificationRequest] {
    guard link.isUnsettled else { return [] }
    link.answerAdds(refused: nil)
    var effects: [EngineEffect] = []
    link.ask(.release, at: now, into: &effects)
    return effects.compactMap { effect in
      if case .request(let request) = effect { request } else { nil }
    }
  }

  func settle(at now: Moment, into effects: inout [EngineEffect]) -> Bool {
    guard link.isUnsettled else { return false }
    link.answerAdds(refused: nil)
    link.ask(at: now, into: &effects) { $0.settle(at: now) }
    return link.hasMore
  }

  func collectNames(_ names: StoreNames, into used: inout UsedNames) {}
  func write(to writer: inout StateWriter) {}
  var ownState: [UInt8]? { link.stored }
}

extension EngineLink {
  /// Starts a new process for a half and sends a launch to it.
  fileprivate func begin(
    _ launch: ProcessLaunch, _ stored: StoredState?, into effects: inout [EngineEffect]
  ) throws(StoreProblem) {
    if !isFresh { start() }
    var launch = launch
    if launch.store != .locked { launch.store = contents(stored) }
    try taking(launch.store, into: &effects) { effects in
      ask(at: launch.moment, into: &effects) { $0.launch(launch) }
    }
  }

  /// Notifies a half that its store has become readable.
  fileprivate func open(
    _ stored: StoredState?, at now: Moment, into effects: inout [EngineEffect]
  ) throws(StoreProblem) {
    let contents = contents(stored)
    try taking(contents, into: &effects) { effects in
      ask(at: now, into: &effects) { $0.open(contents, at: now) }
    }
  }

  private func contents(_ stored: StoredState?) -> StoreContents {
    guard let bytes = stored?.bytes(of: .other), !bytes.isEmpty else { return .empty }
    return .bytes(bytes)
  }

  private func taking(
    _ contents: StoreContents, into effects: inout [EngineEffect], _ body: (inout [EngineEffect]) -> Void
  ) throws(StoreProblem) {
    stored = if case .bytes(let bytes) = contents { bytes } else { [] }
    let first = effects.count
    body(&effects)
    // If this half cannot use its state, the state of the other half is unusable too.
    for case .storeUnusable(let problem) in effects[first...] { throw problem }
  }
}
