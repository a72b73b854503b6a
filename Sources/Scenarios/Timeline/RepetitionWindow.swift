import TextFormats

/// The part of the day in which something repeats, in milliseconds after midnight.
struct RepetitionWindow {
  var from: Int32
  /// Nil: until midnight.
  var to: Int32?
}

extension Format<RepetitionWindow> {
  /// `08:00-20:00`, or a mapping with `from` and `to`.
  static var repetitionWindow: Format {
    .window(
      { RepetitionWindow(from: $0, to: $1) },
      orLong: .object("A part of every chosen day, half-open") { fields in
        let from = fields.required("from", .scalar(.timeOfDay), "the first time", from: \.from)
        let to = fields.optional(
          "to", .scalar(.timeOfDay), "the first time that no longer belongs to it; midnight if missing",
          from: \.to)
        return from.map { RepetitionWindow(from: $0, to: to) }
      })
  }
}
