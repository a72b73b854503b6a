import DeviceSimulation
import TriggerModel

/// Holds what the platform told the app against what really happened, event by event.
///
/// A sign that the phone itself calls false belongs to nothing. Any other belongs to the latest happening
/// of its kind and subject that no sign belongs to yet, however long ago.
package struct SignLedger: Sendable {
  /// A happening, as the ledger names it.
  struct Entry: Hashable, Sendable {
    var event: ObservedEvent.Kind
    var subject: UInt32
    /// Counts those of the same sign.
    var number: Int
  }

  private struct Happening: Sendable {
    var instant: Instant
    /// Nil until it is told.
    var delay: TimeSpan?
    /// Why it was not told at once, if the phone said so.
    var cause: String?
  }

  /// All of one sign.
  private struct Page: Sendable {
    var happenings: [Happening] = []
    /// Those that are not told, the latest last.
    var open: [Int] = []
    var observed = 0
    var falseToCome = 0
  }

  /// By kind of event, then by subject.
  private var pages: [[Page]] = Array(
    repeating: [], count: ObservedEvent.Kind.allCases.count)

  init() {}

  // MARK: Taking records

  mutating func happened(_ event: ObservedEvent, at instant: Instant) {
    guard let sign = Sign(event) else { return }
    change(sign.event, sign.subject) { page in
      page.open.append(page.happenings.count)
      page.happenings.append(Happening(instant: instant))
    }
  }

  mutating func told(_ event: ObservedEvent, at instant: Instant) {
    guard let sign = Sign(event) else { return }
    change(sign.event, sign.subject) { page in
      page.observed += 1
      if page.falseToCome > 0 {
        page.falseToCome -= 1
      } else if let number = page.open.popLast() {
        page.happenings[number].delay = instant - page.happenings[number].instant
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
      let number = page.open.last { page.happenings[$0].cause == nil }
      if let number { page.happenings[number].cause = cause }
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
          own.happenings += page.happenings
          own.observed += page.observed
        }
      }
    }
  }

  // MARK: Reading

  /// The latest happening of an event's sign, nil when it is none.
  func last(like event: ObservedEvent) -> Entry? {
    guard let sign = Sign(event), sign.subject < pages[Int(sign.event.rawValue)].count else { return nil }
    let count = pages[Int(sign.event.rawValue)][Int(sign.subject)].happenings.count
    return count == 0 ? nil : Entry(event: sign.event, subject: sign.subject, number: count - 1)
  }

  /// What the app was not told of a happening: why it never was, or `toldLate`; nil when it was told at once.
  func flaw(of entry: Entry) -> String? {
    let happening = pages[Int(entry.event.rawValue)][Int(entry.subject)].happenings[entry.number]
    guard let delay = happening.delay else { return happening.cause ?? KnowledgeGap.notTold.rawValue }
    return delay > .zero ? KnowledgeGap.toldLate.rawValue : nil
  }

  /// How many subjects of a kind have an account.
  package func subjects(of kind: Sign.Kind) -> [UInt32] {
    let pages = pages[Int(kind.event.rawValue)]
    return pages.indices.map { UInt32($0) }.filter {
      let page = pages[Int($0)]
      return !page.happenings.isEmpty || page.observed > 0
    }
  }

  package func account(of kind: Sign.Kind, _ subject: UInt32) -> SignAccount {
    var account = SignAccount()
    let pages = pages[Int(kind.event.rawValue)]
    guard subject < pages.count else { return account }
    let page = pages[Int(subject)]
    account.truth = page.happenings.count
    account.observed = page.observed
    for happening in page.happenings {
      if let delay = happening.delay {
        account.matched += 1
        account.delays.append(delay.milliseconds)
      } else {
        account.missed[happening.cause ?? KnowledgeGap.notTold.rawValue, default: 0] += 1
      }
    }
    account.delays.sort()
    return account
  }

  /// All subjects of a kind together.
  package func account(of kind: Sign.Kind) -> SignAccount {
    subjects(of: kind).reduce(into: SignAccount()) { $0.add(account(of: kind, $1)) }
  }
}
