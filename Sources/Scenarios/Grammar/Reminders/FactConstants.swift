import CivilTime
package import ReminderMatching
package import ScenarioModel
package import TextFormats
package import TriggerModel

/// The constants of a comparison, read as the compared quantity asks for.
package enum FactConstants {
  static func read(_ words: [Word], of quantity: FactCondition.Quantity, _ reader: Reader) -> [FactValue]? {
    let values = words.map { word -> FactValue? in
      switch quantity {
      case .value(let name):
        guard let fact = declaration(name, reader) else { return nil }
        return value(word, of: fact, reader)
      case .ratio: return Atom<Int64>.number.parse(word, reader).map { .number(thousandths: $0) }
      case .age, .time:
        return Atom<TimeSpan>.duration.parse(word, reader).map { .number(thousandths: $0.milliseconds) }
      case .days:
        let unit = [" days", " day"].first { word.text.hasSuffix($0) } ?? ""
        let number = String(word.text.dropLast(unit.count))
        let plain = Word(number, at: word.position)
        return Atom<Int>.count(0...40_000).parse(plain, reader).map {
          .number(thousandths: Int64($0) * 1_000)
        }
      }
    }
    let good = values.compactMap { $0 }
    return good.count == values.count ? good : nil
  }

  /// One value of a fact, as its declaration says.
  package static func value(_ word: Word, of fact: FactDeclaration, _ reader: Reader) -> FactValue? {
    let value = read(word, of: fact, reader)
    if value == nil { pointToChange(of: fact, from: word.position, reader) }
    return value
  }

  /// What a pack says of a fact can be wrong because somebody else declares the fact in another way; the
  /// mistake is there, then.
  package static func pointToChange(of fact: FactDeclaration, from position: SourcePosition, _ reader: Reader)
  {
    guard position.file != 0, position.file != fact.position.file else { return }
    reader.error(
      "this makes '\(fact.name)' a fact of the kind \(fact.kind), and \(reader.files.name(of: position))"
        + " takes it for something else",
      at: fact.position, hint: "keep its kind, or change what the pack says of it as well")
  }

  private static func read(_ word: Word, of fact: FactDeclaration, _ reader: Reader) -> FactValue? {
    switch fact.kind {
    case .truth: return Atom<Bool>.truth.parse(word, reader).map { .truth($0) }
    case .number: return Atom<Int64>.number.parse(word, reader).map { .number(thousandths: $0) }
    case .instant:
      return Atom<LocalDateTime>.dateTime.parse(word, reader).flatMap { local in
        reader.startZone.map { .instant($0.instant(of: local.localTime)) }
      }
    case .date: return Atom<CivilDate>.knownDate.parse(word, reader).map { .date($0) }
    case .name:
      guard let position = fact.names.firstIndex(of: word.text) else {
        reader.error(
          "'\(word.text)' is not a value of '\(fact.name)'", at: word.position,
          hint: NearestNames.hint(for: word.text, among: fact.names))
        return nil
      }
      return .name(position)
    }
  }

  /// Checks that the quantity can be compared in this way.
  static func condition(
    _ quantity: FactCondition.Quantity, _ comparison: FactCondition.Comparison, _ constants: [FactValue],
    reason: Reason?, at position: SourcePosition, _ reader: Reader
  ) -> FactCondition? {
    let isEquality = comparison == .equal || comparison == .notEqual
    if constants.count > 1, !isEquality {
      reader.error(
        "this comparison takes one constant", at: position, hint: "lists go with 'in' and 'not in'")
      return nil
    }
    let needs: [(String, [FactKind])] =
      switch quantity {
      case .value, .age: []
      case .ratio(let a, let b): [(a, [.number]), (b, [.number])]
      case .days(let name): [(name, [.instant, .date])]
      case .time(let name): [(name, [.instant])]
      }
    for (name, kinds) in needs {
      guard let fact = declaration(name, reader) else { return nil }
      guard kinds.contains(fact.kind) else {
        reader.error("the fact '\(name)' is of the kind \(fact.kind), not \(kinds[0])", at: position)
        pointToChange(of: fact, from: position, reader)
        return nil
      }
    }
    if case .value(let name) = quantity, !isEquality, let fact = declaration(name, reader),
      fact.kind == .truth || fact.kind == .name
    {
      reader.error(
        "the fact '\(name)' has no order", at: position,
        hint: "compare it with 'is', 'is not', 'in' or 'not in'")
      pointToChange(of: fact, from: position, reader)
      return nil
    }
    return FactCondition(quantity, comparison, constants, reason: reason ?? .conditionFailed)
  }

  package static func declaration(_ name: String, _ reader: Reader) -> FactDeclaration? {
    reader.names.facts.position(of: name).flatMap { reader.names.factDeclarations[$0] }
  }
}

// MARK: - Writing

extension FactConstants {
  /// A constant of a comparison, as it is read.
  package static func word(
    _ constant: FactValue, of quantity: FactCondition.Quantity, _ writer: Writer
  ) -> Word {
    let text =
      switch quantity {
      case .value(let name): writer.known.fact(named: name).map { self.text(constant, of: $0, writer) }
      case .ratio: Decimal.text(constant.bits, decimals: 3)
      case .age, .time: Atom<TimeSpan>.text(TimeSpan(milliseconds: constant.bits))
      case .days: Decimal.text(constant.bits, decimals: 3)
      }
    return Word(text ?? "", at: .start)
  }

  /// A value of a fact, as it is read; a problem for a value that is missing.
  package static func text(_ value: FactValue, of fact: FactDeclaration, _ writer: Writer) -> String {
    guard !value.isMissing else { return "" }
    switch fact.kind {
    case .truth: return value == .truth(true) ? "true" : "false"
    case .number: return Decimal.text(value.bits, decimals: 3)
    case .instant: return writer.local(Instant(millisecondsSince1970: value.bits)).text
    case .date: return value.date.text
    case .name: return fact.names.indices.contains(Int(value.bits)) ? fact.names[Int(value.bits)] : ""
    }
  }
}

extension Format<FactCondition> {
  /// The long form of a comparison.
  static var factCondition: Format {
    .object("A comparison of a quantity with constants") { fields in
      let value = fields.optional(
        "value", .scalar(.fact), "a fact whose value is compared",
        from: {
          switch $0.quantity {
          case .value(let fact), .ratio(let fact, _): fact
          case .age, .days, .time: nil
          }
        })
      let divisor = fields.optional(
        "dividedBy", .scalar(.fact), "a fact that the value is divided by",
        from: { if case .ratio(_, let divisor) = $0.quantity { divisor } else { nil } })
      let age = fields.optional(
        "age", .scalar(.fact), "a fact whose time since it was last set is compared",
        from: { if case .age(let fact) = $0.quantity { fact } else { nil } })
      let since = fields.optional(
        "daysSince", .scalar(.fact), "an instant fact: local dates crossed since it",
        from: { if case .days(let fact) = $0.quantity { fact } else { nil } })
      let time = fields.optional(
        "timeSince", .scalar(.fact), "an instant fact: the time that has passed since it",
        from: { if case .time(let fact) = $0.quantity { fact } else { nil } })
      let comparison = fields.required(
        "comparison", .scalar(.comparison), "how the quantity is compared", from: \.comparison)
      let constants = fields.required(
        "constants", .oneOrMore(of: .word), "a constant, or several with 'equal' and 'notEqual'",
        from: { condition in
          fields.writer.map { writer in
            condition.constants.map { FactConstants.word($0, of: condition.quantity, writer) }
          }
        })
      let reason = fields.optional(
        "reason", .scalar(.matchReason), "what is reported when it does not hold; conditionFailed if missing",
        from: \.reason)
      fields.exactlyOne(of: ["value", "age", "daysSince", "timeSince"])
      if divisor != nil, value == nil { fields.error("'dividedBy' needs 'value'", at: "dividedBy") }
      let quantity =
        value.map { value in divisor.map { .ratio(value, $0) } ?? .value(value) } ?? age.map { .age($0) }
        ?? since.map { FactCondition.Quantity.days(since: $0) } ?? time.map { .time(since: $0) }
      guard let quantity, let comparison, let constants, let reader = fields.reader,
        let values = FactConstants.read(constants, of: quantity, reader)
      else { return nil }
      return FactConstants.condition(
        quantity, comparison, values, reason: reason, at: fields.position(of: "constants"), reader)
    }
  }
}

extension Format<Word> {
  /// A scalar whose meaning depends on something else, read later.
  package static var word: Format<Word> {
    Format(
      schema: { _ in ["type": ["string", "number", "boolean"]] },
      read: { node, reader in
        guard case .scalar(let text) = node.content, !text.isEmpty else {
          reader.error("expected a value, not \(node.kindName)", at: node.position)
          return nil
        }
        return Word(text, at: node.position(ofScalar: 0))
      },
      write: { word, writer in
        switch word.text {
        case "": return writer.problem("the text is empty")
        case "true": return true
        case "false": return false
        default:
          guard let number = Decimal.thousandths(word.text) else { return .string(word.text) }
          return .decimal(thousandths: number)
        }
      })
  }
}

extension Atom<FactCondition.Comparison> {
  package static var comparison: Atom<FactCondition.Comparison> {
    .choice(
      "COMPARISON", "a comparison",
      FactCondition.Comparison.allCases.map { (String(describing: $0), $0) })
  }
}
