public import TriggerModel

/// Takes links from wherever they come, and keeps what they lead to until the app shows it.
///
/// ```swift
/// var router = DeepLinkRouter(registry)
/// router.open("fitme://nav/home", from: .notification, at: now)   // .pending(destination)
/// router.consume()                                               // the destination, once
/// ```
///
/// A tap on a notification reaches an app through its notification delegate, and often a second time as an
/// opened URL: within ``duplicateSpan`` the two are one. So are two deliveries by the same source.
public struct DeepLinkRouter: Hashable, Sendable {
  /// How a link came to the app.
  public enum Source: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
    /// A tap on a notification.
    case notification
    /// The system opened a URL of the app's own scheme.
    case openURL
    /// The system opened a universal link.
    case universalLink

    /// The name used in files and reports.
    public var name: String { String(describing: self) }
  }

  /// What became of a link.
  public enum Outcome: Hashable, Sendable, BitwiseCopyable {
    /// It leads here, and waits until the app shows it. A destination that waited before has been consumed by
    /// nobody, and will not be: ``TriggerModel/Reason/linkUnconsumed``.
    case pending(LinkDestination)
    /// It has come already; nothing changes.
    case duplicate
    /// It leads nowhere: ``TriggerModel/Reason/linkUnresolved``. Nothing changes.
    case failed(Reason)
  }

  /// Links that come again within this time, the end included, are the same. (Seed 001: 200 ms.)
  public static let duplicateSpan = TimeSpan(milliseconds: 200)

  /// Who handles which links.
  public let registry: ConsumerRegistry
  /// What the app is to show, and has not shown yet.
  public private(set) var pending: LinkDestination?
  /// The links of the last ``duplicateSpan``, in the order in which they came.
  private var recent: [Arrival] = []

  private struct Arrival: Hashable, Sendable {
    var link: String
    var source: Source
    var moment: Moment
  }

  /// A router that has seen no link yet.
  public init(_ registry: ConsumerRegistry) {
    self.registry = registry
  }

  /// Takes a link. Where its subject is known to be gone, its consumer's fallback is shown.
  ///
  /// - Complexity: O(n) in the patterns registered and the links of the last ``duplicateSpan``
  public mutating func open(
    _ link: String, from source: Source, at now: Moment, subjectExists: Bool = true
  ) -> Outcome {
    recent.removeAll { now.elapsed(since: $0.moment) > Self.duplicateSpan }
    if recent.contains(where: { $0.link == link && Self.areOne($0.source, source) }) { return .duplicate }
    recent.append(Arrival(link: link, source: source, moment: now))
    guard var destination = registry.resolve(link) else { return .failed(.linkUnresolved) }
    if !subjectExists {
      guard registry.consumers[Int(destination.consumer)].fallback != nil else {
        return .failed(.linkUnresolved)
      }
      destination.isFallback = true
    }
    pending = destination
    return .pending(destination)
  }

  /// Takes the pending destination, to show it.
  public mutating func consume() -> LinkDestination? {
    defer { pending = nil }
    return pending
  }

  private static func areOne(_ a: Source, _ b: Source) -> Bool {
    a == b || a == .notification || b == .notification
  }
}
