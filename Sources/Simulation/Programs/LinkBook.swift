package import NotificationGateway
import ReminderEngine
import ReminderMatching
import ScenarioModel
package import TriggerModel

/// The links of a program, each once, and who handles them.
package struct LinkBook: Sendable {
  package let registry: ConsumerRegistry
  /// How long a launched process takes until it can show anything.
  package let startUp: TimeSpan
  /// Those that the time line opens come first, then those of reminders that are not among them.
  package let texts: [String]
  /// The link of each declaration of the reminder program, edits included.
  package let ofDeclaration: [LinkID]
  /// How many of the declarations are reminders; the rest are edits.
  package let reminderCount: Int

  init(_ setup: LinkSetup, declarations: [ReminderDeclaration], reminderCount: Int) throws(ConsumerRegistry
    .Collision)
  {
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

  /// Where a destination is, in words: "fitme: settings/{health|account}".
  package func words(_ destination: LinkDestination) -> String {
    let consumer = registry.consumers[Int(destination.consumer)]
    if destination.isFallback {
      return "\(consumer.id): \(consumer.fallback ?? ""), in place of what is gone"
    }
    let words = "\(consumer.id): \(consumer.patterns[Int(destination.pattern)])"
    return consumer.isObserved ? words : words + ", which nobody observes"
  }
}
