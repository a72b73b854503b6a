package import ScenarioModel
package import TextFormats

/// Scenarios as one document in their long forms. Declarations of packs are included, every default is
/// written out, and no entry depends on the one above it.
///
/// A document is a scenario file whose text is JSON. Reading a written document gives the same scenario,
/// except for file names and positions; see ``ScenarioModel/Scenario/withoutSources``.
package enum ScenarioDocument {
  /// Writes a scenario.
  ///
  /// - Parameter parts: The parts to write in addition to declarations. A document without a time line
  ///   contains the scenario's end.
  package static func write(
    _ scenario: Scenario, _ parts: ScenarioParts = .all
  ) throws(UnwritableScenario) -> JSONValue {
    let writer = Writer(context: ScenarioWritingContext(scenario, parts: parts))
    let document = Format<Scenario>.scenario.write(scenario, writer)
    if !writer.problems.isEmpty { throw UnwritableScenario(problems: writer.problems) }
    return document
  }

  /// Reads a document.
  ///
  /// - Parameters:
  ///   - parts: The parts that the document must contain in addition to declarations. Other parts are read if
  /// they are present.
  ///   - formats: The formats that reading earlier documents has made.
  package static func read(
    _ document: JSONValue, file: String, _ parts: ScenarioParts = .all,
    using formats: FormatCache = FormatCache(), fileExists: @escaping (String) -> Bool
  ) -> ScenarioFile.Outcome {
    let reader = Reader(
      source: SourceText(file: file, text: ""), parts: parts, formats: formats, fileExists: fileExists)
    return ScenarioFile.decode(Node(document), reader)
  }

  /// Reads a document from a text, or from the value of a key in the mapping that the text contains.
  package static func read(
    _ bytes: [UInt8], under key: String? = nil, file: String, _ parts: ScenarioParts = .all,
    fileExists: @escaping (String) -> Bool
  ) -> ScenarioFile.Outcome {
    do throws(Diagnostic) {
      let source = try SourceText(file: file, bytes: bytes)
      let root = try YAMLDocument(source).root
      guard let key else {
        return ScenarioFile.decode(root, Reader(source: source, parts: parts, fileExists: fileExists))
      }
      guard let document = root[key] else {
        throw Diagnostic(
          "the key '\(key)' is missing", file: file, at: root.position, excerpt: source.excerpt(1))
      }
      return ScenarioFile.decode(document, Reader(source: source, parts: parts, fileExists: fileExists))
    } catch {
      return .unusable([error])
    }
  }
}

/// An error for a scenario with content that no file can express. Scenarios that were read from a file never
/// cause it.
package struct UnwritableScenario: Error, Hashable, Sendable, CustomStringConvertible {
  /// What cannot be written, each with the keys that lead to it.
  package var problems: [String]

  package var description: String { problems.joined(separator: "\n") }
}
