import CivilTime
import TextFormats

/// A pack with the reminders of a response, which scenarios can include.
package struct MonicaPack {
  /// The number of occurrences to request in advance: four weekly ones, or two monthly ones.
  private static let ahead: [Recurrence.Frequency: Int] = [.weekly: 4, .monthly: 2]

  private let reminders: [MonicaReminder]
  private let minute: Int

  /// - Parameter minute: The minute of the local day, 0…1,439, at which reminders are due. A reminder in
  ///   Monica has a date but no time of day.
  package init(_ answer: MonicaAnswer, minute: Int) {
    reminders = answer.reminders
    self.minute = minute
  }

  /// The text of the pack.
  package var text: String {
    var lines = [
      "kind: pack", "version: 1", "title: Reminders of contacts, as a Monica server had them",
      "description: >-",
      "  Made by 'triggerbench import'. Monica has days and no times: the time of day is the app's.", "",
      "links: {schemes: [app], hosts: [contacts]}", "", "consumers:", "  contacts: \"contacts/{rest...}\"",
      "",
    ]
    lines += reminders.isEmpty ? [] : ["reminders:"] + reminders.map(line)
    return lines.joined(separator: "\n") + "\n"
  }

  private func line(_ reminder: MonicaReminder) -> String {
    let time = "\"" + Self.twoDigits(minute / 60) + ":" + Self.twoDigits(minute % 60) + "\""
    var schedule = "frequency: \(reminder.frequency.name), start: \(reminder.date.iso8601), at: \(time)"
    if reminder.interval > 1 { schedule += ", interval: \(reminder.interval)" }
    schedule += ", ahead: \(Self.ahead[reminder.frequency] ?? 1)"
    var notify = "title: \(quoted(reminder.title))"
    if !reminder.text.isEmpty { notify += ", body: \(quoted(reminder.text))" }
    if let contact = reminder.contactID { notify += ", link: \"app://contacts/\(contact)\"" }
    notify += ", type: reminder, bucket: user"
    return "  \(Self.name(of: reminder)): {when: {scheduled: {\(schedule)}}, notify: {\(notify)}}"
  }

  private func quoted(_ text: String) -> String { JSONValue.string(text).line }

  private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  /// Returns a unique name such as `anna-lee-12`: the contact's name, reduced to ASCII letters and digits,
  /// and the reminder's number in Monica.
  package static func name(of reminder: MonicaReminder) -> String {
    var words = ""
    for scalar in reminder.contactName.unicodeScalars.prefix(40) {
      let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
      if isPlain {
        words.unicodeScalars.append(scalar)
      } else if !words.isEmpty, !words.hasSuffix("-") {
        words += "-"
      }
    }
    let name = words.lowercased().drop { !$0.isLetter }
    let head = name.isEmpty ? "reminder" : name.hasSuffix("-") ? String(name.dropLast()) : String(name)
    return reminder.id < 0 ? "\(head)-n\(reminder.id.magnitude)" : "\(head)-\(reminder.id)"
  }
}
