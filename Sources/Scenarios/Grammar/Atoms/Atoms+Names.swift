import CivilTime
package import DeviceSimulation
import ReminderMatching
import ScenarioModel
package import TextFormats
package import TriggerModel

extension Atom<String> {
  /// The name of a new fact. Operators and other keywords of conditions are reserved.
  package static var newFactName: Atom<String> {
    newName.reserving(["is", "in", "not", "else", "and", "or", "AND", "OR"], for: "conditions")
  }

  package static var app: Atom { declared("APP", "app", "apps") { $0.apps } }
  package static var place: Atom { declared("PLACE", "place", "places") { $0.places } }
  package static var fact: Atom {
    let declared = declared("FACT", "fact", "facts") { $0.facts }
    return Atom(
      name: declared.name, meaning: declared.meaning, pattern: declared.pattern, write: declared.write
    ) { word, reader in
      reader.mentionPlaceFact(word.text)
      return declared.parse(word, reader)
    }
  }
  static var factSource: Atom { declared("SOURCE", "source of facts", "facts") { $0.factSources } }
  package static var reminder: Atom<String> {
    declared("REMINDER", "reminder", "reminders", pattern: ReminderName.pattern) { $0.reminders }
  }
  package static var notificationType: Atom<String> {
    declared("TYPE", "notification type", "reminders") { $0.types }
  }
  /// The name of the phone or of a device declared under `devices`.
  package static var deviceName: Atom { declared("DEVICE", "device", "devices") { $0.devices } }
  package static var surface: Atom { declared("SURFACE", "surface", "surfaces") { $0.surfaces } }
  package static var milestone: Atom { declared("MILESTONE", "milestone", "milestones") { $0.milestones } }

  /// The name of an existing file, relative to the scenario's folder.
  package static var file: Atom {
    Atom(
      name: "FILE", meaning: "a file name relative to the scenario's folder", pattern: ".+",
      write: { name, _ in .string(name) }
    ) { word, reader in
      guard reader.scenario.fileExists(word.text) else {
        reader.error(
          "the file '\(word.text)' does not exist", at: word.position,
          hint: "names are relative to the scenario's folder")
        return nil
      }
      return word.text
    }
  }

  /// Returns an atom for a name that a section of the file must declare.
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

extension Atom<UInt8> {
  /// A device name, resolved to its index. The phone has index 0.
  package static var device: Atom {
    Atom<String>.deviceName.map(
      { name, _, reader in reader.names.devices.position(of: name).map { UInt8($0) } },
      back: { device, writer in
        device == 0 ? DeviceDeclaration.phone : writer.known.scenario.devices[Int(device) - 1].name
      })
  }
}

extension Atom {
  /// Returns an atom that resolves a declared name to its identifier.
  ///
  /// - Parameter word: Returns the name at an index.
  fileprivate static func identifier<Subject>(
    of name: Atom<String>, _ list: @escaping (Names) -> NameList, _ word: @escaping (Scenario, Int) -> String
  ) -> Atom where Value == DenseID<Subject> {
    name.map(
      { name, _, reader in list(reader.names).position(of: name).map { DenseID($0) } },
      back: { id, writer in word(writer.known.scenario, id.index) })
  }
}

extension Atom<AppID> {
  package static var appID: Atom { identifier(of: .app, \.apps) { $0.apps[$1] } }
}

extension Atom<RegionID> {
  package static var region: Atom { identifier(of: .place, \.places) { $0.places[$1].name } }
}

extension Atom<FactID> {
  package static var factID: Atom { identifier(of: .fact, \.facts) { $0.facts[$1].name } }
}

extension Atom<FactSourceID> {
  package static var factSourceID: Atom {
    identifier(of: .factSource, \.factSources) { $0.factSources[$1] }
  }
}

extension Atom<ReminderID> {
  package static var reminderID: Atom {
    identifier(of: .reminder, \.reminders) { $0.reminders[$1].declaration.id }
  }
}

extension Atom<SurfaceID> {
  package static var surfaceID: Atom { identifier(of: .surface, \.surfaces) { $0.app.surfaces[$1].name } }
}

extension Atom<MilestoneID> {
  package static var milestoneID: Atom {
    identifier(of: .milestone, \.milestones) { $0.app.milestones[$1].name }
  }
}

extension Atom<ZoneID> {
  package static var zone: Atom<ZoneID> {
    .ofZone({ writer, zone in writer.known.scenario.zones[zone].identifier }) {
      (name, reader) throws(UnknownZone) in try reader.zones.intern(name)
    }
  }
}

extension Atom<Zone> {
  /// A zone that need not be one of the phone's zones.
  static var anyZone: Atom<Zone> {
    .ofZone({ _, zone in zone.identifier }) {
      (name, _) throws(UnknownZone) in try Zone(identifier: name)
    }
  }
}

extension Atom {
  fileprivate static func ofZone(
    _ identifier: @escaping (Writer, Value) -> String,
    _ find: @escaping (String, Reader) throws(UnknownZone) -> Value
  ) -> Atom {
    Atom(
      name: "ZONE", meaning: "a time zone such as Europe/Berlin", pattern: #"[A-Za-z0-9_+/-]+"#,
      write: { zone, writer in .string(identifier(writer, zone)) }
    ) { word, reader in
      do throws(UnknownZone) {
        return try find(word.text, reader)
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

extension Atom where Value: CaseIterable & Equatable & SendableMetatype {
  /// Returns an atom for the cases of an enumeration.
  package static func oneCase(
    _ name: String, _ meaning: String, _ word: (Value) -> String = { String(describing: $0) }
  ) -> Atom {
    .choice(name, meaning, Value.allCases.map { (word($0), $0) })
  }
}

extension Atom<Reason> {
  /// Returns an atom for the reasons of some stages, and for additional reasons.
  package static func reason(
    _ meaning: String, at stages: Set<Reason.Stage>, and others: Reason...
  ) -> Atom<Reason> {
    let reasons = Reason.allCases.filter { stages.contains($0.stage) || others.contains($0) }
    return .choice("REASON", meaning, reasons.map { ($0.name, $0) })
  }
}

extension Atom<NotificationPermission> {
  package static var notificationPermission: Atom<NotificationPermission> {
    .oneCase("PERMISSION", "a notification permission")
  }
}

extension Atom<PrimingID> {
  /// A new or known priming context. The first use of a name declares it.
  package static var newPriming: Atom<PrimingID> {
    Atom<String>.newName.map(
      { name, _, reader in
        reader.names.primings.append(name)
        return reader.names.primings.position(of: name).map { PrimingID($0) }
      }, back: { priming, writer in writer.known.scenario.app.primings[priming.index] })
  }

  /// A priming context that a milestone or the time line has declared.
  package static var priming: Atom<PrimingID> {
    Atom(
      name: "CONTEXT", meaning: "the context of a priming", pattern: Atom<String>.newName.pattern,
      write: { priming, writer in .string(writer.known.scenario.app.primings[priming.index]) }
    ) { word, reader in
      // If the time line is not read, the contexts that it declares are unknown. Accept any name.
      if !reader.scenario.parts.contains(.timeline) { return newPriming.parse(word, reader) }
      guard let position = reader.names.primings.position(of: word.text) else {
        reader.error(
          "nothing primes for '\(word.text)'", at: word.position,
          hint: NearestNames.hint(for: word.text, among: reader.names.primings.all)
            ?? "add it to the time line: 'prime \(word.text)'")
        return nil
      }
      return PrimingID(position)
    }
  }
}
