import Testing
import TriggerModel

@Suite struct PreferenceChangeTests {
  private static let moment = Moment(
    wall: Instant(millisecondsSince1970: 0), uptime: Uptime(boot: 0, span: .zero), zone: ZoneID(0 as UInt32))

  @Test func everyChoiceHasItsNumberOnTheWire() {
    let table: [(PreferenceChange, subject: UInt32, value: Int64)] = [
      (.type(TypeID(7 as UInt32), isOn: false), 7, 0), (.type(TypeID(7 as UInt32), isOn: true), 7, 1),
      (.all(isOn: false), 0, 2), (.all(isOn: true), 0, 3), (.dailyCap(nil), 0, 4), (.dailyCap(0), 0, 5),
      (.dailyCap(2), 0, 7), (.dailyCap(.max), 0, 5 + Int64(UInt32.max)),
    ]
    for (change, subject, value) in table {
      let event = ObservedEvent(change, at: Self.moment)
      #expect(event.kind == .preferencesChanged && event.subject == subject && event.value == value)
      #expect(PreferenceChange(event) == change)
    }
  }

  @Test func whatMeansNothingIsNoChoice() {
    for value in [-1, .min, .max, 6 + Int64(UInt32.max)] as [Int64] {
      #expect(PreferenceChange(ObservedEvent(.preferencesChanged, value: value, at: Self.moment)) == nil)
    }
    #expect(PreferenceChange(ObservedEvent(.cancelAll, at: Self.moment)) == nil)
  }
}
