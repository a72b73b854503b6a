import CivilTime
import TextFormats
import TriggerModel

/// The properties of an entry on a page before validation.
struct MonicaEntry {
  var id: Int64?
  var object: String?
  var title: String?
  var text: String?
  var frequency: String?
  var interval: Int?
  var date: CivilDate?
  var isFixed = false
  var contactID: Int64?
  var contactName: String?
}

/// Reads one page of a response. Treats a value of an unexpected type as missing.
struct MonicaPage {
  private let bytes: UnsafeBufferPointer<UInt8>
  private let file: String
  private var scanner: NDJSONScanner

  init(_ bytes: UnsafeBufferPointer<UInt8>, file: String) {
    self.bytes = bytes
    self.file = file
    scanner = NDJSONScanner(bytes)
  }

  mutating func read(into answer: inout MonicaAnswer) throws(ScanProblem) {
    var hasData = false
    var (page, last): (Int?, Int?)
    try scanner.beginObject()
    while let key = try scanner.nextKey() {
      if key == "data" {
        guard !hasData else { throw scanner.repeatedKey(key) }
        hasData = true
        try scanner.beginArray()
        while try scanner.nextElement() {
          guard scanner.peek() == .object else {
            try scanner.skipValue()
            answer.take(MonicaEntry(object: "none")) { place(scanner.start) }
            continue
          }
          var start = 0
          let entry = try entry(at: &start)
          answer.take(entry) { place(start) }
        }
      } else if key == "meta", scanner.peek() == .object {
        try scanner.beginObject()
        while let key = try scanner.nextKey() {
          if key == "current_page" {
            page = try integer().flatMap { Int(exactly: $0) }
          } else if key == "last_page" {
            last = try integer().flatMap { Int(exactly: $0) }
          } else {
            try scanner.skipValue()
          }
        }
      } else {
        try scanner.skipValue()
      }
    }
    let end = scanner.start
    try scanner.endOfLine()
    if !hasData { throw scanner.missingKey("data") }
    answer.pages.take(page ?? 1, of: last ?? 1) { place(end) }
  }

  private func place(_ offset: Int) -> String {
    let position = MonicaAnswer.position(of: offset, in: bytes)
    return "\(file):\(position.line):\(position.column)"
  }

  /// - Parameter start: Receives the position of the entry's opening brace.
  private mutating func entry(at start: inout Int) throws(ScanProblem) -> MonicaEntry {
    var entry = MonicaEntry()
    try scanner.beginObject()
    start = scanner.start
    while let key = try scanner.nextKey() {
      if key == "id" {
        entry.id = try integer()
      } else if key == "object" {
        entry.object = try text() ?? "none"
      } else if key == "title" {
        entry.title = try text()
      } else if key == "description" {
        entry.text = try text()
      } else if key == "frequency_type" {
        entry.frequency = try text()
      } else if key == "frequency_number" {
        entry.interval = try integer().flatMap { Int(exactly: $0) }
      } else if key == "initial_date" {
        entry.date = try text().flatMap(Self.date)
      } else if key == "delible" {
        entry.isFixed = try isFalse()
      } else if key == "contact", scanner.peek() == .object {
        try contact(of: &entry)
      } else {
        try scanner.skipValue()
      }
    }
    return entry
  }

  private mutating func contact(of entry: inout MonicaEntry) throws(ScanProblem) {
    var names: [String?] = [nil, nil, nil]
    try scanner.beginObject()
    while let key = try scanner.nextKey() {
      if key == "id" {
        entry.contactID = try integer()
      } else if key == "complete_name" {
        names[0] = try text()
      } else if key == "first_name" {
        names[1] = try text()
      } else if key == "nickname" {
        names[2] = try text()
      } else {
        try scanner.skipValue()
      }
    }
    entry.contactName = names.compactMap { $0 }.first { !$0.isEmpty }
  }

  /// Parses the date in a string such as `2018-03-05T00:00:00Z`. The date may also end the string or precede
  /// a space. Monica stores a day as its midnight in UTC.
  private static func date(_ text: String) -> CivilDate? {
    let date = text.prefix(10)
    guard date.count == 10, date.endIndex == text.endIndex || "T ".contains(text[date.endIndex]) else {
      return nil
    }
    guard let date = try? CivilDate(iso8601: date), (1...9_000).contains(date.year) else { return nil }
    return date
  }

  // MARK: Values

  private mutating func text() throws(ScanProblem) -> String? {
    guard scanner.peek() == .string else {
      try scanner.skipValue()
      return nil
    }
    return Self.printable(try scanner.string().string)
  }

  private mutating func integer() throws(ScanProblem) -> Int64? {
    guard scanner.peek() == .number else {
      try scanner.skipValue()
      return nil
    }
    var copy = scanner
    do throws(ScanProblem) {
      let value = try copy.integer()
      scanner = copy
      return value
    } catch {
      // A number that is not an integer or is too large counts as missing.
      try scanner.skipValue()
      return nil
    }
  }

  private mutating func isFalse() throws(ScanProblem) -> Bool {
    if scanner.peek() == .truth { return try !scanner.truth() }
    try scanner.skipValue()
    return false
  }

  /// Returns the text on a single line, without surrounding white space. Replaces the characters that
  /// scenario files reject.
  private static func printable(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: result.append(" ")
      case .unassigned, .privateUse, .surrogate, .format: result.append("\u{FFFD}")
      default: result.append(scalar)
      }
    }
    return String(result).split(separator: " ").joined(separator: " ")
  }
}

/// The pages of a response that were read.
struct MonicaPages: Sendable {
  private var read: Set<Int> = []
  private(set) var last = 1
  private(set) var place = ""

  mutating func take(_ page: Int, of last: Int, _ place: () -> String) {
    read.insert(page)
    if last >= self.last { self.place = place() }
    self.last = max(self.last, last)
  }

  /// The number of pages that were not read.
  var missing: Int { max(0, last - read.count { (1...last).contains($0) }) }
}
