package import CivilTime
package import DeviceSimulation
package import TriggerModel

extension Timeline {
  /// The events of the time line in order of time, and at one instant in the order of the file.
  ///
  /// Repetitions follow the local time of wherever the phone is: `every day 08:00` happens whenever the
  /// phone's zone says 08:00. Of a local time that a fold repeats the first is meant, of one that a gap
  /// skips the gap's end. Events outside `start ..< end` are left out.
  ///
  /// - Complexity: O(n log n) in the number of events
  package func expand(from start: Instant, to end: Instant, zones: ZoneTable) -> [TimelineEvent] {
    var events: [TimelineEvent] = []
    func happen(_ entry: TimelineEntry, at instant: Instant) {
      for action in entry.actions {
        for (delay, event) in action.events(at: instant, in: zones[zone(at: instant)]) {
          events.append(
            TimelineEvent(
              instant: instant + delay, event: event, device: entry.device, position: entry.position,
              order: events.count))
        }
      }
    }
    for entry in entries {
      switch entry.timing {
      case .once(let instant): happen(entry, at: instant)
      case .repeated(let repetition):
        forEachOccurrence(of: repetition, from: start, to: end, zones: zones) { happen(entry, at: $0) }
      }
    }
    events.removeAll { $0.instant < start || $0.instant >= end }
    events.sort { ($0.instant, $0.order) < ($1.instant, $1.order) }
    for index in events.indices { events[index].order = index }
    return events
  }

  /// Which zone the phone is in.
  package func zone(at instant: Instant) -> ZoneID {
    (stays.last { $0.from <= instant } ?? stays[0]).zone
  }

  /// Takes in a journey that a recording tells of. Of journeys at one instant the one added last counts.
  package mutating func addJourney(to zone: ZoneID, at instant: Instant) {
    let index = stays.firstIndex { $0.from > instant } ?? stays.count
    stays.insert(Stay(from: instant, zone: zone), at: index)
  }

  /// Calls the body for every occurrence, in order of time.
  private func forEachOccurrence(
    of repetition: Repetition, from start: Instant, to end: Instant, zones: ZoneTable,
    _ body: (Instant) -> Void
  ) {
    switch repetition.step {
    case .elapsed(let span):
      var instant = start
      while instant < end {
        if repetition.includes(zones[zone(at: instant)].local(at: instant).date) { body(instant) }
        instant = instant + span
      }
    case .timesOfDay(let times):
      for (index, stay) in stays.enumerated() {
        let begin = max(stay.from, start)
        let finish = min(index + 1 < stays.count ? stays[index + 1].from : end, end)
        guard begin < finish else { continue }
        let zone = zones[stay.zone]
        var date = zone.local(at: begin).date
        let last = zone.local(at: finish).date
        while date <= last {
          defer { date = date + 1 }
          guard repetition.includes(date), !zone.skips(date) else { continue }
          for time in times {
            let instant = zone.instant(of: LocalTime(date: date, millisecondOfDay: time))
            if instant >= begin, instant < finish { body(instant) }
          }
        }
      }
    }
  }
}

extension Repetition {
  /// Whether it happens on a local date.
  func includes(_ date: CivilDate) -> Bool {
    weekdays.contains(date.weekday) && from.map { $0 <= date } ?? true && until.map { date < $0 } ?? true
  }

  /// How often it happens at most in a stretch of time.
  package func highestCount(in span: TimeSpan) -> Int64 {
    switch step {
    case .elapsed(let step): span.milliseconds / step.milliseconds + 1
    case .timesOfDay(let times): (span.milliseconds / TimeSpan.days(1).milliseconds + 2) * Int64(times.count)
    }
  }
}

extension TimelineAction {
  /// The phone events that it stands for, each so long after the instant.
  package func events(at instant: Instant, in zone: Zone) -> [(TimeSpan, PhoneEvent)] {
    switch self {
    case .event(let event): [(.zero, event)]
    case .fix(let coordinate, let accuracy):
      [(.zero, .fix(Fix(instant: instant, coordinate: coordinate, accuracy: accuracy)))]
    case .delete(let reminder): [(.zero, .cancel(reminder))]
    case .subscription: []
    case .reboot: [(.zero, .powerOff), (.minutes(1), .powerOn)]
    case .setToNow(let fact): [(.zero, .fact(fact, .instant(instant)))]
    case .snoozeUntil(let reminder, let date, let millisecondOfDay):
      [(.zero, .snoozeUntil(reminder, Self.next(date, millisecondOfDay, after: instant, in: zone)))]
    case .snoozeMonths(let reminder, let months):
      CalendarSteps(.monthly, every: months, from: instant, in: zone).next(after: instant).map {
        [(.zero, .snoozeUntil(reminder, $0))]
      } ?? []
    }
  }

  /// The named date and time, or the next such time of day.
  private static func next(
    _ date: CivilDate?, _ millisecondOfDay: Int32, after instant: Instant, in zone: Zone
  ) -> Instant {
    let today = zone.local(at: instant).date
    let candidate = zone.instant(of: LocalTime(date: date ?? today, millisecondOfDay: millisecondOfDay))
    guard date == nil, candidate <= instant else { return candidate }
    return zone.instant(of: LocalTime(date: today + 1, millisecondOfDay: millisecondOfDay))
  }
}
