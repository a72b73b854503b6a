package import NotificationGateway
package import TriggerModel

/// One step of a link on its way into the app.
package struct LinkRecord: Hashable, Sendable, BitwiseCopyable {
  package enum Step: Hashable, Sendable, BitwiseCopyable {
    /// It set out: a tap, or a link that was opened.
    case attempted
    /// It has come before, and changes nothing.
    case duplicate
    /// Its destination was shown.
    case routed(LinkDestination)
    /// It leads here, and nobody has shown it: no part of the app watches for it, another took its place, or the
    /// process ended before.
    case unconsumed(LinkDestination)
    /// It leads nowhere, or did not reach the app.
    case failed(Reason)

    /// Why nothing was shown, of one that has come to such an end.
    package var loss: Reason? {
      switch self {
      case .attempted, .duplicate, .routed: nil
      case .unconsumed: .linkUnconsumed
      case .failed(let reason): reason
      }
    }
  }

  package var link: LinkID
  /// The notification that was tapped; nil for a link from elsewhere.
  package var request: RequestID?
  package var source: DeepLinkRouter.Source
  /// The second coming of a link that a fault delivers twice.
  package var isRepeat: Bool
  package var step: Step

  package init(
    link: LinkID, request: RequestID? = nil, source: DeepLinkRouter.Source, isRepeat: Bool = false, step: Step
  ) {
    self.link = link
    self.request = request
    self.source = source
    self.isRepeat = isRepeat
    self.step = step
  }
}
