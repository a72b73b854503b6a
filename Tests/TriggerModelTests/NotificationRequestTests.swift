import Testing
import TriggerModel

@Suite struct NotificationRequestTests {
  private func request(
    _ bucket: Bucket, priority: UInt8 = 0, at milliseconds: Int64 = 0, type: Int = 0, reminder: Int = 0,
    occurrence: UInt32 = 0
  ) -> NotificationRequest {
    let instant = Instant(millisecondsSince1970: milliseconds)
    return NotificationRequest(
      id: RequestID(reminder: ReminderID(reminder), occurrence: occurrence), type: TypeID(type),
      bucket: bucket,
      priority: priority, scheduledFor: instant, deliverAt: instant)
  }

  @Test func `the order in which requests of an instant are decided is strict and total`() {
    let ordered = [
      request(.critical, priority: 9), request(.user, priority: 9), request(.standard, priority: 0, at: 9),
      request(.standard, priority: 1, at: 0, type: 9),
      request(.standard, priority: 1, at: 1, type: 0, reminder: 9),
      request(.standard, priority: 1, at: 1, type: 1, reminder: 0, occurrence: 9),
      request(.standard, priority: 1, at: 1, type: 1, reminder: 1),
      request(.standard, priority: 1, at: 1, type: 1, reminder: 1, occurrence: 1),
    ]
    for (i, a) in ordered.enumerated() {
      for (j, b) in ordered.enumerated() {
        #expect(NotificationRequest.isDecidedBefore(a, b) == (i < j), "\(i) before \(j)")
      }
    }
    #expect(ordered.reversed().sorted(by: NotificationRequest.isDecidedBefore) == ordered)
  }

  @Test func `the order of request identifiers is strict and total`() {
    let ordered = [(0, 0), (0, 1), (0, UInt32.max), (1, 0), (1, 7), (2, 0)].map {
      RequestID(reminder: ReminderID($0.0), occurrence: $0.1)
    }
    for (i, a) in ordered.enumerated() {
      for (j, b) in ordered.enumerated() { #expect((a < b) == (i < j), "\(i) before \(j)") }
    }
  }

  @Test func `an event identifies its request`() {
    let id = RequestID(reminder: ReminderID(7), occurrence: .max)
    let moment = Moment(
      wall: Instant(millisecondsSince1970: 0), uptime: Uptime(boot: 0, span: .zero), zone: ZoneID(0))
    let event = ObservedEvent(.tapped, subject: id.reminder.rawValue, value: Int64(id.occurrence), at: moment)
    #expect(event.request == id)
  }

  @Test func `only granted permissions allow delivery`() {
    let allowing = NotificationPermission.allCases.filter(\.allowsDelivery)
    #expect(allowing == [.authorized, .provisional, .ephemeral])
  }
}
