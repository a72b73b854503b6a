package import CivilTime
package import Scenarios
package import TriggerModel

extension Scenario {
  /// The first instant at which the phone shows a local time, wherever it is then; a time that is never
  /// shown, because of a gap or a journey, is the end of the gap.
  package func instant(of local: LocalTime) -> Instant {
    for (index, stay) in timeline.stays.enumerated() {
      let end = index + 1 < timeline.stays.count ? timeline.stays[index + 1].from : Instant.distantFuture
      let instant = zones[stay.zone].instant(of: local)
      if instant < end { return max(instant, index == 0 ? instant : stay.from) }
    }
    return zones[zone].instant(of: local)
  }
}
