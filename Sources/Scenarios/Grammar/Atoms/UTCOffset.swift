package import TextFormats
package import TriggerModel

/// Offsets from UTC, which tell the two passes of a fold apart: `+01:00`.
package enum UTCOffset {
  package static func text(_ offset: TimeSpan) -> String {
    (offset < .zero ? "-" : "+") + Clock.text(Int32(offset.milliseconds.magnitude))
  }

  /// Whether a word is meant to be one.
  package static func isMeant(by word: Word) -> Bool { word.text.first.map { "+-".contains($0) } ?? false }
}

extension Atom<TimeSpan> {
  package static var utcOffset: Atom<TimeSpan> {
    .simple(
      "OFFSET", "an offset from UTC such as +01:00", pattern: #"[+-]\d{2}:\d{2}"#, jsonTypes: nil,
      write: { offset, writer in
        offset.milliseconds % 60_000 == 0 && offset.magnitude < .days(1)
          ? .string(UTCOffset.text(offset)) : writer.problem("an offset is in whole minutes, less than a day")
      }
    ) { text in
      guard let sign = text.first, "+-".contains(sign), text.count == 6,
        let milliseconds = Clock.milliseconds(String(text.dropFirst()))
      else { return nil }
      return TimeSpan(milliseconds: Int64(sign == "-" ? -milliseconds : milliseconds))
    }
  }
}
