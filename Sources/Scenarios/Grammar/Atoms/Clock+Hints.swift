import TextFormats

extension Clock {
  /// What the author may have meant of a text that is no time of day: other ways to write times than with 24 hours
  /// and a colon.
  static func hint(_ text: String) -> String? {
    if text == "24:00" || text == "24:00:00" { return "midnight is 00:00" }
    if text.hasPrefix("every ") {
      return
        "one schedule has its times in a list, such as 'every day 08:00, 20:00'; for others write another reminder"
    }
    if text.contains(" and ") { return "times in a list have commas between them, such as 08:00, 20:00" }
    let letters = text.lowercased().filter { !$0.isWhitespace }
    let isMorning = letters.hasSuffix("am")
    guard
      isMorning || letters.hasSuffix("pm") || letters.hasSuffix("uhr") || letters.contains(".")
        || letters.allSatisfy(\.isNumber)
    else { return nil }
    let parts = letters.drop { !$0.isNumber }.split { !$0.isNumber }.prefix(2)
    guard let hour = parts.first.flatMap({ Int($0) }), hour <= 24 else { return nil }
    let minute = parts.dropFirst().first.flatMap { Int($0) } ?? 0
    let whole = isMorning ? hour % 12 : letters.hasSuffix("pm") ? hour % 12 + 12 : hour
    guard whole < 24, minute < 60 else { return nil }
    return "times have 24 hours and a colon: \(Clock.text(Int32(whole * 3_600_000 + minute * 60_000)))"
  }

  /// The same for a window of the day.
  static func windowHint(_ text: String) -> String? {
    if text.hasSuffix("24:00") { return "midnight is 00:00: write \(text.dropLast(5))00:00" }
    let dashes: [Character] = ["-", "–", "—", "‑"]
    let edges = text.replacing(" to ", with: "-").split { dashes.contains($0) }.map { edge -> String? in
      let edge = edge.filter { !$0.isWhitespace }
      // What is proposed for a time stands at the end.
      let time = Clock.milliseconds(edge) ?? hint(edge).flatMap { Clock.milliseconds(String($0.suffix(5))) }
      return time.map { Clock.text($0) }
    }
    guard edges.count == 2, let from = edges[0], let to = edges[1] else { return nil }
    return "times have 24 hours and a colon, and a plain '-' between them: \(from)-\(to)"
  }
}
