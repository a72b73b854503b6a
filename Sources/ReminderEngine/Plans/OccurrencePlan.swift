package import TriggerModel

/// What became of the occurrences of one schedule that were handed over beforehand.
package struct OccurrencePlan: Hashable, Sendable {
  /// One that the scheduler, or the system, has and that is not delivered yet.
  package struct Entry: Hashable, Sendable, BitwiseCopyable {
    package var id: RequestID
    package var at: Instant
    /// The local day that it counts for.
    package var day: Int32
    /// From this instant on it counts as delivered: its time or, where it is put off, soon after that has ended; the
    /// distant future while it is not known when that is.
    package fileprivate(set) var deliveredAt: Instant

    package init(id: RequestID, at: Instant, day: Int32) {
      self.id = id
      self.at = at
      self.day = day
      deliveredAt = at
    }

    /// It comes later than its time.
    package var isPutOff: Bool { deliveredAt != at }

    /// When it comes, of one that is put off, if that is known.
    package var release: Instant? {
      deliveredAt == .distantFuture ? nil : deliveredAt - NotificationRequest.confirmationTime
    }
  }

  /// In order of ``Entry/at``.
  package private(set) var pending: [Entry] = []
  /// What a snooze took back: it comes with its end or, where the snooze is shortened to before it, by itself.
  package private(set) var snoozed: [Entry] = []
  /// The last occurrence that was looked at, whether its conditions held or not.
  package private(set) var lookedTo = Instant.distantPast
  /// Up to here the person took everything back: what is to be ahead is counted from here.
  package private(set) var takenBackTo = Instant.distantPast
  /// Up to here occurrences were denied or dropped.
  package private(set) var lostTo = Instant.distantPast
  /// Some were denied by a cap of the present lapse: once the app is opened they may be shown.
  package var isLostToLapse = false
  /// The app was asked to be woken, and the wish stands.
  package var hasWish = false
  /// Within this time there is nothing to look at: everything that is to be ahead was looked at. Not stored.
  private var settled = Instant.distantPast..<Instant.distantPast
  /// Where: elsewhere the occurrences are others, before the app is told of the journey.
  private var settledZone = ZoneID(0)

  /// Nothing was looked at yet.
  package init() {}

  /// What was stored; `pending` is in order.
  package init(pending: [Entry], lookedTo: Instant, takenBackTo: Instant, lostTo: Instant) {
    self.pending = pending
    self.lookedTo = lookedTo
    self.takenBackTo = takenBackTo
    self.lostTo = lostTo
  }

  /// An occurrence was looked at: the next after ``lookedTo``, or one before that once more. It may come before some
  /// that are pending.
  package mutating func lookedAt(_ occurrence: Instant, _ entry: Entry?) {
    lookedTo = max(lookedTo, occurrence)
    guard let entry else { return }
    pending.insert(entry, at: pending.firstIndex { $0.at > entry.at } ?? pending.endIndex)
  }

  /// Everything that is to be ahead of now was looked at.
  ///
  /// - Parameter first: When the first of it comes: something more is to be ahead then.
  package mutating func settle(from now: Instant, until first: Instant, in zone: ZoneID) {
    settled = now..<max(now, first)
    settledZone = zone
  }

  /// Whether there is nothing to look at, as nothing has happened since everything was.
  package func isSettled(at now: Instant, in zone: ZoneID) -> Bool {
    settledZone == zone && settled.contains(now)
  }

  private mutating func unsettle() { settled = .distantPast ..< .distantPast }

  /// Whether an occurrence is pending, by its instant.
  package func isPending(_ occurrence: Instant) -> Bool { pending.contains { $0.at == occurrence } }

  /// The time of everything up to `now` has come.
  package mutating func deliver(upTo now: Instant) {
    if pending.first.map({ $0.at <= now }) ?? false { pending.removeAll { $0.deliveredAt <= now } }
  }

  /// A request is delivered at another instant than its own.
  ///
  /// - Returns: Whether it is pending.
  package mutating func putOff(_ id: RequestID, until instant: Instant) -> Bool {
    guard let index = pending.firstIndex(where: { $0.id == id }) else { return false }
    pending[index].deliveredAt = instant
    return true
  }

  /// Whether a delivery to come brings the schedule up again by an instant: what is put off comes when others may have
  /// been due.
  package func isFollowed(by instant: Instant) -> Bool {
    pending.contains { !$0.isPutOff && $0.at <= instant }
  }

  /// Takes a request out; nil when it is not pending.
  package mutating func remove(_ id: RequestID) -> Entry? {
    pending.firstIndex { $0.id == id }.map { pending.remove(at: $0) }
  }

  /// The phone has come to another zone, and what is pending keeps its local time there. The others are looked at
  /// again: farther west the day has times that it had before, and what was said of an occurrence was said of another
  /// instant, and of another zone's day.
  ///
  /// - Parameters:
  ///   - moved: the instant at which the new zone's clocks show what the old one's do at another.
  ///   - comesOnce: Its days are counted from a fact, and each comes once: what it was looked at up to stays so.
  package mutating func move(_ moved: (Instant) -> Instant, comesOnce: Bool) {
    func move(_ instant: inout Instant) {
      if instant != .distantPast && instant != .distantFuture { instant = moved(instant) }
    }
    for index in pending.indices {
      move(&pending[index].at)
      move(&pending[index].deliveredAt)
    }
    for index in snoozed.indices { move(&snoozed[index].at) }
    move(&takenBackTo)
    if !comesOnce { return lookAgain() }
    unsettle()
    move(&lookedTo)
    move(&lostTo)
  }

  /// A snooze takes out what would come before it ends, or just then.
  ///
  /// - Returns: That, and what an earlier one that was to end later had taken out, and comes by itself again.
  package mutating func snooze(until end: Instant) -> (removed: [Entry], again: [Entry]) {
    let removed = Array(pending.prefix { $0.at <= end })
    pending.removeFirst(removed.count)
    let again = snoozed.filter { $0.at > end }
    snoozed = snoozed.filter { $0.at <= end } + removed
    return (removed, again)
  }

  /// - Parameter entries: What a snooze took out that is still in force.
  package mutating func endSnooze(keeping entries: [Entry] = []) { snoozed = entries }

  /// The person took back all that is pending: those occurrences are not handed over again.
  ///
  /// - Parameter unplanned: Nor is the one for which there was no room, or that the system did not take.
  package mutating func takeBackAll(unplanned: Instant?) -> [Entry] {
    unsettle()
    takenBackTo = max(lookedTo, pending.last?.at ?? .distantPast, unplanned ?? .distantPast)
    lookedTo = takenBackTo
    defer { pending = [] }
    return pending
  }

  /// What the person took back counts no longer.
  package mutating func forgetTakingBack() {
    unsettle()
    takenBackTo = .distantPast
  }

  /// Looks again at all occurrences that are not pending.
  package mutating func lookAgain() {
    unsettle()
    isLostToLapse = false
    lostTo = .distantPast
    lookedTo = takenBackTo
  }

  /// Looks again at an occurrence, and at those after it.
  package mutating func lookAgain(from occurrence: Instant) {
    unsettle()
    lookedTo = min(lookedTo, occurrence - TimeSpan(milliseconds: 1))
  }

  /// An occurrence was denied or dropped.
  package mutating func lost(_ occurrence: Instant) {
    lostTo = max(lostTo, occurrence)
  }

  /// As ``lookAgain()``, but not at an occurrence that was lost, nor at any before it.
  package mutating func lookAgainAfterLosses() {
    unsettle()
    lookedTo = max(takenBackTo, lostTo)
  }
}

extension OccurrencePlan: Packable {
  package mutating func pack(in parcel: inout Parcel) {
    parcel.carry(&pending)
    parcel.carry(&snoozed)
    parcel.carry(&self, \.lookedTo, \.takenBackTo, \.lostTo, \.isLostToLapse, \.hasWish, \.settledZone)
    var (start, end) = (settled.lowerBound, settled.upperBound)
    parcel.carry(&start)
    parcel.carry(&end)
    settled = start..<end
  }
}
