import TriggerModel

/// The events that the app observes when its process runs again, in the order in which they happened.
///
/// Their moments are those of the happening, not of the observation.
struct AppInbox: Hashable, Sendable {
  private var events: [ObservedEvent] = []

  mutating func append(_ event: ObservedEvent) {
    // A fact is a state: the app observes only its last value.
    if event.kind == .factChanged {
      events.removeAll { $0.kind == .factChanged && $0.subject == event.subject }
    }
    events.append(event)
  }

  /// Removes the events of an installation that was deleted. Facts do not belong to the installation.
  mutating func keepFacts() {
    events.removeAll { $0.kind != .factChanged }
  }

  /// Removes all events and passes them to `body`.
  ///
  /// - Parameter facts: Whether facts can be read. If not, they stay in the inbox.
  mutating func take(facts: Bool, _ body: (ObservedEvent) -> Void) {
    if events.isEmpty { return }
    var kept = 0
    for index in events.indices {
      let event = events[index]
      if facts || event.kind != .factChanged {
        body(event)
      } else {
        events[kept] = event
        kept += 1
      }
    }
    events.removeLast(events.count - kept)
  }
}

extension AppInbox: Packable {
  package mutating func pack(in parcel: inout Parcel) { parcel.carry(&events) }
}
