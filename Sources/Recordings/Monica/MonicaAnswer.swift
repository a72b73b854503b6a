package import CivilTime
package import TextFormats
import TriggerModel

/// The response of a Monica server to `GET /api/reminders`: pages of reminders with their contacts.
///
/// The form `{"data": […], "links": {…}, "meta": {…}}` follows Monica's own code
/// (`app/Http/Resources/Reminder/Reminder.php` and `Contact/ContactShort.php` of github.com/monicahq/monica,
/// versions 2 to 4; confidence high). A response that is not JSON or has no `data` is an error with a
/// position. Reminders with missing or unsupported properties count as findings.
package struct MonicaAnswer: Sendable {
  package private(set) var reminders: [MonicaReminder] = []
  private var noted: [MonicaFinding] = []
  /// The number of entries on all pages.
  package private(set) var read = 0
  private var seen: Set<Int64> = []
  var pages = MonicaPages()

  package init() {}

  /// Reads another page.
  ///
  /// - Parameter file: The name of the page in positions within it.
  package mutating func read(_ bytes: [UInt8], file: String) throws(Diagnostic) {
    var answer = self
    let problem = bytes.withUnsafeBufferPointer { buffer -> ScanProblem? in
      var page = MonicaPage(buffer, file: file)
      do throws(ScanProblem) {
        try page.read(into: &answer)
        return nil
      } catch {
        return error
      }
    }
    if let problem {
      throw Diagnostic(
        problem.message, file: file, at: Self.position(of: problem.offset, in: bytes),
        hint: problem.remedy.isEmpty ? nil : problem.remedy)
    }
    self = answer
  }

  /// Returns the line and the column of a byte, both from 1.
  static func position(of offset: Int, in bytes: some Collection<UInt8>) -> SourcePosition {
    var (line, column) = (1, 1)
    for byte in bytes.prefix(offset) {
      if byte == UInt8(ascii: "\n") {
        (line, column) = (line + 1, 1)
      } else if byte & 0xC0 != 0x80 {
        // A character counts once, whatever its number of bytes.
        column += 1
      }
    }
    return SourcePosition(line: line, column: column)
  }

  mutating func take(_ entry: MonicaEntry, _ place: () -> String) {
    read += 1
    guard entry.object ?? "reminder" == "reminder" else { return note(.otherObject, place) }
    guard let id = entry.id else { return note(.withoutID, place) }
    guard let written = entry.date else { return note(.withoutDate, place) }
    guard let word = entry.frequency, let frequency = MonicaReminder.frequencies[word] else {
      return note(.otherFrequency, place)
    }
    var interval = entry.interval ?? 1
    if frequency != .once, entry.interval == nil || !Recurrence.intervals.contains(interval) {
      note(.intervalAssumed, place)
      interval = 1
    }
    guard let date = Self.inCalendar(written, frequency, every: interval) else {
      return note(.outsideCalendar, place)
    }
    guard seen.insert(id).inserted else { return note(.repeated, place) }
    let contact = entry.contactName ?? ""
    var title = entry.title ?? ""
    if title.isEmpty {
      note(.titleAssumed, place)
      title = contact.isEmpty ? "A reminder" : contact
    }
    if entry.contactID == nil { note(.withoutContact, place) }
    if entry.isFixed { note(.fixed, place) }
    reminders.append(
      MonicaReminder(
        id: id, title: title, text: entry.text ?? "", frequency: frequency,
        interval: frequency == .once ? 1 : interval, date: date, contactID: entry.contactID,
        contactName: contact))
  }

  /// The years that a scenario file accepts.
  private static let years = 1970...2099

  /// Returns the first recurring date that a scenario file accepts, or `nil` if there is none.
  ///
  /// A first date, such as a date of birth, may be before the supported years. The result recurs on the same
  /// days: a 29 February becomes a later 29 February, and a 31st a later 31st.
  private static func inCalendar(_ date: CivilDate, _ frequency: Recurrence.Frequency, every interval: Int)
    -> CivilDate?
  {
    if years.contains(date.year) { return date }
    if date.year > years.upperBound || frequency == .once { return nil }
    let first = CivilDate(year: years.lowerBound, month: 1, day: 1)
    if frequency == .weekly || frequency == .daily {
      let span = frequency == .weekly ? 7 * interval : interval
      let next = date + (first - date + span - 1) / span * span
      return years.contains(next.year) ? next : nil
    }
    let (year, month, day) = date.components
    let step = frequency == .yearly ? 12 * interval : interval
    var months = year * 12 + month - 1
    while months / 12 <= years.upperBound {
      if years.contains(months / 12),
        let next = CivilDate(validYear: months / 12, month: months % 12 + 1, day: day)
      {
        return next
      }
      months += step
    }
    return nil
  }

  private mutating func note(_ kind: MonicaFinding.Kind, _ place: () -> String) {
    if let index = noted.firstIndex(where: { $0.kind == kind }) {
      noted[index].count += 1
    } else {
      noted.append(MonicaFinding(kind: kind, count: 1, first: place()))
      noted.sort { $0.kind.rawValue < $1.kind.rawValue }
    }
  }

  /// The findings with at least one case, in the order of their kinds.
  package var findings: [MonicaFinding] {
    let missing = pages.missing
    if missing == 0 { return noted }
    return noted + [MonicaFinding(kind: .missingPages, count: missing, first: pages.place)]
  }

  /// The number of omitted entries.
  package var leftOut: Int { findings.reduce(0) { $0 + ($1.kind.isOmission ? $1.count : 0) } }

  /// The summary as sentences, one per line.
  package var lines: [String] {
    ["\(read) reminders read, \(reminders.count) taken"] + findings.map(\.words)
  }
}

/// A reminder about a contact in Monica.
package struct MonicaReminder: Hashable, Sendable {
  /// The words for frequencies that Monica uses.
  static let frequencies: [String: Recurrence.Frequency] = [
    "one_time": .once, "week": .weekly, "month": .monthly, "year": .yearly,
  ]

  package var id: Int64
  package var title: String
  package var text: String
  package var frequency: Recurrence.Frequency
  package var interval: Int
  /// The date of the first occurrence.
  package var date: CivilDate
  package var contactID: Int64?
  package var contactName: String
}

/// One kind of omission or change, with the number of cases and the position of the first one.
package struct MonicaFinding: Hashable, Sendable {
  package enum Kind: Int, Hashable, Sendable, CaseIterable {
    // Omissions.
    case otherObject, withoutID, withoutDate, otherFrequency, outsideCalendar, repeated
    // Accepted with changes.
    case intervalAssumed, titleAssumed, withoutContact, fixed
    // About the whole response.
    case missingPages

    package var isOmission: Bool { rawValue <= Kind.repeated.rawValue }

    var words: String {
      switch self {
      case .otherObject: "entries that are not reminders: omitted"
      case .withoutID: "without a number: omitted"
      case .withoutDate: "without a date that exists: omitted"
      case .otherFrequency: "that recur neither once nor in weeks, months or years: omitted"
      case .outsideCalendar: "that never occur between 1970 and 2099: omitted"
      case .repeated: "with the number of an earlier one: omitted"
      case .intervalAssumed: "without a number of weeks, months or years: taken as 1"
      case .titleAssumed: "without a title: given the contact's name"
      case .withoutContact: "without a contact: a tap has no destination"
      case .fixed: "that cannot be deleted in Monica: they can be deleted here"
      case .missingPages: "missing pages: request them from the server, and name all files together"
      }
    }
  }

  package var kind: Kind
  package var count: Int
  /// The position of the first case, as `file:line:column`.
  package var first: String

  package var words: String {
    if kind == .missingPages, count == 1 {
      return "1 missing page: name it together with the others (\(first))"
    }
    return "\(count) \(kind.words) (first at \(first))"
  }
}
