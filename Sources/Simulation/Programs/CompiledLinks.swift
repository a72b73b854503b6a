package import NotificationGateway
import ReminderEngine
import ReminderMatching
import ScenarioModel
package import TriggerModel

/// The distinct links of a program and their consumers, compiled.
package struct CompiledLinks: Sendable {
  package let registry: ConsumerRegistry
  /// The time that a launched process needs before it can show content.
  package let startUp: TimeSpan
  /// The distinct links. Those that the time line opens precede those that only reminders contain.
  package let texts: [String]
  /// The link of each declaration of the reminder program, including edits.
  package let ofDeclaration: [LinkID]
  /// The number of declarations that are reminders. The remaining ones are edits.
  package let reminderCount: Int

  init(
    _ setup: LinkSetup, declarations: [ReminderDeclaration], reminderCount: Int
  ) throws(ConsumerRegistry.Collision) {
    var registry = ConsumerRegistry(schemes: setup.schemes, hosts: setup.hosts, domains: setup.domains)
    for declared in setup.consumers { try registry.register(declared.consumer) }
    self.registry = registry
    startUp = setup.startUp
    self.reminderCount = reminderCount
    var texts = setup.opened
    var positions = Dictionary(texts.enumerated().map { ($0.element, $0.offset) }) { first, _ in first }
    ofDeclaration = declarations.map { declaration in
      let link = declaration.notification.link
      if let known = positions[link] { return LinkID(known) }
      positions[link] = texts.count
      texts.append(link)
      return LinkID(texts.count - 1)
    }
    self.texts = texts
  }

  /// Describes a destination, for example "fitme: settings/{health|account}".
  package func words(_ destination: LinkDestination) -> String {
    let consumer = registry.consumers[Int(destination.consumer)]
    if destination.isFallback {
      return "\(consumer.id): \(consumer.fallback ?? ""), instead of the missing destination"
    }
    let words = "\(consumer.id): \(consumer.patterns[Int(destination.pattern)])"
    return consumer.isObserved ? words : words + ", which has no observer"
  }
}
