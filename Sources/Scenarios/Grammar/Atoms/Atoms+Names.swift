import CivilTime
package import DeviceSimulation
import ReminderMatching
import ScenarioModel
package import TextFormats
package import TriggerModel

extension Atom<String> {
  /// A fact's: the words that join and compare facts would not be understood as one.
  package static var newFactName: Atom<String> {
    newName.reserving(["is", "in", "not", "else", "and", "or", "AND", "OR"], for: "conditions")
  }

  package static var app: Atom { declared("APP", "app", "apps") { $0.apps } }
  package static var place: Atom { declared("PLACE", "place", "places") { $0.places } }
  package static var fact: Atom { declared("FACT", "fact", "facts") { $0.facts } }
  static var factSource: Atom { declared("SOURCE", "source of facts", "facts") { $0.factSources } }
  package static var reminder: Atom<String> {
    declared("REMINDER", "reminder", "reminders", pattern: ReminderName.pattern) { $0.reminders }
  }
  package static var notificationType: Atom<String> {
    declared("TYPE", "notification type", "reminders") { $0.types }
  }
  package static var surface: Atom { declared("SURFACE", "surface", "surfaces") { $0.surfaces } }
  package static var milestone: Atom { declared("MILESTONE", "milestone", "milestones") { $0.milestones } }

  /// A file beside the scenario.
  package static var file: Atom {
    Atom(
      name: "FILE", meaning: "a file name relative to the scenario's folder", pattern: ".+",
      write: { name, _ in .string(name) }
    ) { word, reader in
      guard reader.fileExists(word.text) else {
        reader.error(
          "the file '\(word.text)' does not exist", at: word.position,
          hint: "names are relative to the scenario's folder")
        return nil
      }
      return word.text
    }
  }

  /// A name that must have been declared.
  fileprivate static func declared(
    _ slot: String, _ kind: String, _ section: String, pattern: String = namePattern,
    _ list: @escaping (Names) -> NameList
  ) -> Atom {
    Atom(
      name: slot, meaning: "the name of \("aeiou".contains(kind.prefix(1)) ? "an" : "a") \(kind)",
      pattern: pattern, write: { name, _ in .string(name) }
    ) { word, reader in
      let known = list(reader.names)
      guard known.position(of: word.text) != nil else {
        if section == "reminders", reader.isOfWithdrawn(word) { return nil }
        reader.error(
          "unknown \(kind) '\(word.text)'", at: word.position, declaredUnder: section,
          hint: NearestNames.hint(for: word.text, among: known.all) ?? "declare it under '\(section)'")
        return nil
      }
      return word.text
    }
  }
}

extension Atom<String> {
  /// The phone, or a device beside it.
  package static var deviceName: Atom<String> { .declared("DEVICE", "device", "devices") { $0.devices } }
}

extension Atom<UInt8> {
  /// The phone, or a device beside it, as its position among them.
  package static var device: Atom {
    Atom<String>.deviceName.map(
      { name, _, reader in reader.names.devices.position(of: name).map { UInt8($0) } },
      back: { device, writer in
        device == 0 ? DeviceDeclaration.phone : writer.known.scenario.devices[Int(device) - 1].name
      })
  }
}

extension Atom<AppID> {
  package static var appID: Atom {
    Atom<String>.app.map(
      { name, _, reader in reader.names.apps.position(of: name).map { AppID($0) } },
      back: { app, writer in writer.known.scenario.apps[app.index] })
  }
}

extension Atom<RegionID> {
  package static var region: Atom<RegionID> {
    Atom<String>.place.map(
      { name, _, reader in reader.names.places.position(of: name).map { RegionID($0) } },
      back: { place, writer in writer.known.scenario.places[place.index].name })
  }
}

extension Atom<FactID> {
  package static var factID: Atom<FactID> {
    Atom<String>.fact.map(
      { name, _, reader in reader.names.facts.position(of: name).map { FactID($0) } },
      back: { fact, writer in writer.known.scenario.facts[fact.index].name })
  }
}

extension Atom<FactSourceID> {
  package static var factSourceID: Atom<FactSourceID> {
    Atom<String>.factSource.map(
      { name, _, reader in reader.names.factSources.position(of: name).map { FactSourceID($0) } },
      back: { source, writer in writer.known.scenario.factSources[source.index] })
  }
}

extension Atom<ReminderID> {
  package static var reminderID: Atom<ReminderID> {
    Atom<String>.reminder.map(
      { name, _, reader in reader.names.reminders.position(of: name).map { ReminderID($0) } },
      back: { reminder, writer in writer.known.scenario.reminders[reminder.index].declaration.id })
  }
}

extension Atom<ZoneID> {
  package static var zone: Atom<ZoneID> {
    Atom(
      name: "ZONE", meaning: "a time zone such as Europe/Berlin", pattern: #"[A-Za-z0-9_+/-]+"#,
      write: { zone, writer in .string(writer.known.scenario.zones[zone].identifier) }
    ) { word, reader in
      do throws(UnknownZone) {
        return try reader.zones.intern(word.text)
      } catch {
        let near = error.nearest.prefix(3).map { "'\($0)'" }.joined(separator: ", ")
        reader.error(
          "unknown time zone '\(word.text)'", at: word.position,
          hint: near.isEmpty
            ? "zones are named by region and city, such as Europe/Berlin" : "did you mean \(near)?")
        return nil
      }
    }
  }
}

extension Atom<Reason> {
  /// One of the reasons that act at certain stages, or one of the others.
  package static func reason(
    _ meaning: String, at stages: Set<Reason.Stage>, and others: Reason...
  ) -> Atom<Reason> {
    let reasons = Reason.allCases.filter { stages.contains($0.stage) || others.contains($0) }
    return .choice("REASON", meaning, reasons.map { ($0.name, $0) })
  }
}

extension Atom<NotificationPermission> {
  package static var notificationPermission: Atom<NotificationPermission> {
    .choice(
      "PERMISSION", "a notification permission",
      NotificationPermission.allCases.map { (String(describing: $0), $0) })
  }
}
