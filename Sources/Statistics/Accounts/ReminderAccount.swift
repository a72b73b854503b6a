package import TriggerModel

/// What became of one reminder's matches and requests, in counts that add up.
package struct ReminderAccount: Hashable, Sendable {
  /// Waiting, and its trigger seen by the app.
  package var matches = 0
  /// Made, but for those that were replaced.
  package var requests = 0
  /// Plans whose place a later one took before their time: not lost, and counted nowhere else but among the
  /// matches.
  package var replaced = 0
  /// Of the requests, the ones that the system repeated by itself: one for each occurrence after the first.
  package var repeated = 0
  /// Requests that should have been made, had the app been told of everything at once.
  package var dueRequests = 0
  /// Of these, the ones that no request answers, by what the app was not told, in words.
  package var notObserved: [String: Int] = [:]
  /// Requests that answer none that was due.
  package var unfounded = 0
  /// Of these, the ones whose cause is known: what the app did not know when it made them.
  package var unfoundedBecause: [String: Int] = [:]
  /// Requests for a time that did not come, as they were taken back or the run ended; or beside another for the
  /// same time.
  package var early = 0
  package var admitted = 0
  /// Of the admitted, those for a time after the end of the run. Known when the run is closed.
  package var ahead = 0
  package var failed = 0
  /// Held now. A request that is decided after all is counted there instead.
  package var held = 0
  /// How often a request was put off, whatever became of it.
  package var deferrals = 0
  package var delivered = 0
  /// Of the delivered, those that answer a request that was due, however late. Known when the run is closed.
  package var deliveredDue = 0
  /// Of the delivered, those that the person could see: as a banner, or in the list only.
  package var exposed = 0
  /// Of these, the ones in the list only.
  package var listed = 0
  /// Of the exposed, those for an occasion for which one was seen on another device.
  package var doubled = 0
  /// Of the delivered, those beyond a cap of a day or a week, counted over all devices. Known when the run is closed.
  package var beyondCaps = 0
  /// Of the exposed, those of which it is known whether the person responded: all of a reminder of which the
  /// story says so, with `tap`, `dismiss`, `press` or `ignore`, and none of the others. Known when the run is closed.
  package var answerable = 0
  package var tapped = 0
  package var dismissed = 0
  /// Those of which the person chose an action.
  package var acted = 0
  /// How often the person put it off.
  package var snoozed = 0
  /// Where its taps led; all zero where that is not modelled.
  package var links = LinkAccount()
  /// Matches for which no request was made, by reason.
  package var noRequest = ReasonCounts()
  package var denied = ReasonCounts()
  /// Every blocker of every denied request, the reason included.
  package var blockedBy = ReasonCounts()
  /// Given up while held, by reason.
  package var dropped = ReasonCounts()
  /// Admitted, and lost before delivery, by reason.
  package var lost = ReasonCounts()
  /// Conditions that failed, in the order of ``TriggerModel/ConditionKinds/allNames``; a miss can count
  /// under several.
  package var failedKinds: [Int] = Array(repeating: 0, count: ConditionKinds.allNames.count)

  package init() {}

  /// Those that differ mostly differ in these.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(matches)
    hasher.combine(requests)
    hasher.combine(dueRequests)
    hasher.combine(delivered)
  }

  /// Admitted, and neither delivered nor lost when the run ended.
  package var pending: Int { admitted - delivered - lost.total }

  /// Left alone by the person, as the story says.
  package var ignored: Int { answerable - tapped - dismissed - acted }

  /// Delivered ÷ due.
  package var deliveryRate: Ratio { Ratio(deliveredDue, of: dueRequests) }

  /// Tapped ÷ exposed, where it is known whether the person responded: the one denominator of tap-through.
  package var tapThrough: Ratio { Ratio(tapped, of: answerable) }

  /// Tapped, dismissed or acted on ÷ exposed, where it is known whether the person responded.
  package var acknowledgement: Ratio { Ratio(tapped + dismissed + acted, of: answerable) }

  package mutating func add(_ other: ReminderAccount) {
    matches += other.matches
    dueRequests += other.dueRequests
    notObserved.merge(other.notObserved, uniquingKeysWith: +)
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

  /// Those that occurred, in the order of the enumeration.
  package var nonZero: [(reason: Reason, count: Int)] { those { $0 != 0 } }

  /// Those below zero, which there are in no sound run, likewise.
  var negative: [(reason: Reason, count: Int)] { those { $0 < 0 } }

  private func those(_ isOne: (Int) -> Bool) -> [(reason: Reason, count: Int)] {
    counts.indices.filter { isOne(counts[$0]) }.map { (Self.reasons[$0], counts[$0]) }
  }

  /// By raw value.
  private static let reasons = Reason.allCases

  package mutating func add(_ other: ReasonCounts) {
    for index in counts.indices { counts[index] += other.counts[index] }
  }
}
