import ScenarioModel
import TextFormats
import TriggerModel

extension Format<[FactHabit]> {
  /// By fact: the share of people for whom it is true, the share of each name, or how a number is spread.
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
          habits.append((row.name, FactHabit(fact, value)))
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

/// What a fact is at the start, as it is written: its kind says what that means.
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
      reader.error("'\(fact.name)' is not given so", at: position, hint: "it is \(form)")
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
  /// What a value is, for the reference.
  fileprivate func commented(_ text: String) -> JSONValue {
    guard case .object(let members) = self else { return self }
    return .object([.init("$comment", .string(text))] + members)
  }
}
