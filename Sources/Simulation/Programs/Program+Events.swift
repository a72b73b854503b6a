import DeviceSimulation
import Recordings
import ScenarioModel
import TextFormats
import TriggerModel

extension Program {
  /// What happens: the time line and what is recorded, at one instant the time line first, and then recordings in
  /// their order.
  ///
  /// - Parameters:
  ///   - scenario: Takes the beginnings of its devices from recordings, as `devices` do.
  ///   - completes: Recordings say how devices are at the start.
  static func events(
    of scenario: inout Scenario, _ devices: inout [ProgramDevice], _ loader: inout RecordingLoader,
    _ range: Range<Instant>, _ completes: Bool, _ budget: RunBudget
  ) throws(Diagnostic) -> (survey: EventSurvey, events: ProgramEvents) {
    let most = try checkLength(of: scenario, until: range.upperBound, recorded: loader.count, budget)
    let stream = TimelineStream(
      scenario.timeline, from: range.lowerBound, to: range.upperBound, zones: scenario.zones)
    let line = most <= budget.held ? EventSource.held(stream.map { ProgramEvent($0) }) : .timeline(stream)
    var survey = loader.survey
    var beginnings = loader.beginnings
    for event in ProgramEvents(EventMerge([line], in: range), count: 0) {
      survey.note(event)
      beginnings[Int(event.device)].say(event.event, at: event.instant)
    }
    var sources = [line] + loader.takeSources()
    if completes, !scenario.recordings.isEmpty {
      let complete = complete(&scenario, &devices, beginnings)
      for event in complete { survey.note(event) }
      sources.append(.held(complete))
    }
    let merge = EventMerge(sources, in: range)
    let all = ProgramEvents(merge, count: survey.count)
    if survey.count <= budget.held {
      var held: [ProgramEvent] = []
      var cursor = all.makeIterator()
      while let event = cursor.next() { held.append(event) }
      if let problem = cursor.problem { throw scenario.sources.diagnostic(problem.description, at: nil) }
      TapEnds.mark(&held)
      return (survey, ProgramEvents(held))
    }
    if !survey.hasTaps { return (survey, all) }
    return (
      survey, ProgramEvents(EventMerge(sources, in: range, ends: TapEnds(all)), count: survey.count)
    )
  }
}
