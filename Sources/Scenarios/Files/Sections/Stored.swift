import NotificationGateway
import TextFormats

extension Format<GatewayState> {
  /// The counters that the app under test stored before the start. Their types must be declared.
  static var storedCounters: Format {
    Format<[TableRow<Int>]>.table(of: .scalar(.count(0...Int(UInt32.max))), names: .storedKey)
      .map(state, back: rows)
  }

  private static func state(of rows: [TableRow<Int>], _ node: Node, _ reader: Reader) -> GatewayState? {
    do throws(StoredCounterError) {
      let counters = try StoredCounters(types: reader.names.types.all.sorted())
      var entries: [StoredCounters.Entry] = []
      for row in rows {
        guard let value = row.value else { continue }
        let entry = StoredCounters.Entry(key: row.name, value: value)
        entries.append(entry)
        report(row, reader) { () throws(StoredCounterError) in _ = try counters.state(of: [entry]) }
      }
      return reader.hasErrors ? nil : try counters.state(of: entries)
    } catch {
      reader.error(error.description, at: node.position)
      return nil
    }
  }

  private static func rows(of state: GatewayState, _ writer: Writer) -> [TableRow<Int>] {
    do throws(StoredCounterError) {
      let counters = try StoredCounters(types: writer.known.types)
      let entries = counters.entries(of: state)
      if try counters.state(of: entries) != state {
        writer.problem("stored counters hold less than this state of the scheduler")
      }
      return entries.map { TableRow(name: $0.key, position: .start, value: $0.value) }
    } catch {
      writer.problem(error.description)
      return []
    }
  }

  /// Reports a row with an unknown key or an invalid value.
  private static func report(
    _ row: TableRow<Int>, _ reader: Reader, _ body: () throws(StoredCounterError) -> Void
  ) {
    do throws(StoredCounterError) {
      try body()
    } catch {
      reader.error(error.description, at: row.position)
    }
  }
}

extension Atom<String> {
  /// The key of a counter. The declared types determine which keys are valid.
  fileprivate static var storedKey: Atom {
    Atom(
      name: "KEY",
      meaning: "a key such as ft.reminder.dailyCount.2026-03-02 or ft.reminder.training_day.sentCount",
      pattern: #"ft\.reminder\.(?:dailyCount\.\d{4}-\d{2}-\d{2}|.+\.sentCount)"#,
      write: { key, _ in .string(key) }
    ) { word, reader in
      guard word.text.hasPrefix(StoredCounters.prefix) else {
        reader.error(
          "'\(word.text)' is not the key of a stored counter", at: word.position,
          hint: "such as ft.reminder.dailyCount.2026-03-02 or ft.reminder.training_day.sentCount")
        return nil
      }
      return word.text
    }
  }
}
