package import TextFormats
package import TriggerModel

extension Atom<NotificationAttachment> {
  /// `image 800 KB`, `movie 60 MB`.
  package static var attachment: Atom<NotificationAttachment> {
    .simple(
      "ATTACHMENT", "image, audio or movie and a size, such as image 800 KB or movie 60 MB",
      pattern: #"(?:image|audio|movie) +\d+ +(?:KB|MB)"#,
      write: { attachment, _ in .string(attachment.words) }
    ) { text in
      let words = text.split(separator: " ")
      guard words.count == 3, words[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
        let size = Int(words[1]), (1...1_000_000).contains(size),
        let kind = NotificationAttachment.Kind.allCases.first(where: { $0.name == words[0] })
      else { return nil }
      switch words[2] {
      case "KB": return NotificationAttachment(kind: kind, kilobytes: size)
      case "MB": return NotificationAttachment(kind: kind, kilobytes: size * 1_024)
      default: return nil
      }
    }
  }
}
