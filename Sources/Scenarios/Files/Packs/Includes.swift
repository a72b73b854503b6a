import TextFormats
import TriggerModel

/// Merges a scenario with the packs that it includes. Values of the scenario override those of the packs.
struct Includes {
  let reader: Reader
  /// Returns the file of a pack, or `nil` if it does not exist. Names are relative to the scenario's folder.
  let packFile: (String) throws(Diagnostic) -> PackBytes?
  /// Values that override those of the scenario and its packs.
  var settings: [ScenarioSetting] = []

  /// The keys whose lists are concatenated across the packs and the scenario.
  private static let continuedKeys: Set<String> = ["gates"]

  /// The keys whose lists are merged across packs. A list in the scenario replaces the merged list.
  private static let sharedKeys: Set<String> = ["links"]

  /// The sections in which a short form sets a single key, so that the other keys of a pack are kept. For
  /// example, `training.plannedToday: true` sets only the initial value of a fact.
  private static let shortForms = [
    "facts": Overlay.ShortForm(key: "initial", otherWords: ["truth", "number", "instant", "date"])
  ]

  /// The maximum number of included packs.
  private static let limit = 20

  /// Returns the merged document. Later packs override earlier ones, the scenario overrides its packs, and
  /// settings override everything. Errors in a pack are reported. In that case, do not use the document.
  func resolve(_ root: Node) -> Node {
    guard case .mapping(let entries) = root.content else { return root }
    var overlay = Overlay(
      continuing: Self.continuedKeys, sharing: Self.sharedKeys, shortForms: Self.shortForms)
    let packs = withPacks(entries, &overlay)
    if packs == nil, settings.isEmpty { return root }
    var whole = packs ?? entries
    for loss in overlay.losses {
      reader.warning(
        "'\(loss.key.key)' replaces what the pack declares and drops its keys: \(loss.lost.joined(separator: ", "))",
        at: loss.key.value.position, hint: "give only the keys that differ, '\(loss.key.key): {…}'")
    }
    for setting in settings {
      do throws(Diagnostic) {
        let source = try SourceText(file: setting.name, bytes: setting.bytes, isOurs: true)
        let document = try YAMLDocument(source, file: reader.add(source)).root
        guard case .mapping(let upper) = document.content, changesWhatIsThere(upper, of: whole) else {
          continue
        }
        whole = lay(upper, over: whole, &overlay)
      } catch {
        reader.report(error)
      }
    }
    // A whole section can be withdrawn, like a single name.
    return Node(content: .mapping(whole.filter { !$0.isWithdrawal }), position: root.position)
  }

  /// Returns whether a setting changes only declared reminders. Reports a reminder that is not declared.
  private func changesWhatIsThere(_ setting: [Node.Entry], of whole: [Node.Entry]) -> Bool {
    let section = "reminders"
    guard let entry = setting.first, entry.key == section, case .mapping(let reminders) = entry.value.content,
      let reminder = reminders.first, case .mapping = reminder.value.content
    else { return true }
    var known: [String] = []
    if case .mapping(let declared)? = whole.first(where: { $0.key == section })?.value.content {
      known = declared.map(\.key)
    }
    if known.contains(reminder.key) { return true }
    reader.error(
      "unknown reminder '\(reminder.key)'", at: reminder.keyPosition,
      hint: NearestNames.hint(for: reminder.key, among: known)
        ?? "a setting can only change a declared reminder")
    return false
  }

  /// Returns the entries merged with the packs, or `nil` if the scenario includes no packs.
  private func withPacks(_ entries: [Node.Entry], _ overlay: inout Overlay) -> [Node.Entry]? {
    guard let include = entries.first(where: { $0.key == "include" }),
      let names = Format<[Located<String>]>.include.read(include.value, reader)
    else { return nil }
    var whole: [Node.Entry] = []
    for name in names {
      guard !reader.packs.contains(name.value) else {
        reader.warning(
          "'\(name.value)' is included already", at: name.position, hint: "remove one of them")
        continue
      }
      guard reader.packs.count < Self.limit else {
        reader.error(
          "more than \(Self.limit) packs", at: name.position, hint: "combine some of them in one file")
        break
      }
      reader.packs.append(name.value)
      if let pack = declarations(of: name) {
        whole = lay(pack, over: whole, &overlay, areEqual: true)
      }
    }
    return lay(entries, over: whole, &overlay)
  }

  /// Merges two documents. A reminder's sentence in the upper document replaces the whole declaration in the
  /// lower one. A mapping changes single keys, even of a sentence.
  private func lay(
    _ upper: [Node.Entry], over lower: [Node.Entry], _ overlay: inout Overlay, areEqual: Bool = false
  ) -> [Node.Entry] {
    let (upper, lower) = (ReminderSentences.named(upper, reader), ReminderSentences.unfolded(lower, reader))
    return areEqual ? overlay.lay(upper, nextTo: lower) : overlay.lay(upper, over: lower)
  }

  /// Returns the declarations of a pack, or `nil` after reporting why the pack is unusable.
  private func declarations(of name: Located<String>) -> [Node.Entry]? {
    do throws(Diagnostic) {
      guard let found = try bytes(of: name) else { return nil }
      if name.value.hasSuffix(ReminderLines.ending) { return try ReminderLines.read(found, reader) }
      let source = try SourceText(file: found.name, bytes: found.bytes)
      let file = reader.add(source)
      return PackHeader.read(try YAMLDocument(source, file: file).root, reader)
    } catch {
      reader.report(error, namedAt: name.position)
      return nil
    }
  }

  private func bytes(of name: Located<String>) throws(Diagnostic) -> PackBytes? {
    guard Self.isFile(name.value) else {
      if let bytes = BuiltInPacks.bytes(of: name.value) {
        return PackBytes(name: "<\(name.value)>", bytes: bytes)
      }
      let near = NearestNames.hint(for: name.value, among: BuiltInPacks.names)
      reader.error(
        "unknown pack '\(name.value)'", at: name.position,
        hint: (near.map { $0 + ($0.hasSuffix("?") ? " " : "; ") } ?? "")
          + "name a file with its extension, such as \(name.value).yaml")
      return nil
    }
    guard let found = try packFile(name.value) else {
      reader.error(
        "the pack '\(name.value)' does not exist", at: name.position,
        hint: "names are relative to the scenario's folder")
      return nil
    }
    return found
  }

  /// Returns whether a name refers to a file. A plain word refers to a built-in pack.
  private static func isFile(_ name: String) -> Bool {
    name.contains("/") || [".yaml", ".yml", ReminderLines.ending].contains(where: name.hasSuffix)
  }
}

/// The bytes of a pack file.
package struct PackBytes: Sendable {
  /// The file name for diagnostics.
  package var name: String
  package var bytes: [UInt8]

  package init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }
}

extension Format<[Located<String>]> {
  /// The name of one pack, or a list of names.
  static var include: Format {
    .oneOrMore(of: .located(.scalar(.text)))
  }
}
