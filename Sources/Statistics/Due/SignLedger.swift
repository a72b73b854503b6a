package import DeviceSimulation
package import TriggerModel

/// Holds what the platform told the app against what really happened, event by event.
///
/// A sign that the phone itself calls false belongs to nothing. Any other belongs to the latest happening
/// of its kind and subject that no sign belongs to yet, however long ago.
///
/// What has been told is counted and forgotten, so that a run of any length can be watched: only what was not told is
/// kept, the last ``mostOpen`` at least, and why, packed, once somebody asks about happenings of the sign.
package struct SignLedger: Sendable {
  /// A happening, as the ledger names it.
  package struct Entry: Hashable, Sendable {
    package var event: ObservedEvent.Kind
    package var subject: UInt32
    /// Counts those of the same sign.
    package var number: Int
  }

  /// A happening that is not told.
  fileprivate struct Open: Sendable {
    var number: Int
    var instant: Instant
    /// Why it was not told at once, if the phone said so.
    var cause: String?

    var flaw: String { cause ?? KnowledgeGap.notTold.rawValue }
  }

  /// All of one sign.
  fileprivate struct Page: Sendable {
    /// What is certain: of happenings that are told, or that are too long ago to be.
    var account = SignAccount()
    /// The latest last.
    var open: [Open] = []
    var falseToCome = 0
    /// How late the latest happening was told; nil: it is not.
    var lastDelay: TimeSpan?
    /// What the app was not told of those that are not open, from the first on that somebody asks about; nil: nobody
    /// has asked yet.
    var flaws: FlawTable?
  }

  /// By kind of event, then by subject.
  private var pages: [[Page]] = Array(
    repeating: [], count: ObservedEvent.Kind.allCases.count)
  private let mostOpen: Int

  /// - Parameter mostOpen: So many happenings of a sign that are not told can be told still. Assumed: an app that did
  ///   not run for months has fewer to catch up with.
  package init(mostOpen: Int = 65_536) {
    self.mostOpen = mostOpen
  }

  // MARK: Taking records

  package mutating func happened(_ event: ObservedEvent, at instant: Instant) {
    guard let sign = Sign(event) else { return }
    let most = mostOpen
    change(sign.event, sign.subject) { page in
      if page.open.count >= 2 * most {
        for old in page.open.prefix(most) { page.giveUp(old) }
        page.open.removeFirst(most)
      }
      page.open.append(Open(number: page.account.truth, instant: instant))
      page.account.truth += 1
      page.lastDelay = nil
    }
  }

  package mutating func told(_ event: ObservedEvent, at instant: Instant) {
    guard let sign = Sign(event) else { return }
    change(sign.event, sign.subject) { page in
      page.account.observed += 1
      if page.falseToCome > 0 {
        page.falseToCome -= 1
      } else if let happening = page.open.popLast() {
        page.tell(happening, late: instant - happening.instant)
      }
    }
  }

  /// What the phone says of signs that it did not give, or gave without cause.
  package mutating func take(_ outcome: PhoneOutcome) {
    switch outcome {
    case .missed(let kind, let subject, let cause):
      explain(kind, subject, cause.name)
    case .regionSuppressed(let region, let isEnter, let cause):
      explain(isEnter ? .regionEntered : .regionExited, region.rawValue, cause.name)
    case .falseSign(let kind, let subject):
      if kind.isSign { change(kind, subject) { $0.falseToCome += 1 } }
    default: break
    }
  }

  /// Gives the cause to the latest happening that is neither told nor explained.
  private mutating func explain(_ event: ObservedEvent.Kind, _ subject: UInt32, _ cause: String) {
    guard event.isSign else { return }
    change(event, subject) { page in
      let index = page.open.lastIndex { $0.cause == nil }
      if let index { page.open[index].cause = cause }
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

  /// Adds what another device was told, once both runs have ended.
  package mutating func add(_ other: SignLedger) {
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

  /// The latest happening of an event's sign, of which the ``flaw(of:)`` can be asked from now on; nil when it is none.
  package mutating func watchLast(like event: ObservedEvent) -> Entry? {
    guard let sign = Sign(event), sign.subject < pages[Int(sign.event.rawValue)].count else { return nil }
    var last: Int?
    change(sign.event, sign.subject) { last = $0.watchLast() }
    return last.map { Entry(event: sign.event, subject: sign.subject, number: $0) }
  }

  /// What the app was not told of a happening: why it never was, or `toldLate`; nil when it was told at once.
  package func flaw(of entry: Entry) -> String? {
    pages[Int(entry.event.rawValue)][Int(entry.subject)].flaw(of: entry.number)
  }

  /// How many subjects of a kind have an account.
  package func subjects(of kind: Sign.Kind) -> [UInt32] {
    let pages = pages[Int(kind.event.rawValue)]
    return pages.indices.map { UInt32($0) }.filter {
      let account = pages[Int($0)].account
      return account.truth > 0 || account.observed > 0
    }
  }

  package func account(of kind: Sign.Kind, _ subject: UInt32) -> SignAccount {
    let pages = pages[Int(kind.event.rawValue)]
    guard subject < pages.count else { return SignAccount() }
    let page = pages[Int(subject)]
    return page.open.reduce(into: page.account) { $0.missed[$1.flaw, default: 0] += 1 }
  }

  /// All subjects of a kind together.
  package func account(of kind: Sign.Kind) -> SignAccount {
    subjects(of: kind).reduce(into: SignAccount()) { $0.add(account(of: kind, $1)) }
  }
}

extension SignLedger.Page {
  fileprivate mutating func tell(_ happening: SignLedger.Open, late delay: TimeSpan) {
    account.matched += 1
    account.delays.add(delay.milliseconds)
    if happening.number == account.truth - 1 { lastDelay = delay }
    note(happening.number, told: delay)
  }

  /// It will not be told any more.
  fileprivate mutating func giveUp(_ happening: SignLedger.Open) {
    account.missed[happening.flaw, default: 0] += 1
    flaws?[happening.number] = happening.flaw
  }

  private mutating func note(_ number: Int, told delay: TimeSpan) {
    if delay > .zero { flaws?[number] = KnowledgeGap.toldLate.rawValue }
  }

  fileprivate mutating func watchLast() -> Int? {
    guard account.truth > 0 else { return nil }
    let number = account.truth - 1
    if flaws == nil { flaws = FlawTable() }
    if let lastDelay { note(number, told: lastDelay) }
    return number
  }

  fileprivate func flaw(of number: Int) -> String? {
    // They are in order, and there may be very many of both.
    var places = open[...]
    while places.count > 1 {
      let middle = places.startIndex + places.count / 2
      places = places[middle].number > number ? places[..<middle] : places[middle...]
    }
    if let place = places.first, place.number == number { return place.flaw }
    return flaws?[number]
  }
}
