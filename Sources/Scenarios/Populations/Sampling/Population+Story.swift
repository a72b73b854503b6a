import DeviceSimulation
package import ScenarioModel
import TextFormats
import TriggerModel

extension Population {
  /// One person's story alone, as a scenario like any other.
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
