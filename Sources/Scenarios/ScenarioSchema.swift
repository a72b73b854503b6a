/// The JSON Schema of scenario files, for editors and other tools.
///
/// It is made by the formats that read the files, so it knows the same keys and words.
package enum ScenarioSchema {
  /// Draft 2020-12. What a schema cannot know (that a name is declared, that a date exists) only
  /// `triggerbench check` sees.
  package static var json: JSONValue {
    let book = SchemaBook()
    guard case .object(let members) = Format<Scenario>.scenario.schema(book) else { return true }
    return .object(
      [
        .init("$schema", "https://json-schema.org/draft/2020-12/schema"),
        .init("title", "TriggerBench scenario"),
      ] + members + [.init("$defs", book.all)])
  }
}
