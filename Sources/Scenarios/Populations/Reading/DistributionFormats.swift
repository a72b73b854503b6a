import ScenarioModel
import TextFormats
import TriggerModel

extension Format<TimeHabit> {
  /// A time such as `07:00`, or a mapping that also states its variation.
  static var timeHabit: Format {
    .short(
      Format<Int32>.scalar(.timeOfDay).map(
        { time, _, _ in TimeHabit(median: time) }, back: { time, _ in time.median }),
      orLong: .object(
        "A time of the local day: normal over people and days, cut at three standard deviations"
      ) {
        fields in
        let median = fields.required(
          "median", .scalar(.timeOfDay), "that of the median person", from: \.median)
        let spread = fields.optional(
          "spread", .scalar(.duration), "the standard deviation between people; 0 if missing",
          from: { $0.spread == .zero ? nil : $0.spread })
        let daily = fields.optional(
          "daily", .scalar(.duration),
          "the standard deviation between the days of a person; 0 if missing",
          from: { $0.daily == .zero ? nil : $0.daily })
        for (key, span) in [("spread", spread), ("daily", daily)] where span ?? .zero > .hours(6) {
          fields.error("a deviation of more than 6 h is too much", at: key)
        }
        return median.map { TimeHabit(median: $0, spread: spread ?? .zero, daily: daily ?? .zero) }
      })
  }
}

extension Format<RateHabit> {
  /// A rate such as `4`, or a mapping that also states its variation.
  static var rateHabit: Format {
    let rate = Atom<Double>.figure(0...60)
    return .short(
      Format<Double>.scalar(rate).map(
        { rate, _, _ in RateHabit(median: rate) }, back: { rate, _ in rate.median }),
      orLong: .object(
        "How often in an hour: log-normal over people, cut at \(DayConstant.mostUnlocks.value.amount)"
      ) { fields in
        let median = fields.required("median", .scalar(rate), "that of the median person", from: \.median)
        let sigma = fields.optional(
          "sigma", .scalar(.figure(0...2)),
          "the standard deviation of the logarithm between people; 0 if missing",
          from: { $0.sigma == 0 ? nil : $0.sigma })
        return median.map { RateHabit(median: $0, sigma: sigma ?? 0) }
      })
  }
}

extension Format<AmountHabit> {
  static var amountHabit: Format {
    .object("A whole number: normal over people and days, within its limits") { fields in
      let number = Atom<Double>.figure(-1_000_000...1_000_000)
      let mean = fields.required("mean", .scalar(number), "that of all people", from: \.mean)
      let spread = fields.optional(
        "spread", .scalar(.figure(0...1_000_000)),
        "the standard deviation between people; 0 if missing",
        from: { $0.spread == 0 ? nil : $0.spread })
      let daily = fields.optional(
        "daily", .scalar(.figure(0...1_000_000)),
        "the standard deviation between the days of a person; 0 if missing",
        from: { $0.daily == 0 ? nil : $0.daily })
      let least = fields.optional("least", .scalar(number), "nobody has less; 0 if missing", from: \.least)
      let most = fields.required("most", .scalar(number), "nobody has more", from: \.most)
      guard let mean, let most else { return nil }
      let amount = AmountHabit(
        mean: mean, spread: spread ?? 0, daily: daily ?? 0, least: least ?? 0, most: most)
      guard amount.least <= most else {
        fields.error("'least' is more than 'most'", at: least == nil ? "most" : "least")
        return nil
      }
      return amount
    }
  }
}

extension Format {
  /// A table whose values contain their names. It is sorted by name, so that the order of lines does not
  /// affect draws.
  static func sortedTable<Item>(
    of item: Format<Item>, minimum: Int = 0, name: WritableKeyPath<Item, String>
  ) -> Format where Value == [Item] {
    Format<[TableRow<Item>]>.table(of: item, minimum: minimum).map(
      { rows, _, _ in
        let items = rows.compactMap { row -> Item? in
          var item = row.value
          item?[keyPath: name] = row.name
          return item
        }
        return items.count == rows.count ? items.sorted { $0[keyPath: name] < $1[keyPath: name] } : nil
      },
      back: { items, _ in items.map { TableRow(name: $0[keyPath: name], position: .start, value: $0) } })
  }

  /// Shares that add up to 100 %, such as `{free: 70 %, trial: 10 %, paid: 20 %}`.
  ///
  /// - Parameters:
  ///   - names: Parses the words that represent values.
  ///   - value: Returns the value of a word, or `nil` after reporting that the word is invalid.
  ///   - word: Returns the word for a value.
  static func shares<Option>(
    _ names: Atom<String>, value: @escaping (Word, Reader) -> Option?,
    word: @escaping (Option, Writer) -> String
  ) -> Format where Value == Shares<Option> {
    Format<[TableRow<Int64>]>.table(of: .scalar(.share), names: names, minimum: 1).map(
      { rows, node, reader in
        // Rows with errors are missing. The errors have already been reported.
        if case .mapping(let entries) = node.content, entries.count != rows.count { return nil }
        var options: [(name: String, option: Shares<Option>.Option)] = []
        for row in rows {
          guard let share = row.value, let value = value(Word(row.name, at: row.position), reader) else {
            return nil
          }
          options.append((row.name, .init(value, millionths: share)))
        }
        let sum = options.reduce(0) { $0 + $1.option.millionths }
        guard sum == 1_000_000 else {
          let percent = Decimal.text(sum, decimals: 4)
          let rest = Decimal.text(abs(1_000_000 - sum), decimals: 4)
          let last = options.last?.name ?? ""
          reader.error(
            "the shares add up to \(percent) % and not to 100 %", at: node.position,
            hint:
              "\(rest) % \(sum < 1_000_000 ? "are missing" : "are too much"); for example, '\(last)' could be "
              + (sum < 1_000_000 ? "more" : "less"))
          return nil
        }
        // Sort by name, so that the order of lines does not affect draws.
        return Shares(options.sorted { $0.name < $1.name }.map(\.option))
      },
      back: { shares, writer in
        shares.options.map {
          TableRow(name: word($0.value, writer), position: .start, value: $0.millionths)
        }
      })
  }
}

extension Format<[FactHabit]> {
  /// The distributions of facts' initial values: the share of people for whom a fact is true, the share of
  /// each name, or a distribution of numbers.
  static var factHabits: Format {
    Format<[TableRow<WrittenFactHabit>]>.table(of: .factHabit, names: .newFactName).map(
      { rows, _, reader in
        var habits: [(name: String, habit: FactHabit)] = []
        for row in rows {
          guard let written = row.value,
            let fact = Atom<FactID>.factID.parse(Word(row.name, at: row.position), reader),
            let declaration = reader.names.factDeclarations[fact.index],
            let value = written.value(of: declaration, reader)
          else { return nil }
          habits.append((row.name, FactHabit(fact: fact, value: value)))
        }
        return habits.sorted { $0.name < $1.name }.map(\.habit)
      },
      back: { habits, writer in
        habits.map { habit in
          let declaration = writer.known.scenario.facts[habit.fact.index]
          return TableRow(
            name: declaration.name, position: .start, value: WrittenFactHabit(habit.value, of: declaration))
        }
      })
  }
}

/// The distribution of a fact's initial value, as declared in the file. The fact's kind
/// determines its meaning.
private struct WrittenFactHabit {
  enum Content {
    case share(Int64)
    case shares(Shares<String>)
    case amount(AmountHabit)
  }

  var content: Content
  var position: SourcePosition

  init(_ content: Content, at position: SourcePosition) {
    self.content = content
    self.position = position
  }

  init(_ value: FactHabit.Value, of fact: FactDeclaration) {
    position = .start
    switch value {
    case .amount(let amount): content = .amount(amount)
    case .shares(let shares) where fact.kind == .truth:
      content = .share(shares.options.first { $0.value == .truth(true) }?.millionths ?? 0)
    case .shares(let shares):
      content = .shares(
        Shares(
          shares.options.map { option in
            let name = fact.names.indices.first { .name($0) == option.value } ?? 0
            return .init(fact.names[name], millionths: option.millionths)
          }))
    }
  }

  func value(of fact: FactDeclaration, _ reader: Reader) -> FactHabit.Value? {
    switch (content, fact.kind) {
    case (.share(let share), .truth):
      return .shares(
        Shares([
          .init(.truth(false), millionths: 1_000_000 - share), .init(.truth(true), millionths: share),
        ]))
    case (.amount(let amount), .number): return .amount(amount)
    case (.shares(let shares), .name):
      var options: [Shares<FactValue>.Option] = []
      for option in shares.options {
        guard let name = fact.names.firstIndex(of: option.value) else {
          reader.error(
            "'\(fact.name)' is never '\(option.value)'", at: position,
            hint: NearestNames.hint(for: option.value, among: fact.names))
          return nil
        }
        options.append(.init(.name(name), millionths: option.millionths))
      }
      return .shares(Shares(options))
    default:
      let form =
        switch fact.kind {
        case .truth: "a truth value: give the share of people for whom it is true, such as 40 %"
        case .name: "one of names: give the share of each, such as {\(fact.names.first ?? "a"): 100 %}"
        case .number: "a number: give {mean: …, spread: …, least: …, most: …}"
        case .date: "a date, which cannot be drawn: give it under the 'facts' of the file"
        case .instant: "an instant, which cannot be drawn: give it under the 'facts' of the file"
        }
      reader.error("'\(fact.name)' needs another form", at: position, hint: "it is \(form)")
      return nil
    }
  }
}

extension Format<WrittenFactHabit> {
  fileprivate static var factHabit: Format {
    let share = Format<Int64>.scalar(.share)
    let amount = Format<AmountHabit>.amountHabit
    let shares = Format<Shares<String>>.shares(
      .newName, value: { word, _ in word.text }, word: { name, _ in name })
    return Format(
      schema: { book in
        [
          "anyOf": [
            share.schema(book).commented(
              "of a fact that is true or false, the share of people for whom it is true, such as 40 %"),
            amount.schema(book).commented(
              "of a fact that is a number, how it is spread over people, such as {mean: 5, spread: 3, most: 20}"
            ),
            shares.schema(book).commented(
              "of a fact that is one of several names, the share of people with each, together 100 %, such as "
                + "{free: 70 %, paid: 30 %}"),
          ]
        ]
      },
      read: { node, reader in
        let content: WrittenFactHabit.Content?
        switch node.content {
        case .mapping(let entries) where entries.contains { ["mean", "most"].contains($0.key) }:
          content = amount.read(node, reader).map { .amount($0) }
        case .mapping: content = shares.read(node, reader).map { .shares($0) }
        default: content = share.read(node, reader).map { .share($0) }
        }
        return content.map { WrittenFactHabit($0, at: node.position) }
      },
      write: { habit, writer in
        switch habit.content {
        case .share(let millionths): share.write(millionths, writer)
        case .shares(let value): shares.write(value, writer)
        case .amount(let value): amount.write(value, writer)
        }
      })
  }
}

extension JSONValue {
  /// Returns the schema with a comment for the reference.
  fileprivate func commented(_ text: String) -> JSONValue {
    guard case .object(let members) = self else { return self }
    return .object([.init("$comment", .string(text))] + members)
  }
}
