import Foundation
import Scenarios
package import TextFormats

/// Reads files of the kind `experiment`.
package enum ExperimentFile {
  /// The value of the key `kind`.
  package static let kind = ExperimentWords.kind

  /// The result of reading a file.
  package enum Outcome: Sendable {
    /// A plan that can be run, with warnings.
    case plan(ExperimentPlan, warnings: [Diagnostic])
    /// The errors, in the order of their positions in the file.
    case unusable([Diagnostic])
  }

  /// Settings from the command line that extend or override a file.
  package struct Additions: Sendable {
    /// Additional variants, such as `policy.minimumInterval=3h`. A comma separates several settings of one
    /// variant.
    package var settings: [String] = []
    package var seed: UInt64?
    package var people: Int64?

    package init() {}
  }

  /// Reads an experiment file.
  ///
  /// - Parameter reach: The files that the experiment may read, or `nil` to derive them from its path.
  package static func load(
    _ path: String, _ additions: Additions = Additions(), in reach: ReachableFiles? = nil,
    from catalogue: PopulationCatalogue
  ) -> Outcome {
    do throws(Diagnostic) {
      return read(
        try RegularFile.read(path, in: reach ?? ReachableFiles(of: path)), file: path, additions,
        from: catalogue)
    } catch {
      return .unusable([error])
    }
  }

  package static func read(
    _ bytes: [UInt8], file: String, _ additions: Additions = Additions(),
    from catalogue: PopulationCatalogue = PopulationCatalogue()
  ) -> Outcome {
    do throws(Diagnostic) {
      let source = try SourceText(file: file, bytes: bytes)
      let root = try YAMLDocument(source).root
      let reader = Reader(source: source) { _ in false }
      checkKind(of: root, reader)
      let declaration =
        reader.hasErrors ? nil : Format<ExperimentDeclaration>.experiment.read(root, reader)
      let plan = declaration.flatMap { PlanResolver($0, reader, additions, catalogue)?.plan() }
      let diagnostics = reader.diagnostics.sortedByPosition()
      if let plan, !reader.hasErrors { return .plan(plan, warnings: diagnostics) }
      return .unusable(
        reader.hasErrors ? diagnostics : diagnostics + [Diagnostic("the file cannot be used", file: file)])
    } catch {
      return .unusable([error])
    }
  }

  /// Advice on how to use files of other kinds, keyed by kind.
  private static let uses = [
    "scenario": "run it with 'triggerbench run'", "pack": "validate it with 'triggerbench check'",
    "population":
      "name it under 'population' of an experiment, or play one of its people with 'triggerbench run --person 1'",
  ]

  /// Reports a file of another kind with a single error, instead of an error for each of its keys.
  private static func checkKind(of root: Node, _ reader: Reader) {
    guard case .mapping = root.content else {
      reader.error(
        "an experiment must be a mapping, not \(root.kindName)", at: root.position,
        hint: "begin with 'kind: experiment'")
      return
    }
    guard let kind = root["kind"] else {
      reader.error(
        "the key 'kind' is missing", at: root.position,
        hint: "begin with 'kind: experiment' and 'version: 1'")
      return
    }
    if case .scalar(let other) = kind.content, let hint = Self.uses[other] {
      reader.error("this is a \(other), not an experiment", at: kind.position, hint: hint)
    } else if !reader.files.own.isOurs {
      reader.error("this is not an experiment", at: kind.position, hint: "begin with 'kind: experiment'")
    }
  }

  /// The JSON Schema of experiment files (draft 2020-12).
  package static var schema: JSONValue {
    let book = SchemaBook()
    guard case .object(let members) = Format<ExperimentDeclaration>.experiment.schema(book) else {
      return [:]
    }
    return .object(
      [
        .init("$schema", "https://json-schema.org/draft/2020-12/schema"),
        .init("title", "TriggerBench experiment"),
      ] + members + [.init("$defs", book.all)])
  }
}
