package import ReminderMatching
package import ScenarioModel
package import TextFormats

/// A template that declares a reminder for each item of a kind.
package struct ReminderTemplate: Sendable {
  package var name: String
  /// The kind of the items, in the singular, such as `plant`.
  package var kind: String
  /// The declaration, in which the kind takes the place of an item: `plant.watered` in conditions, `{plant}`
  /// in texts.
  package var declaration: ReminderDeclaration
  /// The facts of the kind to which the declaration can refer.
  package var facts: [FactDeclaration]
}

extension ScenarioFile {
  /// Returns the templates of a scenario or a pack in order, or an empty array if the file has errors.
  ///
  /// A `Scenario` contains only the reminders that templates create, so this function reads the file itself.
  package static func templates(_ path: String, in reach: ReachableFiles? = nil) -> [ReminderTemplate] {
    do throws(Diagnostic) {
      let found = FileFinder(path, reach ?? ReachableFiles(of: path))
      let source = try SourceText(file: path, bytes: try RegularFile.read(path, in: found.reach))
      var root = try YAMLDocument(source).root
      let isPack = root["kind"].map { if case .scalar(PackFile.kind) = $0.content { true } else { false } }
      let reader = Reader(source: source, isStandalonePack: isPack ?? false, fileExists: found.exists)
      reader.reach = found.reach
      root =
        isPack == true
        ? PackFile.story(of: root, reader) : Includes(reader: reader, packFile: found.pack).resolve(root)
      guard case .scenario = decode(root, reader), let reminders = root["reminders"],
        let named = ReminderSentences.named(reminders, reader),
        case .mapping(let entries) = ReminderSentences.unfolded(named, reader).content
      else { return [] }
      return entries.compactMap { template($0, reader) }
    } catch {
      return []
    }
  }

  private static func template(_ entry: Node.Entry, _ reader: Reader) -> ReminderTemplate? {
    guard let node = entry.value["for"], let name = Format<Word>.eachItem.read(node, reader),
      let kind = reader.names.itemKinds.first(where: { $0.name == name.text }),
      case .mapping(let keys) = entry.value.content
    else { return nil }
    let (names, mark) = (reader.names, reader.mark)
    defer {
      reader.names = names
      reader.takeBack(to: mark)
    }
    let facts = kind.attributes.compactMap { attribute -> FactDeclaration? in
      var fact = attribute.fact
      fact?.name = "\(kind.name).\(attribute.name)"
      return fact
    }
    reader.names.allowsPlaceholders = true
    for fact in facts where reader.names.facts.append(fact.name) {
      reader.names.factDeclarations.append(fact)
    }
    var body = entry.value
    body.content = .mapping(keys.filter { $0.key != "for" })
    return Format<ReminderDeclaration>.reminder.read(body, reader).map {
      ReminderTemplate(
        name: entry.key, kind: kind.name, declaration: $0.named(entry.key), facts: facts)
    }
  }
}
