package import TextFormats
package import NotificationGateway
package import TriggerModel

/// Who handles the links that notifications carry. A scenario without it does not model routing.
package struct LinkSetup: Hashable, Sendable {
  /// The schemes that the app has registered; empty: any.
  package var schemes: [String] = []
  /// The domains of its universal links; empty: any.
  package var domains: [String] = []
  /// How long a process that has just been launched takes until it can show anything.
  package var startUp = TimeSpan.zero
  package var consumers: [DeclaredConsumer] = []
  /// The links that the time line opens: ``TriggerModel/LinkID`` is the position.
  package var opened: [String] = []

  package init(
    schemes: [String] = [], domains: [String] = [], startUp: TimeSpan = .zero,
    consumers: [DeclaredConsumer] = [], opened: [String] = []
  ) {
    self.schemes = schemes
    self.domains = domains
    self.startUp = startUp
    self.consumers = consumers
    self.opened = opened
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
