import TextFormats

/// The keys at the head of a pack, and those that are none of its business.
enum PackHeader {
  /// The kind that a pack's file says it has.
  static let kindName = "pack"
  /// What belongs to one story: a pack declares an app, and cannot say what happens to it.
  static let storyKeys = [
    "include", "intendedWarnings", "start", "end", "for", "zone", "seed", "person", "stored", "timeline",
    "expect",
  ]
  /// What every file says about itself.
  static let headKeys = ["kind", "version", "title", "description"]

  /// Reads the head, and gives back the declarations below it; nil after an error.
  static func read(_ root: Node, _ reader: Reader) -> [Node.Entry]? {
    guard case .mapping(let entries) = root.content else {
      reader.error(
        "a pack is a mapping, and this is \(root.kindName)", at: root.position,
        hint: "begin with 'kind: pack'")
      return nil
    }
    let errors = reader.errorCount
    // Packs are read only: what is written of a scenario holds what its packs say.
    let fields = Fields<Void>(entries, at: root.position, reader)
    _ = fields.required("kind", kind, "what this file is: pack", from: { _ in true })
    _ = fields.required("version", .version, "the version of the format: 1", from: { _ in 1 })
    _ = fields.required("title", .scalar(.text), "whose app it is, in a line", from: { _ in nil })
    _ = fields.optional("description", .scalar(.text), "the app at length", from: { _ in nil })
    fields.reportMissingKeys()
    for entry in entries where storyKeys.contains(entry.key) {
      reader.error(
        "'\(entry.key)' does not belong into a pack", at: entry.keyPosition,
        hint: entry.key == "include"
          ? "packs do not include packs; list both under the scenario's 'include'"
          : "it is for the scenario to say, which includes the pack")
    }
    guard reader.errorCount == errors else { return nil }
    return entries.filter { !headKeys.contains($0.key) }
  }

  static var kind: Format<Bool> {
    .scalar(
      Atom(
        name: "KIND", meaning: "the word pack", pattern: kindName,
        write: { _, _ in .string(kindName) }
      ) { word, reader in
        if word.text == kindName { return true }
        reader.error(
          word.text == "scenario"
            ? "this is a scenario, and only packs can be included"
            : "this is not the kind of a pack",
          at: word.position, hint: "a pack begins with 'kind: pack'")
        return nil
      })
  }
}
