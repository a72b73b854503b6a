import TriggerModel

/// When an offer came that nothing gave rise to: the rows of the table of where none may come.
enum OfferMisplaced: Hashable {
  case firstLaunch, beforeFirstReminder, opening, chance

  var words: String {
    switch self {
    case .firstLaunch: "on its first launch"
    case .beforeFirstReminder: "before there was a reminder"
    case .opening: "on being opened"
    case .chance: "by chance: nothing was refused since it came to the front"
    }
  }
}

/// What an app has seen of its person, as far as an offer may come or not.
struct OfferVisits {
  /// There is a reminder, or was one.
  var hasReminder: Bool
  private var visits = 0
  /// When the app came to the front last.
  private var openedAt = Instant.distantPast

  init(hasReminder: Bool) { self.hasReminder = hasReminder }

  mutating func opened(at instant: Instant) {
    visits += 1
    openedAt = instant
  }

  /// The first row that an offer breaks which the app shows by itself.
  func misplaced(at instant: Instant) -> OfferMisplaced {
    if visits == 1, instant == openedAt { return .firstLaunch }
    if !hasReminder { return .beforeFirstReminder }
    return instant == openedAt ? .opening : .chance
  }
}
