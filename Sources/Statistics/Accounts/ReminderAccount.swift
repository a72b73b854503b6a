import Journal
import NotificationGateway
package import TriggerModel

/// The number of matches and requests of one reminder, by outcome. The counts add up.
package struct ReminderAccount: Hashable, Sendable {
  /// The number of times that the app observed a trigger while the reminder was waiting.
  package var matches = 0
  /// The number of requests, excluding replaced ones.
  package var requests = 0
  /// The number of requests that a later plan replaced before their time. They are included in ``matches``,
  /// but do not count as losses.
  package var replaced = 0
  /// The number of requests that the system repeated, one for each occurrence after the first.
  package var repeated = 0
  /// The number of requests that an app with complete and immediate observations would have made.
  package var dueRequests = 0
  /// The number of due requests that were not made because of what the app did not observe, by name of the
  /// cause.
  package var notObserved: [String: Int] = [:]
  /// The number of due requests that the engine did not make although the app observed their events, by name of
  /// the reason.
  package var notRequested: [String: Int] = [:]
  /// The number of requests that were made although nothing was due.
  package var unfounded = 0
  /// The number of unfounded requests with a known cause, by the name of the cause.
  package var unfoundedBecause: [String: Int] = [:]
  /// The number of superfluous requests, plus the number of requests that were cancelled, or whose run ended,
  /// before they were due.
  package var early = 0
  package var admitted = 0
  /// The number of admitted requests that are due after the end of the run. It is set when the account is
  /// closed.
  package var ahead = 0
  package var failed = 0
  /// The number of requests that are still deferred. A later decision about a request moves it to another
  /// count.
  package var held = 0
  /// The number of deferrals, regardless of their outcome.
  package var deferrals = 0
  package var delivered = 0
  /// The number of delivered notifications for due requests, including late ones. It is set when the account
  /// is closed.
  package var deliveredDue = 0
  /// The number of delivered notifications that the person could see, as a banner or in the list.
  package var exposed = 0
  /// The number of exposed notifications that appeared only in the list.
  package var listed = 0
  /// The number of exposed notifications that another device also showed for the same occasion.
  package var doubled = 0
  /// The number of deliveries beyond a day or week cap, counted over all devices. It is set when the account
  /// is closed.
  package var beyondCaps = 0
  /// The number of exposed notifications with a known response. If the story states any response to the
  /// reminder (`tap`, `dismiss`, `press` or `ignore`), these are all its exposed notifications. Otherwise
  /// there are none. It is set when the account is closed.
  package var answerable = 0
  package var tapped = 0
  package var dismissed = 0
  /// The number of notifications on which the person chose an action.
  package var acted = 0
  /// The number of snoozes.
  package var snoozed = 0
  /// The links that taps opened. All counts are 0 if links are not modelled.
  package var links = LinkAccount()
  /// The number of matches without a request, by reason.
  package var noRequest = ReasonCounts()
  package var denied = ReasonCounts()
  /// The number of denied requests by blocker. The primary reason is also a blocker.
  package var blockedBy = ReasonCounts()
  /// The number of deferred requests that were dropped, by reason.
  package var dropped = ReasonCounts()
  /// The number of admitted requests that were lost before delivery, by reason.
  package var lost = ReasonCounts()
  /// The number of failed conditions by kind, in the order of ``TriggerModel/ConditionKinds/allNames``. A
  /// miss can have several failed conditions.
  package var failedKinds: [Int] = Array(repeating: 0, count: ConditionKinds.allNames.count)

  package init() {}

  /// Hashes only the counts that are most likely to differ.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(matches)
    hasher.combine(requests)
    hasher.combine(dueRequests)
    hasher.combine(delivered)
  }

  /// The number of admitted requests that were neither delivered nor lost when the run ended.
  package var pending: Int { admitted - delivered - lost.total }

  /// The number of exposed notifications that the person ignored, as far as responses are known.
  package var ignored: Int { answerable - tapped - dismissed - acted }

  /// The number of due requests that were not made.
  package var unmade: Int { notObserved.values.reduce(0, +) + notRequested.values.reduce(0, +) }

  /// The unmade due requests, by name of the cause.
  package var unmadeBecause: [String: Int] { notObserved.merging(notRequested, uniquingKeysWith: +) }

  /// Delivered notifications for due requests ÷ due requests.
  package var deliveryRate: Ratio { Ratio(deliveredDue, of: dueRequests) }

  /// Tapped notifications ÷ exposed notifications with a known response.
  package var tapThrough: Ratio { Ratio(tapped, of: answerable) }

  /// Notifications tapped, dismissed or acted on ÷ exposed notifications with a known response.
  package var acknowledgement: Ratio { Ratio(tapped + dismissed + acted, of: answerable) }

  package mutating func add(_ other: ReminderAccount) {
    matches += other.matches
    dueRequests += other.dueRequests
    notObserved.merge(other.notObserved, uniquingKeysWith: +)
    notRequested.merge(other.notRequested, uniquingKeysWith: +)
    unfounded += other.unfounded
    early += other.early
    unfoundedBecause.merge(other.unfoundedBecause, uniquingKeysWith: +)
    requests += other.requests
    replaced += other.replaced
    repeated += other.repeated
    admitted += other.admitted
    ahead += other.ahead
    failed += other.failed
    held += other.held
    deferrals += other.deferrals
    delivered += other.delivered
    deliveredDue += other.deliveredDue
    exposed += other.exposed
    listed += other.listed
    doubled += other.doubled
    beyondCaps += other.beyondCaps
    answerable += other.answerable
    tapped += other.tapped
    dismissed += other.dismissed
    acted += other.acted
    snoozed += other.snoozed
    links.add(other.links)
    noRequest.add(other.noRequest)
    denied.add(other.denied)
    blockedBy.add(other.blockedBy)
    dropped.add(other.dropped)
    lost.add(other.lost)
    for kind in failedKinds.indices { failedKinds[kind] += other.failedKinds[kind] }
  }
}

/// A count for each reason.
package struct ReasonCounts: Hashable, Sendable {
  private var counts: [Int]

  package init() {
    counts = Array(repeating: 0, count: Self.reasons.count)
  }

  package subscript(reason: Reason) -> Int {
    get { counts[Int(reason.rawValue)] }
    set { counts[Int(reason.rawValue)] = newValue }
  }

  package var total: Int { counts.reduce(0, +) }

  /// The counts that are not zero, in the order of ``Reason``'s cases.
  package var nonZero: [(reason: Reason, count: Int)] { those { $0 != 0 } }

  /// The negative counts. The list is empty in a correct run.
  var negative: [(reason: Reason, count: Int)] { those { $0 < 0 } }

  private func those(_ isOne: (Int) -> Bool) -> [(reason: Reason, count: Int)] {
    counts.indices.filter { isOne(counts[$0]) }.map { (Self.reasons[$0], counts[$0]) }
  }

  /// The reasons, indexed by raw value.
  private static let reasons = Reason.allCases

  package mutating func add(_ other: ReasonCounts) {
    for index in counts.indices { counts[index] += other.counts[index] }
  }
}

/// The outcomes of one link, where attempts = routed + lost + in progress.
package struct LinkAccount: Hashable, Sendable {
  /// The number of taps and other openings.
  package var attempted = 0
  package var routed = 0
  /// The number of routed openings that showed the consumer's fallback.
  package var fallbacks = 0
  /// The number of lost openings by reason: linkUnresolved, linkLost, linkUnconsumed.
  package var lost = ReasonCounts()
  /// The number of repeated openings that were recognised as duplicates.
  package var duplicates = 0
  /// The number of repeated openings that were too late to be recognised and were routed again.
  package var routedAgain = 0

  /// The number of openings that were neither routed nor lost when the run ended.
  package var onTheWay: Int { attempted - routed - lost.total }

  package mutating func add(_ other: LinkAccount) {
    attempted += other.attempted
    routed += other.routed
    fallbacks += other.fallbacks
    lost.add(other.lost)
    duplicates += other.duplicates
    routedAgain += other.routedAgain
  }

  mutating func take(_ record: LinkRecord) {
    switch record.step {
    case .attempted: if !record.isRepeat { attempted += 1 }
    case .duplicate: duplicates += 1
    case .routed(let destination):
      if record.isRepeat { routedAgain += 1 } else { routed += 1 }
      if destination.isFallback, !record.isRepeat { fallbacks += 1 }
    case .unconsumed, .failed: if let reason = record.step.loss, !record.isRepeat { lost[reason] += 1 }
    }
  }
}

/// A ratio of two counts. It is always printed together with both counts.
package struct Ratio: Hashable, Sendable, CustomStringConvertible {
  package var numerator: Int
  package var denominator: Int

  package init(_ numerator: Int, of denominator: Int) {
    self.numerator = numerator
    self.denominator = denominator
  }

  /// Returns the ratio in units of 1 / `parts`, rounded half up, or `nil` if the denominator is 0.
  package func rounded(to parts: Int) -> Int? {
    denominator > 0 ? (2 * numerator * parts + denominator) / (2 * denominator) : nil
  }

  /// "25.0 % (5 of 20)", or "none (0 of 0)".
  package var description: String {
    let percent = rounded(to: 1_000).map { "\($0 / 10).\($0 % 10) %" } ?? "none"
    return "\(percent) (\(numerator) of \(denominator))"
  }
}
