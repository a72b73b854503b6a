import TextFormats

extension Scenario {
  /// The scenario without what its files add to it: their names, those of packs, what plans were, and places in them. Two
  /// scenarios that are equal then say the same.
  package var withoutSources: Scenario {
    var scenario = self
    scenario.file = ""
    scenario.sources = SourceFiles(SourceText(file: "", text: ""))
    scenario.packs = []
    scenario.authored = nil
    scenario.profile.position = .start
    for index in intendedWarnings.indices { scenario.intendedWarnings[index].position = .start }
    scenario.knobs = Knob.withoutPositions(knobs)
    for index in devices.indices {
      scenario.devices[index].position = .start
      scenario.devices[index].profile.position = .start
      scenario.devices[index].knobs = Knob.withoutPositions(devices[index].knobs)
    }
    scenario.sync?.position = .start
    scenario.person?.position = .start
    for index in facts.indices { scenario.facts[index].position = .start }
    for index in places.indices { scenario.places[index].position = .start }
    for index in reminders.indices { scenario.reminders[index].position = .start }
    for index in edits.indices { scenario.edits[index].position = .start }
    if let links {
      for index in links.consumers.indices { scenario.links?.consumers[index].position = .start }
    }
    for index in app.milestones.indices { scenario.app.milestones[index].position = .start }
    for index in app.surfaces.indices { scenario.app.surfaces[index].position = .start }
    scenario.app.analytics?.position = .start
    for index in gates.indices { scenario.gates[index].position = .start }
    for index in timeline.entries.indices { scenario.timeline.entries[index].position = .start }
    for index in recordings.indices { scenario.recordings[index].position = .start }
    for index in expectations.indices { scenario.expectations[index].position = .start }
    return scenario
  }
}

extension Knob {
  fileprivate static func withoutPositions(_ knobs: [Knob]) -> [Knob] {
    knobs.map { Knob(name: $0.name, value: $0.value, position: .start) }
  }
}
