/// What a notification shows beside its texts, as far as a system asks before it takes the request: the kind of the
/// file and its size.
public struct NotificationAttachment: Hashable, Sendable, BitwiseCopyable {
  /// What the file is: systems set each kind a limit of its own.
  public enum Kind: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
    /// A still picture, a sound, a film.
    case image, audio, movie

    /// The name used in files.
    public var name: String { String(describing: self) }
  }

  /// Which limit it has to keep.
  public var kind: Kind
  /// In kilobytes of 1,024 bytes.
  public var kilobytes: Int

  /// As a file says it: `image 800 KB`, `movie 60 MB`.
  public var words: String {
    kilobytes % 1_024 == 0 ? "\(kind.name) \(kilobytes / 1_024) MB" : "\(kind.name) \(kilobytes) KB"
  }

  /// An attachment of any size: whether it is too large, the system says.
  public init(kind: Kind, kilobytes: Int) {
    self.kind = kind
    self.kilobytes = kilobytes
  }
}
