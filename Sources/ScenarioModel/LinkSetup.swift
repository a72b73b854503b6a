package import NotificationGateway
package import TextFormats
package import TriggerModel

/// The setup of links. A scenario without it does not model routing.
package struct LinkSetup: Hashable, Sendable {
  /// The schemes that the app has registered, or an empty list to accept any scheme.
  package var schemes: [String] = []
  /// The hosts of links with one of the app's own schemes, or an empty list to accept any host.
  package var hosts: [String] = []
  /// The domains of universal links, or an empty list if there are none.
  package var domains: [String] = []
  /// The time that a launched process needs before it can show content.
  package var startUp = TimeSpan.zero
  package var consumers: [DeclaredConsumer] = []
  /// The links that the time line opens. A ``TriggerModel/LinkID`` is an index into this list.
  package var opened: [String] = []

  package init(
    schemes: [String] = [], hosts: [String] = [], domains: [String] = [], startUp: TimeSpan = .zero,
    consumers: [DeclaredConsumer] = [], opened: [String] = []
  ) {
    self.schemes = schemes
    self.hosts = hosts
    self.domains = domains
    self.startUp = startUp
    self.consumers = consumers
    self.opened = opened
  }
}

extension LinkSetup {
  /// The registered consumers. A consumer that claims another consumer's links is omitted, because validation
  /// has already reported the collision.
  package var registry: ConsumerRegistry {
    var registry = ConsumerRegistry(schemes: schemes, hosts: hosts, domains: domains)
    for declared in consumers { try? registry.register(declared.consumer) }
    return registry
  }
}

/// A consumer and its position in the file.
package struct DeclaredConsumer: Hashable, Sendable {
  package var consumer: LinkConsumer
  package var position: SourcePosition

  package init(consumer: LinkConsumer, position: SourcePosition) {
    self.consumer = consumer
    self.position = position
  }
}
