package import CivilTime
import DeviceSimulation
package import TriggerModel

/// Expands the events of a time line one at a time, so that the memory use depends only on the number of
/// entries.
///
/// The events are in chronological order. At equal instants, they are in the order of the file. Repetitions
/// follow the local time in the phone's zone: `every day 08:00` occurs whenever the phone's zone shows 08:00.
/// A repeated local time occurs only at its first pass. A skipped local time occurs at the end of the gap.
/// Events outside `start ..< end` are omitted.
///
/// A copy continues from the same position.
package struct TimelineStream: Sequence, IteratorProtocol, Sendable {
  private var tracks: [Track] = []
  private var order = MergeOrder()
  /// The number of events so far.
  private var count = 0
  private let context: Context
  /// How far each device's clock is ahead of simulation time.
  private var ahead: [UInt8: TimeSpan] = [:]

  /// - Complexity: O(n log n) in the number of entries. Each event takes O(log n) in the number of repeated
  ///   entries.
  package init(_ timeline: Timeline, from start: Instant, to end: Instant, zones: ZoneTable) {
    context = Context(timeline: timeline, start: start, end: end, zones: zones)
    var single: [TimelineEvent] = []
    for (index, entry) in timeline.entries.enumerated() {
      // All events of an entry have lower ranks than the events of later entries.
      let rank = index << 32
      switch entry.timing {
      case .once(let instant):
        context.expand(entry, at: instant, delayed: nil, into: &single) { rank + $0 }
      case .repeated(let repetition):
        // Delayed events of an occurrence have a separate track, because events of later occurrences may
        // precede them.
        if entry.actions.contains(.reboot) {
          add(Track(repeating: entry, repetition, rank: rank, isDelayed: true, context))
        }
        add(Track(repeating: entry, repetition, rank: rank + 1, isDelayed: false, context))
      }
    }
    single.sort { ($0.instant, $0.order) < ($1.instant, $1.order) }
    add(Track(single))
  }

  private mutating func add(_ track: Track) {
    guard let first = track.first else { return }
    order.insert(tracks.count, at: first.instant, rank: first.order)
    tracks.append(track)
  }

  package mutating func next() -> TimelineEvent? {
    guard let track = order.first, var event = tracks[track].first else { return nil }
    tracks[track].removeFirst()
    if let following = tracks[track].first {
      order.moveFirst(to: following.instant, rank: following.order)
    } else {
      order.removeFirst()
    }
    event.order = count
    count += 1
    if case .setClock(let span) = event.event { ahead[event.device] = span }
    if let action = event.clockAction {
      // The action refers to the time on the phone's own clock, as the person sees it.
      let shown = event.instant + ahead[event.device, default: .zero]
      if let read = action.events(at: shown, in: context.zone(at: event.instant)).first {
        event.event = read.1
      }
      event.clockAction = nil
    }
    return event
  }
}

/// The data that all entries share.
private struct Context: Sendable {
  var timeline: Timeline
  var start: Instant
  var end: Instant
  var zones: ZoneTable

  /// Expands an occurrence of an entry. The `order` of each event temporarily contains its rank.
  ///
  /// - Parameters:
  ///   - delayed: Whether to include only events with a delay (`true`) or only events without a delay
  ///     (`false`), or `nil` to include all.
  ///   - rank: Returns the rank of an event, given the number of events before it.
  func expand(
    _ entry: TimelineEntry, at instant: Instant, delayed: Bool?, into events: inout [TimelineEvent],
    rank: (_ position: Int) -> Int
  ) {
    func add(_ event: PhoneEvent, after delay: TimeSpan = .zero, clockAction: TimelineAction? = nil) {
      guard delayed ?? (delay > .zero) == (delay > .zero) else { return }
      let then = instant + delay
      guard then >= start, then < end else { return }
      var event = TimelineEvent(
        instant: then, event: event, device: entry.device, position: entry.position, order: rank(events.count)
      )
      event.clockAction = clockAction
      events.append(event)
    }
    for action in entry.actions {
      if case .event(let event) = action {
        add(event)
        continue
      }
      for (delay, event) in action.events(at: instant, in: zone(at: instant)) {
        add(event, after: delay, clockAction: action.dependsOnClock ? action : nil)
      }
    }
  }

  func zone(at instant: Instant) -> Zone { zones[timeline.zone(at: instant)] }
}

/// Events in chronological order. A track contains either all entries without repetition, or one repeated
/// entry, which is expanded in blocks.
private struct Track: Sendable {
  /// The number of occurrences per block.
  private static let blockSize = 64

  /// The expanded events. Those at `position` or later have not been returned yet, and their `order` contains
  /// a rank.
  private var events: [TimelineEvent]
  private var position = 0
  private var repeated: Repeated?

  private struct Repeated: Sendable {
    var entry: TimelineEntry
    var rank: Int
    var isDelayed: Bool
    var context: Context
    var occurrences: Occurrences
  }

  init(_ events: [TimelineEvent]) {
    self.events = events
  }

  /// - Parameter isDelayed: Whether the track contains the events with a delay or, if `false`, the events
  ///   without a delay.
  init(
    repeating entry: TimelineEntry, _ repetition: Repetition, rank: Int, isDelayed: Bool, _ context: Context
  ) {
    events = []
    repeated = Repeated(
      entry: entry, rank: rank, isDelayed: isDelayed, context: context,
      occurrences: Occurrences(
        repetition, in: context.timeline.stays, from: context.start, to: context.end, context.zones))
    readBlock()
  }

  var first: TimelineEvent? { position < events.count ? events[position] : nil }

  mutating func removeFirst() {
    position += 1
    if position == events.count { readBlock() }
  }

  private mutating func readBlock() {
    events.removeAll(keepingCapacity: true)
    position = 0
    while events.isEmpty, let repeated {
      for _ in 0..<Self.blockSize {
        guard let instant = self.repeated?.occurrences.next() else {
          self.repeated = nil
          break
        }
        repeated.context.expand(
          repeated.entry, at: instant, delayed: repeated.isDelayed, into: &events
        ) { _ in repeated.rank }
      }
    }
  }
}

/// The instants of a repeated entry of a time line, in non-descending order.
struct Occurrences: Sendable {
  private let repetition: Repetition
  private let stays: [Timeline.Stay]
  private let zones: ZoneTable
  private let start: Instant
  private let end: Instant
  /// The next instant, for repetitions in elapsed time.
  private var nextElapsed: Instant
  /// The next stay, date and time, for repetitions at times of day. The date is `nil` before the first date
  /// of the stay.
  private var stay = 0
  private var date: CivilDate?
  private var time = 0

  init(
    _ repetition: Repetition, in stays: [Timeline.Stay], from start: Instant, to end: Instant,
    _ zones: ZoneTable
  ) {
    self.repetition = repetition
    self.stays = stays
    self.zones = zones
    self.start = start
    self.end = end
    nextElapsed = start
  }

  /// Returns the next instant, or `nil` after the last one.
  mutating func next() -> Instant? {
    switch repetition.step {
    case .elapsed(let span): next(after: span)
    case .timesOfDay(let times): next(at: times)
    }
  }

  private mutating func next(after span: TimeSpan) -> Instant? {
    while nextElapsed < end {
      let instant = nextElapsed
      nextElapsed = instant + span
      if repetition.isUnlimited { return instant }
      let zone = zones[(stays.last { $0.from <= instant } ?? stays[0]).zone]
      if repetition.includes(zone.local(at: instant).date) { return instant }
    }
    return nil
  }

  private mutating func next(at times: [Int32]) -> Instant? {
    while stay < stays.count {
      let begin = max(stays[stay].from, start)
      let finish = min(stay + 1 < stays.count ? stays[stay + 1].from : end, end)
      if begin < finish {
        let zone = zones[stays[stay].zone]
        let last = zone.local(at: finish).date
        var day = date ?? zone.local(at: begin).date
        while day <= last {
          if time > 0 || repetition.includes(day) && !zone.skips(day) {
            while time < times.count {
              let instant = zone.instant(of: LocalTime(date: day, millisecondOfDay: times[time]))
              time += 1
              if instant >= begin, instant < finish {
                date = day
                return instant
              }
            }
          }
          day = day + 1
          time = 0
        }
      }
      stay += 1
      date = nil
      time = 0
    }
    return nil
  }
}

extension Repetition {
  /// Whether the repetition selects every date.
  fileprivate var isUnlimited: Bool { weekdays == .all && from == nil && until == nil }

  /// Returns whether the repetition selects a local date.
  fileprivate func includes(_ date: CivilDate) -> Bool {
    weekdays.contains(date.weekday) && from.map { $0 <= date } ?? true && until.map { date < $0 } ?? true
  }
}

/// Merges several ascending sequences by selecting the sequence with the earliest next element. At equal
/// instants, it selects the lowest rank.
package struct MergeOrder: Sendable {
  private struct Head {
    var instant: Instant
    /// The rank of the next element. At one instant, elements of different sequences have different ranks.
    var rank: Int
    var sequence: Int

    static func < (a: Head, b: Head) -> Bool {
      a.instant != b.instant ? a.instant < b.instant : a.rank < b.rank
    }
  }

  /// A binary heap. A generic heap from another module would not be specialized, and every event uses the
  /// heap.
  private var heads: [Head] = []

  package init() {}

  /// The sequence with the next element, or `nil` if all sequences have ended.
  package var first: Int? { heads.first?.sequence }

  /// - Complexity: O(log n) in the number of sequences.
  package mutating func insert(_ sequence: Int, at instant: Instant, rank: Int) {
    heads.append(Head(instant: instant, rank: rank, sequence: sequence))
    var position = heads.count - 1
    while position > 0, heads[position] < heads[(position - 1) / 2] {
      heads.swapAt(position, (position - 1) / 2)
      position = (position - 1) / 2
    }
  }

  /// Replaces the current element of the first sequence with its next element, which must not be earlier.
  ///
  /// - Complexity: O(log n) in the number of sequences, or O(1) if the sequence remains the first.
  package mutating func moveFirst(to instant: Instant, rank: Int) {
    heads[0].instant = instant
    heads[0].rank = rank
    sink()
  }

  /// Removes the first sequence, which has no further element.
  package mutating func removeFirst() {
    heads[0] = heads[heads.count - 1]
    heads.removeLast()
    sink()
  }

  private mutating func sink() {
    var position = 0
    while true {
      var least = position
      for child in 2 * position + 1...2 * position + 2
      where child < heads.count && heads[child] < heads[least] {
        least = child
      }
      if least == position { return }
      heads.swapAt(position, least)
      position = least
    }
  }
}
