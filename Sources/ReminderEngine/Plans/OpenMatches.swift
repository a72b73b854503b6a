package import TriggerModel

/// The matches whose requests may still come to nothing: a cap may forbid them, the system may refuse them,
/// or they wait for the end of quiet hours. Each with what it takes to undo it.
///
/// Those of a reminder, mostly one, hang on each other with the one that came last in front.
package struct OpenMatches: Sendable {
  package struct Entry: Hashable, Sendable, BitwiseCopyable {
    package var request: RequestID
    /// The local day that it counts for.
    package var day: Int32
    /// From this wall-clock instant on it counts as kept.
    package var keptFrom: Instant

    /// When the request is due, of one that is still to be delivered.
    package var deliverAt: Instant { keptFrom - NotificationRequest.confirmationTime }

    /// It is not known when it is delivered.
    package var isPutOff: Bool { keptFrom == .distantFuture }

    package init(request: RequestID, day: Int32, keptFrom: Instant) {
      self.request = request
      self.day = day
      self.keptFrom = keptFrom
    }
  }

  private struct Node: Sendable, BitwiseCopyable {
    /// Nil: free.
    var entry: Entry?
    /// The reminder's next, or the next free one; ``none`` after the last.
    var next: Int32
  }

  /// What the clocks have passed a journey may put off by as much: zones differ by 26 hours at most.
  private static let longestJourney = TimeSpan.hours(26)

  private var nodes: [Node] = []
  private var firstFree = Self.none
  /// By reminder: its first node.
  private var first: [Int32] = []

  private static let none: Int32 = -1

  package init() {}

  /// What was stored, of each reminder in order.
  package init(_ entries: [Entry]) {
    for entry in entries { insert(entry) }
  }

  /// The reminders that have any.
  package var reminders: Set<ReminderID> { Set(entries.map(\.request.reminder)) }

  /// Those of each reminder, in order.
  package var sorted: [ReminderID: [Entry]] {
    Dictionary(grouping: entries) { $0.request.reminder }
      .mapValues { $0.sorted { $0.request < $1.request } }
  }

  private var entries: some Sequence<Entry> { nodes.lazy.compactMap(\.entry) }

  /// Of those of the reminder that were kept long ago none is remembered any longer: what can still come to nothing
  /// follows from its own matches, whatever the others do.
  package mutating func append(_ request: RequestID, day: Int32, deliverAt: Instant, now: Instant) {
    var node = firstNode(of: request.reminder)
    while node != Self.none {
      let (entry, next) = (nodes[Int(node)].entry, nodes[Int(node)].next)
      if let entry, entry.keptFrom <= now - Self.longestJourney { _ = remove(entry.request) }
      node = next
    }
    insert(
      Entry(request: request, day: day, keptFrom: max(deliverAt, now) + NotificationRequest.confirmationTime))
  }

  /// Takes out the matches of some requests, of each reminder the latest first.
  ///
  /// - Complexity: O(*r* log *r*) in the requests, where their reminders have few matches each.
  package mutating func take(_ requests: [RequestID]) -> [Entry] {
    requests.sorted(by: >).compactMap { remove($0) }
  }

  /// Takes out the match of a request.
  package mutating func take(_ request: RequestID) -> Entry? { remove(request) }

  /// Takes out the matches of a reminder whose requests would be delivered later, the latest first.
  ///
  /// - Complexity: O(*n* log *n*) in the reminder's entries.
  package mutating func take(of reminder: ReminderID, dueAfter now: Instant) -> [Entry] {
    var taken: [Entry] = []
    take(of: reminder, dueAfter: now, into: &taken)
    return taken
  }

  /// As ``take(of:dueAfter:)``, into an empty list, whose room is used again.
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

  /// Appends the matches of a reminder whose requests would be delivered later.
  package func append(of reminder: ReminderID, dueAfter now: Instant, to due: inout [Entry]) {
    due += entries(of: reminder).filter { $0.keptFrom > now + NotificationRequest.confirmationTime }
  }

  /// Takes out the matches of a reminder whose requests are still to be delivered, and by an instant, and those that are
  /// put off: the first first.
  package mutating func take(of reminder: ReminderID, dueAfter now: Instant, through end: Instant) -> [Entry]
  {
    let margin = NotificationRequest.confirmationTime
    let open = entries(of: reminder).filter {
      $0.isPutOff || $0.keptFrom > now + margin && $0.keptFrom <= end + margin
    }
    return open.sorted { $0.request < $1.request }.compactMap { remove($0.request) }
  }

  /// Whether a reminder has any.
  package func hasAny(of reminder: ReminderID) -> Bool { firstNode(of: reminder) != Self.none }

  /// Whether a reminder has any whose requests a journey may put off past now again.
  package func mayBeDue(of reminder: ReminderID, after now: Instant) -> Bool {
    entries(of: reminder).contains { $0.keptFrom > now - Self.longestJourney }
  }

  /// It is not known when a request comes.
  ///
  /// - Parameter day: The day that it counts for, unless its match is among these.
  package mutating func putOff(_ request: RequestID, day: Int32, now: Instant) {
    let known = entries(of: request.reminder).first { $0.request == request }
    append(request, day: known?.day ?? day, deliverAt: now, now: now)
    keep(request, from: .distantFuture)
  }

  /// Says from when on a request counts as delivered; nothing if that is known of it.
  package mutating func keep(_ request: RequestID, from instant: Instant) {
    change(of: request.reminder) { if $0.request == request { $0.keptFrom = instant } }
  }

  /// The phone has come to another zone, and what a reminder has handed over keeps its local time: also what the
  /// clocks have passed, of whose delivery the app was not told.
  ///
  /// - Parameter moved: the instant at which the new zone's clocks show what the old one's do at another.
  package mutating func move(_ reminder: ReminderID, _ moved: (Instant) -> Instant) {
    change(of: reminder) { entry in
      guard entry.keptFrom != .distantFuture, entry.keptFrom != .distantPast else { return }
      entry.keptFrom =
        moved(entry.keptFrom - NotificationRequest.confirmationTime) + NotificationRequest.confirmationTime
    }
  }

  /// What a reminder matched before is of no importance any more.
  package mutating func forget(_ reminder: ReminderID) {
    for entry in entries(of: reminder) { _ = remove(entry.request) }
  }

  /// The latest of a reminder.
  ///
  /// - Complexity: O(*n*) in the reminder's entries.
  package func latest(of reminder: ReminderID) -> RequestID? { entries(of: reminder).map(\.request).max() }

  /// The one of a reminder that is to be delivered at an instant.
  ///
  /// - Complexity: O(*n*) in the reminder's entries.
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

  /// A request that is there already takes the place of its older self.
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

  /// - Parameter before: The reminder's node before it; ``none``: it is the first.
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
