public import TriggerModel

/// Receives links from all sources, and keeps a destination until the app shows it.
///
/// ```swift
/// var router = DeepLinkRouter(registry)
/// router.open("fitme://nav/home", from: .notification, at: now)   // .pending(destination)
/// router.consume()                                               // the destination, once
/// ```
///
/// An app receives a tap on a notification through its notification delegate, and often a second time as an
/// opened URL. Equal links within ``duplicateSpan`` count once, whether they come from one source or two. The
/// link of one tap is followed once, however late the system hands it to the app again.
public struct DeepLinkRouter: Hashable, Sendable {
  /// How the app received a link.
  public enum Source: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
    /// A tap on a notification.
    case notification
    /// The system opened a URL of the app's own scheme.
    case openURL
    /// The system opened a universal link.
    case universalLink

    /// The name in files and reports.
    public var name: String { String(describing: self) }
  }

  /// The outcome of a link.
  public enum Outcome: Hashable, Sendable, BitwiseCopyable {
    /// The destination is kept until the app shows it. An earlier destination that was not shown yet is lost
    /// with ``TriggerModel/Reason/linkUnconsumed``.
    case pending(LinkDestination)
    /// The link was already received, so nothing changes.
    case duplicate
    /// The link has no destination (``TriggerModel/Reason/linkUnresolved``), so nothing changes.
    case failed(Reason)
  }

  /// The time within which equal links are duplicates, inclusive. (Seed 001: 200 ms.)
  public static let duplicateSpan = TimeSpan(milliseconds: 200)

  /// The consumers of links.
  public let registry: ConsumerRegistry
  /// The destination that the app has not shown yet, or `nil`.
  public private(set) var pending: LinkDestination?
  /// The links of the last ``duplicateSpan``, in the order of arrival.
  private var recent: [Arrival] = []

  /// The last taps whose links were opened, in the order of arrival.
  private var taps: [Tap] = []

  /// A tap on a notification. A repeated request keeps its identifier, so its taps differ by their instant.
  public struct Tap: Hashable, Sendable, BitwiseCopyable {
    /// The request of the notification.
    public var request: RequestID
    /// The instant of the tap, on a clock that all taps share.
    public var tappedAt: Instant

    /// Creates a tap on the notification of a request.
    public init(on request: RequestID, at tappedAt: Instant) {
      self.request = request
      self.tappedAt = tappedAt
    }
  }

  /// The number of taps that the router remembers.
  private static let rememberedTaps = 16

  private struct Arrival: Hashable, Sendable {
    var link: String
    var source: Source
    var moment: Moment
  }

  /// Creates a router that has received no link.
  public init(_ registry: ConsumerRegistry) {
    self.registry = registry
  }

  /// Opens a link. If its subject no longer exists, its consumer's fallback is shown. A link that the same tap
  /// has opened before is a duplicate.
  ///
  /// - Complexity: O(n) in the registered patterns and the links of the last ``duplicateSpan``
  public mutating func open(
    _ link: String, from source: Source, of tap: Tap? = nil, at now: Moment, subjectExists: Bool = true
  ) -> Outcome {
    if let tap {
      if taps.contains(tap) { return .duplicate }
      taps = taps.suffix(Self.rememberedTaps - 1) + [tap]
    }
    recent.removeAll { now.elapsed(since: $0.moment) > Self.duplicateSpan }
    if recent.contains(where: { $0.link == link && Self.areDuplicates($0.source, source) }) {
      return .duplicate
    }
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

  /// Removes and returns the pending destination.
  public mutating func consume() -> LinkDestination? {
    defer { pending = nil }
    return pending
  }

  private static func areDuplicates(_ a: Source, _ b: Source) -> Bool {
    a == b || a == .notification || b == .notification
  }
}
