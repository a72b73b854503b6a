package import DeviceSimulation
package import TriggerModel

/// Matches the events that the platform reported to the app with actual events.
///
/// A report that the phone marks as false is not matched. Any other report is matched with the latest
/// unmatched event of the same kind and subject, however old the event is.
///
/// To bound the memory, matched events are counted and dropped. At least the last ``mostOpen`` unmatched
/// events are kept. The causes of a signal's events are stored, in packed form, only once
/// ``trackLatest(like:)`` has been called for the signal.
package struct SignalLedger: Sendable {
  /// Identifies an event in the ledger.
  package struct Entry: Hashable, Sendable {
    package var event: ObservedEvent.Kind
    package var subject: UInt32
    /// The sequence number among events of the same signal.
    package var number: Int
  }

  /// An event that has not been reported.
  fileprivate struct Open: Sendable {
    var number: Int
    var instant: Instant
    /// The reason why the event was not reported immediately, or `nil` if the phone stated none.
    var statedCause: String?

    var cause: String { statedCause ?? KnowledgeGap.notTold.rawValue }
  }

  /// The events of one signal.
  fileprivate struct Page: Sendable {
    /// The counts of events that were matched or are too old to be matched.
    var account = SignalAccount()
    /// The unmatched events, with the latest one last.
    var open: [Open] = []
    var falseToCome = 0
    /// The delay of the report of the latest event, or `nil` if it was not reported.
    var lastDelay: TimeSpan?
    /// The causes of matched and expired events, or `nil` before they are needed.
    var causes: CauseTable?
  }

  /// The pages by kind of event, then by subject.
  private var pages: [[Page]] = Array(
    repeating: [], count: ObservedEvent.Kind.allCases.count)
  private let mostOpen: Int

  /// - Parameter mostOpen: The number of latest unmatched events of a signal to keep. The default is an
  ///   assumption: even an app that did not run for months has fewer events to observe.
  package init(mostOpen: Int = 65_536) {
    self.mostOpen = mostOpen
  }

  // MARK: Recording

  package mutating func happened(_ event: ObservedEvent, at instant: Instant) {
    guard let signal = PlatformSignal(event) else { return }
    let most = mostOpen
    change(signal.event, signal.subject) { page in
      if page.open.count >= 2 * most {
        for old in page.open.prefix(most) { page.expire(old) }
        page.open.removeFirst(most)
      }
      page.open.append(Open(number: page.account.truth, instant: instant))
      page.account.truth += 1
      page.lastDelay = nil
    }
  }

  package mutating func reported(_ event: ObservedEvent, at instant: Instant) {
    guard let signal = PlatformSignal(event) else { return }
    change(signal.event, signal.subject) { page in
      page.account.observed += 1
      if page.falseToCome > 0 {
        page.falseToCome -= 1
      } else if let event = page.open.popLast() {
        page.match(event, late: instant - event.instant)
      }
    }
  }

  /// Records the phone's statements about missing and false reports.
  package mutating func take(_ outcome: PhoneOutcome) {
    switch outcome {
    case .missed(let kind, let subject, let cause):
      explain(kind, subject, cause.name)
    case .regionSuppressed(let region, let isEnter, let cause):
      explain(isEnter ? .regionEntered : .regionExited, region.rawValue, cause.name)
    case .falseSign(let kind, let subject):
      if kind.isSignal { change(kind, subject) { $0.falseToCome += 1 } }
    default: break
    }
  }

  /// Assigns a cause to the latest event that was not reported and has no cause yet.
  private mutating func explain(_ event: ObservedEvent.Kind, _ subject: UInt32, _ cause: String) {
    guard event.isSignal else { return }
    change(event, subject) { page in
      let index = page.open.lastIndex { $0.statedCause == nil }
      if let index { page.open[index].statedCause = cause }
    }
  }

  private mutating func change(
    _ event: ObservedEvent.Kind, _ subject: UInt32, _ body: (inout Page) -> Void
  ) {
    let (kind, index) = (Int(event.rawValue), Int(subject))
    let missing = index + 1 - pages[kind].count
    if missing > 0 { pages[kind].append(contentsOf: repeatElement(Page(), count: missing)) }
    body(&pages[kind][index])
  }

  /// Adds the events of another device. The run must have ended.
  package mutating func add(_ other: SignalLedger) {
    for kind in pages.indices {
      for (subject, page) in other.pages[kind].enumerated() {
        change(ObservedEvent.Kind.allCases[kind], UInt32(subject)) { own in
          own.account.add(page.account)
          own.open += page.open
        }
      }
    }
  }

  // MARK: Reading

  /// Returns the latest event of a signal, or `nil` if there is none. From then on, the ledger keeps the
  /// causes of the signal's events for ``cause(of:)``.
  package mutating func trackLatest(like event: ObservedEvent) -> Entry? {
    guard let signal = PlatformSignal(event), signal.subject < pages[Int(signal.event.rawValue)].count else {
      return nil
    }
    var last: Int?
    change(signal.event, signal.subject) { last = $0.trackLatest() }
    return last.map { Entry(event: signal.event, subject: signal.subject, number: $0) }
  }

  /// Returns the reason why the app did not observe an event immediately, or `nil` if it did. The reason is
  /// `toldLate` if the app observed the event later.
  package func cause(of entry: Entry) -> String? {
    pages[Int(entry.event.rawValue)][Int(entry.subject)].cause(of: entry.number)
  }

  /// Returns the subjects of a kind that have events.
  package func subjects(of kind: PlatformSignal.Kind) -> [UInt32] {
    let pages = pages[Int(kind.event.rawValue)]
    return pages.indices.map { UInt32($0) }.filter {
      let account = pages[Int($0)].account
      return account.truth > 0 || account.observed > 0
    }
  }

  package func account(of kind: PlatformSignal.Kind, _ subject: UInt32) -> SignalAccount {
    let pages = pages[Int(kind.event.rawValue)]
    guard subject < pages.count else { return SignalAccount() }
    let page = pages[Int(subject)]
    return page.open.reduce(into: page.account) { $0.missed[$1.cause, default: 0] += 1 }
  }

  /// Returns the sum over all subjects of a kind.
  package func account(of kind: PlatformSignal.Kind) -> SignalAccount {
    subjects(of: kind).reduce(into: SignalAccount()) { $0.add(account(of: kind, $1)) }
  }
}

extension SignalLedger.Page {
  fileprivate mutating func match(_ event: SignalLedger.Open, late delay: TimeSpan) {
    account.matched += 1
    account.delays.add(delay.milliseconds)
    if event.number == account.truth - 1 { lastDelay = delay }
    recordDelay(of: event.number, delay)
  }

  /// Counts an event that is too old to be matched.
  fileprivate mutating func expire(_ event: SignalLedger.Open) {
    account.missed[event.cause, default: 0] += 1
    causes?[event.number] = event.cause
  }

  private mutating func recordDelay(of number: Int, _ delay: TimeSpan) {
    if delay > .zero { causes?[number] = KnowledgeGap.toldLate.rawValue }
  }

  fileprivate mutating func trackLatest() -> Int? {
    guard account.truth > 0 else { return nil }
    let number = account.truth - 1
    if causes == nil { causes = CauseTable() }
    if let lastDelay { recordDelay(of: number, lastDelay) }
    return number
  }

  fileprivate func cause(of number: Int) -> String? {
    // Use a binary search: the open events are ordered, and there may be many.
    var places = open[...]
    while places.count > 1 {
      let middle = places.startIndex + places.count / 2
      places = places[middle].number > number ? places[..<middle] : places[middle...]
    }
    if let place = places.first, place.number == number { return place.cause }
    return causes?[number]
  }
}

/// The causes of missed events of one signal, by the number of the event. A cause takes one byte, or 1,024
/// events take one byte together if they have the same cause.
struct CauseTable: Sendable {
  private struct Block {
    /// The code of all events in the block if ``own`` is empty.
    var common: UInt8 = 0
    var own: [UInt8] = []

    subscript(place: Int) -> UInt8 {
      get { own.isEmpty ? common : own[place] }
      set {
        if self[place] == newValue { return }
        if own.isEmpty { own = Array(repeating: common, count: CauseTable.blockLength) }
        own[place] = newValue
        // Events are assigned in ascending or descending order, so only a write at either end can complete a
        // uniform block.
        if place == 0 || place == own.count - 1, own.allSatisfy({ $0 == newValue }) {
          (common, own) = (newValue, [])
        }
      }
    }
  }

  private static let blockLength = 1_024

  private var blocks: [Block] = []
  /// The names of the codes 1, 2, and so on. Code 0 means no cause.
  private var names: [String] = []

  /// The cause, or `nil` if the app observed the event immediately or no cause was recorded.
  ///
  /// - Complexity: O(1), except for a new name.
  subscript(number: Int) -> String? {
    get {
      let (block, place) = number.quotientAndRemainder(dividingBy: Self.blockLength)
      guard block < blocks.count else { return nil }
      let code = blocks[block][place]
      return code == 0 ? nil : names[Int(code) - 1]
    }
    set {
      let (block, place) = number.quotientAndRemainder(dividingBy: Self.blockLength)
      while blocks.count <= block { blocks.append(Block()) }
      blocks[block][place] = newValue.map { code(of: $0) } ?? 0
    }
  }

  private mutating func code(of name: String) -> UInt8 {
    if let known = names.firstIndex(of: name) { return UInt8(known + 1) }
    names.append(name)
    return UInt8(names.count)
  }
}
