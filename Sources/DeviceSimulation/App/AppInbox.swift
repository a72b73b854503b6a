import TriggerModel

/// The events that the app will observe when its process runs again, in the order in which they occurred.
///
/// The moment of each event is when it occurred, not when the app observes it.
struct AppInbox: Hashable, Sendable {
  private var events: [ObservedEvent] = []

  mutating func append(_ event: ObservedEvent) {
    // A new value of a fact replaces an unread one: the app can only read the current value.
    if event.kind == .factChanged {
      events.removeAll { $0.kind == .factChanged && $0.subject == event.subject }
    }
    events.append(event)
  }

  /// Removes the events of a deleted installation. Keeps changes of facts, because a reinstall does not
  /// change them.
  mutating func keepFacts() {
    events.removeAll { $0.kind != .factChanged }
  }

  /// Removes all events and passes them to `body`.
  ///
  /// - Parameter facts: Whether the app can read facts now. If not, changes of facts stay in the inbox.
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
