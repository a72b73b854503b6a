import DeviceSimulation
import Journal
import TriggerModel

/// Where taps lead, in scenarios that say who handles links.
extension World {
  mutating func tellLinks(happened event: PhoneEvent, into sink: inout some JournalSink) {
    guard links != nil else { return }
    let instant = now
    let moment = phone.moment(at: instant)
    links?.happened(event, at: instant, moment)
    passLinks(into: &sink)
  }

  mutating func tellLinks(observed event: ObservedEvent, into sink: inout some JournalSink) {
    guard links != nil else { return }
    let instant = now
    links?.observed(event, at: instant)
    passLinks(into: &sink)
  }

  mutating func advanceLinks(into sink: inout some JournalSink) {
    let instant = now
    let moment = phone.moment(at: instant)
    links?.advance(at: instant, moment)
    passLinks(into: &sink)
  }

  private mutating func passLinks(into sink: inout some JournalSink) {
    guard let desk = links, !desk.records.isEmpty || !desk.alarms.isEmpty else { return }
    for record in desk.records { note(.link(record), into: &sink) }
    for instant in desk.alarms { awaitLinks(at: instant) }
    links?.removeOutput()
  }
}
