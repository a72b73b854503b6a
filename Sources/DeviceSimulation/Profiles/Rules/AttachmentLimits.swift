package import TriggerModel

extension ProfileSettings {
  /// The largest file of a kind that the system takes with a request, in megabytes; nil: it does not ask.
  ///
  /// Source: developer.apple.com, UNNotificationAttachment, its table of supported file types.
  package func attachmentLimit(_ kind: NotificationAttachment.Kind) -> Int? {
    guard attachmentsLimited else { return nil }
    return switch kind {
    case .audio: 5
    case .image: 10
    case .movie: 50
    }
  }

  /// Whether the system takes a request with such a file.
  package func takes(_ attachment: NotificationAttachment) -> Bool {
    attachmentLimit(attachment.kind).map { attachment.kilobytes <= $0 * 1_024 } ?? true
  }
}
