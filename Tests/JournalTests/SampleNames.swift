import CivilTime
import Journal
import NotificationGateway
import TriggerModel

/// Lists with names that are awkward in JSON.
enum SampleNames {
  static let names: WireNames = {
    var lists = WireNames.Lists()
    lists.reminders = ["milk", "a \"quoted\" one", "back\\slash", "née ☕️ 🏊🏽", "", "tab\tand\u{1}control"]
    lists.edits = [
      .init(of: ReminderID(0), "later"), .init(of: ReminderID(2), "later"),
      .init(of: ReminderID(0), "at home"),
      .init(of: ReminderID(1), "x"), .init(of: ReminderID(3), "y"), .init(of: ReminderID(4), "z"),
      .init(of: ReminderID(5), "z"),
    ]
    lists.types = ["milk", "protein", "rest/day"]
    lists.regions = (0..<20).map { "place \($0)" }
    lists.apps = ["maps", "mail"]
    lists.facts = [
      .init("account.signedIn", .truth), .init("protein.current", .number), .init("workout.next", .instant),
      .init("plan", .name, names: ["free", "plus", "null"]),
    ]
    lists.sources = ["health", "contacts"]
    lists.links = ["fitme://nav/home", "https://fitme.example/a?b=\"c\""]
    lists.consumers = [
      LinkConsumer(id: "tabs", patterns: ["nav/{home|main}", "auth/{flow}"].compactMap { LinkPattern($0) }),
      LinkConsumer(id: "rest", patterns: ["a/b", "c"].compactMap { LinkPattern($0) }, fallback: "nav/home"),
    ]
    for zone in ["Europe/Berlin", "Pacific/Apia", "Africa/Monrovia", "Asia/Kathmandu", "UTC"] {
      _ = try? lists.zones.intern(zone)
    }
    lists.surfaces = ["insights", "plans"]
    lists.primings = ["first_workout", "settings_row"]
    lists.milestones = ["firstWorkout"]
    lists.batches = ["complete all water in room kitchen", "move all in room kitchen to other"]
    lists.devices = ["phone", "watch"]
    return WireNames(lists)
  }()
}
