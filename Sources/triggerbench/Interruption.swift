import Foundation
import Synchronization

/// Somebody has pressed Ctrl-C: once ends what is being done in good order, twice ends the tool.
enum Interruption {
  private static let flag = Atomic<Bool>(false)

  static var happened: Bool { flag.load(ordering: .relaxed) }

  static func listen() {
    // Made before a signal can ask for it.
    _ = happened
    signal(SIGINT) { _ in
      Interruption.flag.store(true, ordering: .relaxed)
      signal(SIGINT, SIG_DFL)
    }
  }
}
