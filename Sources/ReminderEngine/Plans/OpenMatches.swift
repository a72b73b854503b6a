package import TriggerModel

/// The matches whose requests may still be denied, refused, or cancelled before delivery, with the data to
/// undo each match.
///
/// The entries of a reminder form a linked list, latest first. Most lists have one entry.
package struct OpenMatches: Sendable {
  package struct Entry: Hashable, Sendable, BitwiseCopyable {
    package var request: RequestID
    /// The local day for which the match counts.
    package var day: Int32
    /// The wall-clock instant from which the request counts as delivered. It follows the delivery by the time
    /// in which the system may still reject the request.
    package var keptFrom: Instant
    /// The instant of the match on the phone's wall clock. A deferral does not change it.
    package var scheduledFor: Instant

    /// The delivery instant of an undelivered request.
    package var deliverAt: Instant {
      keptFrom == .distantPast ? .distantPast : keptFrom - NotificationRequest.confirmationTime
    }

    /// Whether the request is deferred, so that ``scheduledFor`` cannot be derived from ``keptFrom``.
    var keepsTime: Bool { keptFrom != .distantPast && scheduledFor != deliverAt }

    /// Whether the request is deferred to an unknown instant.
    package var isDeferred: Bool { keptFrom == .distantFuture }

    package init(request: RequestID, day: Int32, keptFrom: Instant, scheduledFor: Instant) {
      self.request = request
      self.day = day
      self.keptFrom = keptFrom
      self.scheduledFor = scheduledFor
    }
  }

  private struct Node: Sendable, BitwiseCopyable {
    /// The entry, or `nil` if the node is free.
    var entry: Entry?
    /// The next node of the reminder or of the free list, or ``none`` at the end.
    var next: Int32
  }

  /// The longest time by which a journey can postpone a request whose time has passed. Zones differ by at
  /// most 26 hours.
  private static let longestJourney = TimeSpan.hours(26)

  private var nodes: [Node] = []
  private var firstFree = Self.none
  /// The first node of each reminder, indexed by reminder.
  private var first: [Int32] = []

  private static let none: Int32 = -1

  package init() {}

  /// Creates the table from stored entries, which are in order for each reminder.
  package init(_ entries: [Entry]) {
    for entry in entries { insert(entry) }
  }

  /// The reminders that have entries.
  package var reminders: Set<ReminderID> { Set(entries.map(\.request.reminder)) }

  /// The entries of each reminder, in order.
  package var sorted: [ReminderID: [Entry]] {
    Dictionary(grouping: entries) { $0.request.reminder }
      .mapValues { $0.sorted { $0.request < $1.request } }
  }

  private var entries: some Sequence<Entry> { nodes.lazy.compactMap(\.entry) }

  /// Appends the match of a request, and drops those entries of the reminder that can no longer be undone
  /// even after a journey.
  ///
  /// Matches of other reminders do not affect the dropped entries.
  package mutating func append(
    _ request: RequestID, day: Int32, scheduledFor: Instant, deliverAt: Instant, now: Instant
  ) {
    var node = firstNode(of: request.reminder)
    while node != Self.none {
      let (entry, next) = (nodes[Int(node)].entry, nodes[Int(node)].next)
      if let entry, entry.keptFrom <= now - Self.longestJourney { _ = remove(entry.request) }
      node = next
    }
    insert(
      Entry(
        request: request, day: day, keptFrom: max(deliverAt, now) + NotificationRequest.confirmationTime,
        scheduledFor: scheduledFor))
  }

  /// Removes and returns the matches of some requests, the latest of each reminder first.
  ///
  /// - Complexity: O(*r* log *r*) in the number of requests, if each reminder has few matches.
  package mutating func take(_ requests: [RequestID]) -> [Entry] {
    requests.sorted(by: >).compactMap { remove($0) }
  }

  /// Removes and returns the match of a request.
  package mutating func take(_ request: RequestID) -> Entry? { remove(request) }

  /// Removes and returns a reminder's matches that are delivered after an instant, latest first.
  ///
  /// - Complexity: O(*n* log *n*) in the number of the reminder's entries.
  package mutating func take(of reminder: ReminderID, dueAfter now: Instant) -> [Entry] {
    var taken: [Entry] = []
    take(of: reminder, dueAfter: now, into: &taken)
    return taken
  }

  /// Like ``take(of:dueAfter:)``, but appends the matches to an empty list to reuse its capacity.
  package mutating func take(of reminder: ReminderID, dueAfter now: Instant, into taken: inout [Entry]) {
    let due = now + NotificationRequest.confirmationTime
    var (before, node) = (Self.none, firstNode(of: reminder))
    while node != Self.none {
      let found = nodes[Int(node)]
      if let entry = found.entry, entry.keptFrom > due {
        taken.append(entry)
        free(node, of: reminder, behind: before)
      } else {
        before = node
      }
      node = found.next
    }
    if taken.count > 1 { taken.sort { $0.request > $1.request } }
  }

  /// Appends a reminder's matches that are delivered after an instant.
  package func append(of reminder: ReminderID, dueAfter now: Instant, to due: inout [Entry]) {
    due += entries(of: reminder).filter { $0.keptFrom > now + NotificationRequest.confirmationTime }
  }

  /// Removes and returns a reminder's matches that are deferred, or due after `now` and by `end`, earliest
  /// first.
  package mutating func take(of reminder: ReminderID, dueAfter now: Instant, through end: Instant) -> [Entry]
  {
    let margin = NotificationRequest.confirmationTime
    let open = entries(of: reminder).filter {
      $0.isDeferred || $0.keptFrom > now + margin && $0.keptFrom <= end + margin
    }
    return open.sorted { $0.request < $1.request }.compactMap { remove($0.request) }
  }

  /// Returns whether a reminder has entries.
  package func hasAny(of reminder: ReminderID) -> Bool { firstNode(of: reminder) != Self.none }

  /// Returns whether a reminder has requests that a change of zone could move into the future.
  package func mayBeDue(of reminder: ReminderID, after now: Instant) -> Bool {
    entries(of: reminder).contains { $0.keptFrom > now - Self.longestJourney }
  }

  /// Marks a request as deferred to an unknown instant.
  ///
  /// - Parameter day: The local day for which the match counts, if the request has no entry yet.
  package mutating func putOff(_ request: RequestID, day: Int32, scheduledFor: Instant, now: Instant) {
    let known = entries(of: request.reminder).first { $0.request == request }
    append(
      request, day: known?.day ?? day, scheduledFor: known?.scheduledFor ?? scheduledFor, deliverAt: now,
      now: now)
    keep(request, from: .distantFuture)
  }

  /// Sets the instant from which a request counts as delivered.
  package mutating func keep(_ request: RequestID, from instant: Instant) {
    change(of: request.reminder) { if $0.request == request { $0.keptFrom = instant } }
  }

  /// Moves a reminder's requests to another zone, where they keep their local time.
  ///
  /// A request whose time has passed is also moved if the app has not observed its delivery.
  ///
  /// - Parameter moved: Maps an instant to the instant with the same local time in the new zone.
  package mutating func move(_ reminder: ReminderID, _ moved: (Instant) -> Instant) {
    change(of: reminder) { entry in
      guard entry.keptFrom != .distantFuture, entry.keptFrom != .distantPast else { return }
      entry.keptFrom =
        moved(entry.keptFrom - NotificationRequest.confirmationTime) + NotificationRequest.confirmationTime
      if entry.scheduledFor != .distantPast { entry.scheduledFor = moved(entry.scheduledFor) }
    }
  }

  /// Removes all entries of a reminder.
  package mutating func forget(_ reminder: ReminderID) {
    for entry in entries(of: reminder) { _ = remove(entry.request) }
  }

  /// Returns the latest request of a reminder, or `nil` if there is none.
  ///
  /// - Complexity: O(*n*) in the number of the reminder's entries.
  package func latest(of reminder: ReminderID) -> RequestID? { entries(of: reminder).map(\.request).max() }

  /// Returns the request of a reminder that is due at an instant, or `nil` if there is none.
  ///
  /// - Complexity: O(*n*) in the number of the reminder's entries.
  package func pending(of reminder: ReminderID, at instant: Instant) -> RequestID? {
    entries(of: reminder).first { $0.keptFrom == instant + NotificationRequest.confirmationTime }?.request
  }

  // MARK: Nodes

  private func firstNode(of reminder: ReminderID) -> Int32 {
    reminder.index < first.count ? first[reminder.index] : Self.none
  }

  private func entries(of reminder: ReminderID) -> [Entry] {
    var entries: [Entry] = []
    var node = firstNode(of: reminder)
    while node != Self.none {
      if let entry = nodes[Int(node)].entry { entries.append(entry) }
      node = nodes[Int(node)].next
    }
    return entries
  }

  private mutating func change(of reminder: ReminderID, _ body: (inout Entry) -> Void) {
    var node = firstNode(of: reminder)
    while node != Self.none {
      if var entry = nodes[Int(node)].entry {
        body(&entry)
        nodes[Int(node)].entry = entry
      }
      node = nodes[Int(node)].next
    }
  }

  /// Inserts an entry, or replaces the existing entry of the same request.
  private mutating func insert(_ entry: Entry) {
    let reminder = entry.request.reminder.index
    _ = remove(entry.request)
    if reminder >= first.count {
      first.append(contentsOf: repeatElement(Self.none, count: max(reminder + 1 - first.count, first.count)))
    }
    let node = Node(entry: entry, next: first[reminder])
    if firstFree == Self.none {
      first[reminder] = Int32(nodes.count)
      nodes.append(node)
    } else {
      first[reminder] = firstFree
      firstFree = nodes[Int(firstFree)].next
      nodes[Int(first[reminder])] = node
    }
  }

  private mutating func remove(_ request: RequestID) -> Entry? {
    var (before, node) = (Self.none, firstNode(of: request.reminder))
    while node != Self.none {
      let found = nodes[Int(node)]
      if let entry = found.entry, entry.request == request {
        free(node, of: request.reminder, behind: before)
        return entry
      }
      (before, node) = (node, found.next)
    }
    return nil
  }

  /// - Parameter before: The reminder's preceding node, or ``none`` if `node` is its first node.
  private mutating func free(_ node: Int32, of reminder: ReminderID, behind before: Int32) {
    if before == Self.none {
      first[reminder.index] = nodes[Int(node)].next
    } else {
      nodes[Int(before)].next = nodes[Int(node)].next
    }
    nodes[Int(node)] = Node(entry: nil, next: firstFree)
    firstFree = node
  }
}

// MARK: - At rest

extension OpenMatches: Packable {
  package mutating func pack(in parcel: inout Parcel) {
    parcel.carry(&nodes)
    parcel.carry(&firstFree)
    parcel.carry(&first)
  }
}
