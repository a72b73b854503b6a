package import NotificationGateway
package import TextFormats
package import TriggerModel

/// Who handles the links that notifications carry. A scenario without it does not model routing.
package struct LinkSetup: Hashable, Sendable {
  /// The schemes that the app has registered; empty: any.
  package var schemes: [String] = []
  /// The hosts of links of its own schemes; empty: any.
  package var hosts: [String] = []
  /// The domains of its universal links; empty: it has none.
  package var domains: [String] = []
  /// How long a process that has just been launched takes until it can show anything.
  package var startUp = TimeSpan.zero
  package var consumers: [DeclaredConsumer] = []
  /// The links that the time line opens: ``TriggerModel/LinkID`` is the position.
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
  /// Who handles which links. A consumer that claims another's is left out: the collision has been reported.
  package var registry: ConsumerRegistry {
    var registry = ConsumerRegistry(schemes: schemes, hosts: hosts, domains: domains)
    for declared in consumers { try? registry.register(declared.consumer) }
    return registry
  }
}

/// A consumer and where the file declares it.
package struct DeclaredConsumer: Hashable, Sendable {
  package var consumer: LinkConsumer
  package var position: SourcePosition

  package init(consumer: LinkConsumer, position: SourcePosition) {
    self.consumer = consumer
    self.position = position
  }
}
