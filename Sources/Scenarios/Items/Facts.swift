import DeviceSimulation
package import ScenarioModel
package import TextFormats
package import TriggerModel

/// The declaration of a fact without its name, which is the key of the table.
package struct FactBody {
  package var kind: FactKind
  package var names: [String] = []
  package var initial = FactValue.missing
  package var source: String?
  package var whenUnreadable = FactValue.missing
  package var dayEnd = FactValue.missing
}

extension FactBody {
  package init(_ fact: FactDeclaration, source: String?) {
    self.init(
      kind: fact.kind, names: fact.names, initial: fact.initial, source: source,
      whenUnreadable: fact.access.whenUnreadable, dayEnd: fact.dayEnd)
  }

  /// Returns the declaration of a fact with the given name.
  package func declaration(named name: String, at position: SourcePosition, _ reader: Reader?)
    -> FactDeclaration
  {
    let source = source.flatMap { reader?.names.factSources.position(of: $0) }
    return FactDeclaration(
      name: name, kind: kind, names: names, initial: initial,
      access: FactAccess(source: source.map { FactSourceID($0) }, whenUnreadable: whenUnreadable),
      dayEnd: dayEnd, position: position)
  }

  /// Returns a value of the fact in the notation of files, or `nil` if the value is missing.
  fileprivate func word(_ value: FactValue, _ writer: Writer?) -> Word? {
    guard !value.isMissing, let writer else { return nil }
    let fact = FactDeclaration(
      name: "", kind: kind, names: names, initial: initial, access: FactAccess(), position: .start)
    return Word(FactConstants.text(value, of: fact, writer), at: .start)
  }
}

extension Format<FactBody> {
  /// The declaration of a fact in one of these forms:
  ///
  /// - An initial value, which implies the kind: `false`, `12.5`, `2026-03-01T10:00` or `2026-03-01`.
  /// - A kind, without an initial value: `truth`, `number`, `instant` or `date`.
  /// - A list of names: `[free, paid]`.
  /// - A mapping.
  package static var fact: Format {
    let short = Format.readOnly(
      schema: { _ in
        ["not": ["type": "object"], "description": "A first value, a kind without one, or a list of names"]
      },
      read: { node, reader in
        switch node.content {
        case .sequence:
          return Format<[String]>.names.read(node, reader).map { FactBody(kind: .name, names: $0) }
        case .scalar(let text): return guess(Word(text, at: node.position(ofScalar: 0)), reader)
        case .mapping: return nil
        }
      })
    return Format.short(short, orLong: long).named("fact")
  }

  private static func guess(_ word: Word, _ reader: Reader) -> FactBody? {
    if let kind = kinds.first(where: { $0.0 == word.text })?.1 { return FactBody(kind: kind) }
    if word.text == "true" || word.text == "false" {
      return FactBody(kind: .truth, initial: .truth(word.text == "true"))
    }
    if let number = Decimal.thousandths(word.text) {
      return FactBody(kind: .number, initial: .number(thousandths: number))
    }
    if word.text.first?.isNumber == true, word.text.contains(":") {
      return value(word, of: .instant, [], reader).map { FactBody(kind: .instant, initial: $0) }
    }
    if Self.looksLikeDate(word.text) {
      return value(word, of: .date, [], reader).map { FactBody(kind: .date, initial: $0) }
    }
    let truth = ["yes": "true", "on": "true", "no": "false", "off": "false"][word.text.lowercased()]
    reader.error(
      "'\(word.text)' does not show the kind of the fact", at: word.position,
      hint: truth.map { "did you mean '\($0)'?" }
        ?? "write a first value (true, 12.5, 2026-03-01T10:00, 2026-03-01), a kind (truth, number, instant, date), "
        + "or a list of names")
    return nil
  }

  /// Returns whether a text resembles `2026-03-01` or `day 3`.
  private static func looksLikeDate(_ text: String) -> Bool {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    return parts.map(\.count) == [4, 2, 2] && parts.allSatisfy { $0.allSatisfy(\.isNumber) }
      || text.hasPrefix("day ")
  }

  private static var long: Format {
    .object("A typed value that the app knows") { fields in
      let kind = fields.optional(
        "kind", .scalar(.choice("KIND", "truth, number, instant or date", kinds)), "what it holds",
        from: { $0.kind == .name ? nil : $0.kind })
      let names = fields.optional(
        "names", .names, "the names that it can take", from: { $0.kind == .name ? $0.names : nil })
      let initial = fields.optional(
        "initial", .word, "its value at the start, which also shows its kind; unknown if missing",
        from: { $0.word($0.initial, fields.writer) })
      let source = fields.optional(
        "source", .scalar(.newName),
        "the source that the app reads it from, such as health, which the user can deny; the app itself if missing",
        from: \.source)
      let unreadable = fields.optional(
        "whenUnreadable", .word,
        "its value while the app may not read it; no value if missing",
        from: { $0.word($0.whenUnreadable, fields.writer) })
      let dayEnd = fields.optional(
        "endOfDay", .word,
        "for a fact of a day, such as today's workouts: its value from local midnight until it is set again",
        from: { $0.word($0.dayEnd, fields.writer) })
      fields.exactlyOne(of: ["kind", "names"], orNone: true)
      guard let reader = fields.reader else { return nil }
      if fields.isPresent("whenUnreadable"), !fields.isPresent("source") {
        fields.error("'whenUnreadable' needs 'source'", at: "whenUnreadable")
      }
      guard var body = self.body(kind, names, initial, fields, reader) else { return nil }
      body.source = source
      if let unreadable {
        guard let value = value(unreadable, of: body.kind, body.names, reader) else { return nil }
        body.whenUnreadable = value
      }
      if let dayEnd {
        guard let value = value(dayEnd, of: body.kind, body.names, reader) else { return nil }
        body.dayEnd = value
      }
      return body
    }
  }

  /// Returns a fact of the given kind. If no kind is given, the initial value implies it.
  private static func body(
    _ kind: FactKind?, _ names: [String]?, _ initial: Word?, _ fields: Fields<FactBody>, _ reader: Reader
  ) -> FactBody? {
    guard let kind = kind ?? names.map({ _ in .name }) else {
      if let initial { return guess(initial, reader) }
      if !["kind", "names", "initial"].contains(where: fields.isPresent) {
        fields.error("one of the keys kind, names, initial is missing")
      }
      return nil
    }
    var body = FactBody(kind: kind, names: names ?? [])
    if let initial {
      guard let value = value(initial, of: kind, body.names, reader) else { return nil }
      body.initial = value
    }
    return body
  }

  private static var kinds: [(String, FactKind)] {
    [("truth", .truth), ("number", .number), ("instant", .instant), ("date", .date)]
  }

  private static func value(_ word: Word, of kind: FactKind, _ names: [String], _ reader: Reader)
    -> FactValue?
  {
    let fact = FactDeclaration(
      name: "it", kind: kind, names: names, initial: .missing, access: FactAccess(), position: word.position)
    return FactConstants.value(word, of: fact, reader)
  }
}
