package import CivilTime
import DeviceSimulation
package import TriggerModel

/// The events of a time line, one after the other: what repeats itself is written out as it comes, so that what is
/// kept depends on the number of entries only.
///
/// In order of time, and at one instant in the order of the file. Repetitions follow the local time of wherever the
/// phone is: `every day 08:00` happens whenever the phone's zone says 08:00. Of a local time that a fold repeats the
/// first is meant, of one that a gap skips the gap's end. Events outside `start ..< end` are left out.
///
/// A value: a copy goes on from the same place.
package struct TimelineStream: Sequence, IteratorProtocol, Sendable {
  private var tracks: [Track] = []
  private var order = MergeOrder()
  /// How many events came.
  private var count = 0
  private let setting: Setting
  /// By device, how far its clock is ahead.
  private var ahead: [UInt8: TimeSpan] = [:]

  /// - Complexity: O(n log n) in the entries; each event O(log n) in those that repeat themselves
  package init(_ timeline: Timeline, from start: Instant, to end: Instant, zones: ZoneTable) {
    setting = Setting(timeline: timeline, start: start, end: end, zones: zones)
    var single: [TimelineEvent] = []
    for (index, entry) in timeline.entries.enumerated() {
      // What is said of an entry comes before what is said of those behind it.
      let rank = index << 32
      switch entry.timing {
      case .once(let instant):
        setting.write(entry, at: instant, delayed: nil, into: &single) { rank + $0 }
      case .repeated(let repetition):
        // What an occurrence brings about later comes among later ones, and before them.
        if entry.actions.contains(.reboot) {
          add(Track(repeating: entry, repetition, rank: rank, isDelayed: true, setting))
        }
        add(Track(repeating: entry, repetition, rank: rank + 1, isDelayed: false, setting))
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
    if let action = event.ofClock {
      // The person means the clock that they see.
      let shown = event.instant + ahead[event.device, default: .zero]
      if let read = action.events(at: shown, in: setting.zone(at: event.instant)).first {
        event.event = read.1
      }
      event.ofClock = nil
    }
    return event
  }
}

/// What the entries have in common.
private struct Setting: Sendable {
  var timeline: Timeline
  var start: Instant
  var end: Instant
  var zones: ZoneTable

  /// Writes out an occurrence of an entry, whose events have a rank in place of their order.
  ///
  /// - Parameters:
  ///   - delayed: Only what comes later than the instant, or only what does not; nil: both.
  ///   - rank: Of an event by how many are there before it.
  func write(
    _ entry: TimelineEntry, at instant: Instant, delayed: Bool?, into events: inout [TimelineEvent],
    rank: (_ position: Int) -> Int
  ) {
    func add(_ event: PhoneEvent, after delay: TimeSpan = .zero, ofClock: TimelineAction? = nil) {
      guard delayed ?? (delay > .zero) == (delay > .zero) else { return }
      let then = instant + delay
      guard then >= start, then < end else { return }
      var event = TimelineEvent(
        instant: then, event: event, device: entry.device, position: entry.position, order: rank(events.count)
      )
      event.ofClock = ofClock
      events.append(event)
    }
    for action in entry.actions {
      if case .event(let event) = action {
        add(event)
        continue
      }
      for (delay, event) in action.events(at: instant, in: zone(at: instant)) {
        add(event, after: delay, ofClock: action.isOfClock ? action : nil)
      }
    }
  }

  func zone(at instant: Instant) -> Zone { zones[timeline.zone(at: instant)] }
}

/// Events in order of time: all that happen once, or those of a repeated entry, written out as they come.
private struct Track: Sendable {
  /// Occurrences that are written out at a time.
  private static let most = 64

  /// The next are those from `position` on; their order is a rank.
  private var events: [TimelineEvent]
  private var position = 0
  private var repeated: Repeated?

  private struct Repeated: Sendable {
    var entry: TimelineEntry
    var rank: Int
    var isDelayed: Bool
    var setting: Setting
    var occurrences: Occurrences
  }

  init(_ events: [TimelineEvent]) {
    self.events = events
  }

  /// - Parameter isDelayed: It holds what comes later than its occurrence, or else what does not.
  init(
    repeating entry: TimelineEntry, _ repetition: Repetition, rank: Int, isDelayed: Bool, _ setting: Setting
  ) {
    events = []
    repeated = Repeated(
      entry: entry, rank: rank, isDelayed: isDelayed, setting: setting,
      occurrences: Occurrences(
        repetition, in: setting.timeline.stays, from: setting.start, to: setting.end, setting.zones))
    writeOut()
  }

  var first: TimelineEvent? { position < events.count ? events[position] : nil }

  mutating func removeFirst() {
    position += 1
    if position == events.count { writeOut() }
  }

  private mutating func writeOut() {
    events.removeAll(keepingCapacity: true)
    position = 0
    while events.isEmpty, let repeated {
      for _ in 0..<Self.most {
        guard let instant = self.repeated?.occurrences.following() else {
          self.repeated = nil
          break
        }
        repeated.setting.write(
          repeated.entry, at: instant, delayed: repeated.isDelayed, into: &events
        ) { _ in repeated.rank }
      }
    }
  }
}
