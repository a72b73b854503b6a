import TestSupport
import Testing

/// The cases of the conformance list that shared vectors cover, by number.
@Suite struct VectorConformanceTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let title: String
    let vectors: [String]

    init(_ title: String, _ vectors: [String]) {
      self.title = title
      self.vectors = vectors
    }

    var testDescription: String { title }
  }

  static let cases = [
    Case("case 1: the last millisecond before quiet hours is allowed", ["Q01"]),
    Case("case 2: quiet hours hold from their first millisecond", ["Q02"]),
    Case("case 3: and to their last", ["Q03"]),
    Case("case 4: their end is allowed", ["Q04"]),
    Case("case 5: after midnight is still the evening before", ["Q05"]),
    Case("case 6: a window that begins where it ends is empty", ["Q06"]),
    Case("case 7: a window that does not wrap", ["Q07"]),
    Case("case 8: a deferred request waits for the window's end", ["Q08"]),
    Case("case 9: a window that ends at midnight", ["Q09"]),
    Case(
      "case 10: quiet hours hold for the critical bucket, unless the policy says otherwise", ["Q10", "Q11"]),
    Case("case 11: offsets of a quarter and half an hour", ["Q12"]),
    Case("case 12: a spring night has eight hours", ["D01", "D03"]),
    Case("case 13: an autumn night has ten", ["D02", "D04"]),
    Case("case 14: a window whose end is skipped ends with the gap", ["D05"]),
    Case("case 15: a window whose beginning is skipped begins with the gap's end", ["D06"]),
    Case("case 16: a window whose end is repeated ends at the last", ["D07"]),
    Case("case 17: half an hour of summer time on Lord Howe", ["D08"]),
    Case("case 18: the interval is elapsed time, whatever the wall shows", ["D09", "D10"]),
    Case("case 19: days of 23 and 25 hours are one day for caps", ["D11"]),
    Case("case 20: a day without midnight begins with its first instant", ["D12"]),
    Case("case 21: a date that a zone skips", ["K07"]),
    Case("case 22: a day is the local one", ["K01"]),
    Case("case 23: midnight begins a day, and no interval", ["K02"]),
    Case("case 24: a day cap is one of calendar days, not of 24 hours", ["K03"]),
    Case("case 25: a date stretched by a journey west has one quota", ["K04"]),
    Case("case 26: a date reached by a journey east has its own, and the interval holds", ["K05"]),
    Case("case 27: a date that the phone comes back to is spent as it was", ["K08"]),
    Case("case 28: a journey into the night is quiet at once", ["K06"]),
    Case("case 31: the fourth of a day", ["C01"]),
    Case("case 32: the second of a type", ["C02"]),
    Case("case 33: the interval to the millisecond", ["C03"]),
    Case("case 34: what is denied does not restart the interval", ["C04"]),
    Case("case 35: two types at one instant", ["C05"]),
    Case("case 37: the critical bucket is independent of the standard one", ["C06", "C08", "C10"]),
    Case("case 38: the second critical of a day", ["C07"]),
    Case("case 39: a critical delivery begins no interval, unless the scope is all", ["C08", "C09"]),
    Case("case 44: the user bucket has no day cap and no interval", ["C11"]),
    Case("case 45: the fourth of a lifetime", ["C12"]),
    Case("case 46: a lifetime that is spent comes before quiet hours", ["C13"]),
    Case("case 47: a reinstall forgets lifetime counts, unless they survive it", ["C14", "C15"]),
    Case("case 48: a lapse ends when the app is opened", ["C16"]),
    Case("case 49: a denied permission consumes nothing", ["P01"]),
    Case("case 52: what the system refuses consumes nothing", ["P02"]),
    Case("case 53: neither tap nor dismissal gives anything back", ["P03"]),
    Case("case 54: cancelling gives back what is not delivered", ["P04"]),
    Case("case 55: revoking gives back what is not delivered", ["P05"]),
    Case("case 72: a shorter interval holds from the next evaluation on", ["W01"]),
  ]

  @Test(arguments: cases)
  func `the gateway decides as the shared vectors state`(_ conformance: Case) throws {
    let all = try SharedVector.all()
    for name in conformance.vectors {
      let vector = try #require(all.first { $0.id == name }, "vector \(name)")
      vector.check(try vector.script().played(), "\(conformance.title): vector \(name)")
    }
  }
}
