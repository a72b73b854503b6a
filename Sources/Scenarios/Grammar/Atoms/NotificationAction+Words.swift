import TextFormats
package import TriggerModel

extension NotificationAction {
  /// As files say it: `done`, `snooze 3 d`.
  package var words: String {
    switch self {
    case .done: "done"
    case .snooze(let span): "snooze \(Atom<TimeSpan>.text(span))"
    }
  }
}
