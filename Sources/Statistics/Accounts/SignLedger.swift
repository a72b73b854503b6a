import DeviceSimulation
import TriggerModel

/// Holds what the platform told the app against what really happened, event by event.
///
/// A sign that the phone itself calls false belongs to nothing. Any other belongs to the latest happening
/// of its kind and subject that no sign belongs to yet, however long ago.
///
/// What has been told is counted and forgotten, so that a run of any length can be watched: only what was not told is
/// kept, the last ``mostOpen`` at least, and what became of happenings that somebody asks about.
package struct SignLedger: Sendable {
  /// A happening, as the ledger names it.
  struct Entry: Hashable, Sendable {
    var event: ObservedEvent.Kind
    var subject: UInt32
    /// Counts those of the same sign.
    var number: Int
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
    /// Of those that somebody asks about and that are not open, by number: what the app was not told.
    var flaws: [Int: String] = [:]
    /// Those that somebody asks about and that are open.
    var watched: Set<Int> = []
  }

  /// By kind of event, then by subject.
  private var pages: [[Page]] = Array(
    repeating: [], count: ObservedEvent.Kind.allCases.count)
  private let mostOpen: Int

  /// - Parameter mostOpen: So many happenings of a sign that are not told can be told still. Assumed: an app that did
  ///   not run for months has fewer to catch up with.
  init(mostOpen: Int = 65_536) {
    self.mostOpen = mostOpen
  }

  // MARK: Taking records

  mutating func happened(_ event: ObservedEvent, at instant: Instant) {
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

  mutating func told(_ event: ObservedEvent, at instant: Instant) {
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
  mutating func take(_ outcome: PhoneOutcome) {
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
  mutating func add(_ other: SignLedger) {
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
  mutating func watchLast(like event: ObservedEvent) -> Entry? {
    guard let sign = Sign(event), sign.subject < pages[Int(sign.event.rawValue)].count else { return nil }
    var last: Int?
    change(sign.event, sign.subject) { last = $0.watchLast() }
    return last.map { Entry(event: sign.event, subject: sign.subject, number: $0) }
  }

  /// What the app was not told of a happening: why it never was, or `toldLate`; nil when it was told at once.
  func flaw(of entry: Entry) -> String? {
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
    if watched.remove(happening.number) != nil { note(happening.number, told: delay) }
  }

  /// It will not be told any more.
  fileprivate mutating func giveUp(_ happening: SignLedger.Open) {
    account.missed[happening.flaw, default: 0] += 1
    if watched.remove(happening.number) != nil { flaws[happening.number] = happening.flaw }
  }

  private mutating func note(_ number: Int, told delay: TimeSpan) {
    if delay > .zero { flaws[number] = KnowledgeGap.toldLate.rawValue }
  }

  fileprivate mutating func watchLast() -> Int? {
    guard account.truth > 0 else { return nil }
    let number = account.truth - 1
    if let lastDelay { note(number, told: lastDelay) } else { watched.insert(number) }
    return number
  }

  fileprivate func flaw(of number: Int) -> String? {
    guard watched.contains(number) else { return flaws[number] }
    // They are in order, and there may be very many of both.
    var places = open[...]
    while places.count > 1 {
      let middle = places.startIndex + places.count / 2
      places = places[middle].number > number ? places[..<middle] : places[middle...]
    }
    return places.first?.flaw
  }
}
