package import TriggerModel

/// What waits to be told to the app when its process runs again, in the order of happening.
///
/// The moments in it are those of the happening; the telling has its own.
package struct AppInbox: Hashable, Sendable {
  private var events: [ObservedEvent] = []

  package init() {}

  package mutating func put(_ event: ObservedEvent) {
    // A fact is a state: only its last value is found.
    if event.kind == .factChanged {
      events.removeAll { $0.kind == .factChanged && $0.subject == event.subject }
    }
    events.append(event)
  }

  /// Forgets what was meant for an installation that is gone; the facts are not its own.
  package mutating func keepFacts() {
    events.removeAll { $0.kind != .factChanged }
  }

  /// Takes everything, or everything but the facts while those cannot be read.
  package mutating func take(facts: Bool, _ body: (ObservedEvent) -> Void) {
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
