import CivilTime
import Testing

@Suite struct CivilDateTests {
  @Test func countsTheDaysOneByOne() {
    // The calendar's own rule, day by day, against the closed form.
    var (year, month, day) = (1599, 12, 31)
    let first = CivilDate(year: year, month: month, day: day)
    for step in 0..<300_000 {
      let date = first + step
      #expect(date.components == (year, month, day), "day \(step)")
      #expect(CivilDate(validYear: year, month: month, day: day) == date, "day \(step)")
      day += 1
      if day > CivilDate.days(inMonth: month, of: year) { (month, day) = (month + 1, 1) }
      if month > 12 { (year, month) = (year + 1, 1) }
    }
  }
}
