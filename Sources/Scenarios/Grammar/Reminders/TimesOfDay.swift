import TextFormats
import TriggerModel

extension Atom<[Int]> {
  /// Whole minutes of the day, ascending: `08:00`, `08:00, 14:00, 20:00`, or `every 2 h from 09:00 until 21:00`,
  /// where 21:00 itself is left out, as at the end of every window.
  static var timesOfDay: Atom {
    let time = Atom<Int>.minuteOfDay
    let span = Atom<TimeSpan>.duration
    return Atom(
      name: "TIMES",
      meaning: "times of day in whole minutes such as 08:00, 14:00 or every 2 h from 09:00 until 21:00",
      pattern:
        "\(time.pattern)(?: *, *\(time.pattern))*|every +(?:\(span.pattern)) +from +\(time.pattern) +until +\(time.pattern)",
      jsonTypes: nil,
      write: { minutes, writer in
        let texts = minutes.map { time.write($0, writer) }.map {
          if case .string(let text) = $0 { text } else { "" }
        }
        return .string(texts.joined(separator: ", "))
      }
    ) { word, reader in
      word.text.hasPrefix("every ") ? everySpan(word, reader) : list(word, reader)
    }
  }

  private static func list(_ word: Word, _ reader: Reader) -> [Int]? {
    var minutes: [Int] = []
    for part in word.text.split(separator: ",", omittingEmptySubsequences: false) {
      let text = part.split(separator: " ").joined(separator: " ")
      guard let minute = Atom<Int>.minuteOfDay.parse(Word(text, at: word.position), reader) else {
        return nil
      }
      minutes.append(minute)
    }
    guard zip(minutes, minutes.dropFirst()).allSatisfy(<) else {
      reader.error(
        "times of the day come one after the other, each once", at: word.position,
        hint: "write \(Set(minutes).sorted().map { Clock.text(Int32($0 * 60_000)) }.joined(separator: ", "))")
      return nil
    }
    return minutes
  }

  private static func everySpan(_ word: Word, _ reader: Reader) -> [Int]? {
    let parts = word.text.split(separator: " ").map(String.init)
    guard let from = parts.firstIndex(of: "from"), parts.count == from + 4, parts[from + 2] == "until" else {
      reader.error(
        "a time of day is missing", at: word.position, hint: "such as 'every 2 h from 09:00 until 21:00'")
      return nil
    }
    let time = Atom<Int>.minuteOfDay
    let text = parts[1..<from].joined(separator: " ")
    guard let span = Atom<TimeSpan>.duration.parse(Word(text, at: word.position), reader),
      let first = time.parse(Word(parts[from + 1], at: word.position), reader),
      let last = time.parse(Word(parts[from + 3], at: word.position), reader)
    else { return nil }
    let step = Int(span.milliseconds / 60_000)
    guard step > 0, span.milliseconds % 60_000 == 0 else {
      reader.error("times of the day are whole minutes apart", at: word.position)
      return nil
    }
    guard first < last else {
      reader.error(
        "\(parts[from + 3]) does not come after \(parts[from + 1])", at: word.position,
        hint: "a schedule's day ends at midnight: write two reminders, or a list of times")
      return nil
    }
    return Array(stride(from: first, to: last, by: step))
  }
}
