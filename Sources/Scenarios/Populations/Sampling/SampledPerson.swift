package import DeviceSimulation
package import ScenarioModel
import TextFormats
package import TriggerModel

/// A person drawn from a population. To avoid allocations, an instance can be reused for the next person.
package struct SampledPerson: Hashable, Sendable {
  package struct Event: Hashable, Sendable, BitwiseCopyable {
    package var instant: Instant
    package var event: PhoneEvent
    /// The index among the devices that the person owns. The phone has index 0.
    package var device: UInt8 = 0
  }

  package struct Fact: Hashable, Sendable, BitwiseCopyable {
    package var fact: FactID
    package var value: FactValue
  }

  package var number: UInt64 = 0
  /// The platform profile.
  package var profile = ""
  /// The zone in which the person lives, or `nil` for the zone of the file.
  package var zone: String?
  /// The name of the recorded phone that provides the person's days, or `nil` if days are drawn.
  package var recording: String?
  /// The declared devices that the person does not own.
  package var lacks = DeviceSet()
  /// Whether the app may notify. If `false`, notifications are denied on all devices, regardless of the file.
  package var allowsNotifications = true
  package var facts: [Fact] = []
  /// The events in chronological order.
  package var events: [Event] = []

  package init() {}
}

extension Population {
  /// Returns the story of a person as an ordinary scenario.
  package func scenario(of person: SampledPerson) -> Scenario {
    var story = scenario(in: person.zone, without: person.lacks)
    story.title += ": person \(person.number)" + (person.recording.map { ", days of '\($0)'" } ?? "")
    story.profile.value = person.profile
    if !person.allowsNotifications { story.denyNotifications() }
    story.person?.number = person.number
    for fact in person.facts { story.facts[fact.fact.index].initial = fact.value }
    story.timeline.entries += person.events.map { event in
      TimelineEntry(
        timing: .once(event.instant), actions: [.event(event.event)], device: event.device, position: position
      )
    }
    return story
  }
}
