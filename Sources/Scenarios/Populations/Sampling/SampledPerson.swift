package import DeviceSimulation
package import ScenarioModel
import TextFormats
package import TriggerModel

/// A person who was drawn from a population. The memory can be reused for the next person.
package struct SampledPerson: Hashable, Sendable {
  package struct Event: Hashable, Sendable, BitwiseCopyable {
    package var instant: Instant
    package var event: PhoneEvent
    /// The index among the devices that the person has, where the phone is 0.
    package var device: UInt8 = 0
  }

  package struct Fact: Hashable, Sendable, BitwiseCopyable {
    package var fact: FactID
    package var value: FactValue
  }

  package var number: UInt64 = 0
  /// The platform profile.
  package var profile = ""
  /// The zone in which the person lives, or nil for the file's.
  package var zone: String?
  /// The name of the recorded phone whose days the person lives, or nil if days are drawn.
  package var recording: String?
  /// The devices of the file that the person does not have.
  package var lacks = DeviceSet()
  /// Whether the app may notify. If not, it may on none of the devices, whatever the file says.
  package var allowsNotifications = true
  package var facts: [Fact] = []
  /// In chronological order.
  package var events: [Event] = []

  package init() {}
}

extension Population {
  /// Returns one person's story as an ordinary scenario.
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
