import TextFormats

/// The keys at the beginning of a pack, and the keys that packs must not contain.
enum PackHeader {
  /// The `kind` of pack files.
  static let kindName = "pack"
  /// The keys that describe a single run. A pack must not contain them, because it declares an app but no
  /// events.
  static let storyKeys = [
    "include", "intendedWarnings", "start", "end", "for", "zone", "seed", "person", "stored", "timeline",
    "expect",
  ]
  /// The keys at the beginning of every kind of file.
  static let headKeys = ["kind", "version", "title", "description"]

  /// Reads the keys at the beginning of a pack. Returns the other declarations, or `nil` after an error.
  static func read(_ root: Node, _ reader: Reader) -> [Node.Entry]? {
    guard case .mapping(let entries) = root.content else {
      reader.error(
        "a pack must be a mapping, not \(root.kindName)", at: root.position,
        hint: "begin with 'kind: pack'")
      return nil
    }
    let errors = reader.errorCount
    // The closures for writing are never called. Packs are not written, because a written scenario contains
    // the declarations of its packs.
    let fields = Fields<Void>(entries, at: root.position, reader)
    _ = fields.required("kind", kind, "what this file is: pack", from: { _ in true })
    _ = fields.required("version", .version, "the version of the format: 1", from: { _ in 1 })
    _ = fields.required("title", .scalar(.text), "the app in one line", from: { _ in nil })
    _ = fields.optional("description", .scalar(.text), "a description of the app", from: { _ in nil })
    fields.reportMissingKeys()
    for entry in entries where storyKeys.contains(entry.key) {
      reader.error(
        "'\(entry.key)' does not belong in a pack", at: entry.keyPosition,
        hint: entry.key == "include"
          ? "packs cannot include packs; list both under the scenario's 'include'"
          : "it belongs in the scenario that includes the pack")
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

/// The packs that are part of TriggerBench.
package enum BuiltInPacks {
  /// The names of the packs, in alphabetical order.
  package static let names = ["contacts", "context", "fitme", "plants"]

  /// Returns the bytes of a pack, or `nil` if no built-in pack has the name.
  package static func bytes(of name: String) -> [UInt8]? {
    switch name {
    case "contacts": PackageResources.contacts_yaml
    case "context": PackageResources.context_yaml
    case "fitme": PackageResources.fitme_yaml
    case "plants": PackageResources.plants_yaml
    default: nil
    }
  }
}
