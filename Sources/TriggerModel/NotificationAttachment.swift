/// What a notification shows beside its texts, as far as a system asks before it takes the request: the kind of the
/// file and its size.
public struct NotificationAttachment: Hashable, Sendable, BitwiseCopyable {
  public enum Kind: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
    case image, audio, movie

    /// The name used in files.
    public var name: String { String(describing: self) }
  }

  public var kind: Kind
  /// In kilobytes of 1,024 bytes.
  public var kilobytes: Int

  /// As a file says it: `image 800 KB`, `movie 60 MB`.
  public var words: String {
    kilobytes % 1_024 == 0 ? "\(kind.name) \(kilobytes / 1_024) MB" : "\(kind.name) \(kilobytes) KB"
  }

  public init(kind: Kind, kilobytes: Int) {
    self.kind = kind
    self.kilobytes = kilobytes
  }
}
