import CivilTime
import DeviceSimulation
import Journal
import NotificationGateway
import ReminderMatching
import ScenarioModel
package import Simulation
package import TextFormats
import TriggerModel

/// Writes analytics events as lines of JSON.
package struct AnalyticsWords {
  private let program: Program

  package init(_ program: Program) {
    self.program = program
  }

  /// Returns the lines of an event. There are two if a second line has the name of the reminder in the
  /// event's name.
  package func lines(_ event: AnalyticsEvent) -> [JSONValue] {
    let zone = program.scenario.zones[event.moment.zone]
    return named(event.body).map { name, parameters in
      .object(
        [
          .init("event", .string(name)), .init("scenario", .string(program.scenario.file)),
          .init("time", .string(event.moment.wall.iso8601(in: zone))),
          .init("person", .integer(Int(event.person))), .init("device", .integer(Int(event.device))),
        ] + parameters.map { .init($0.0, .string($0.1)) })
    }
  }

  private typealias Named = (name: String, parameters: [(String, String)])

  private func named(_ body: AnalyticsEvent.Body) -> [Named] {
    switch body {
    case .scheduled(let id): return [("reminder_scheduled", [type(of: id)])]
    case .shown(let id): return both("shown", id)
    case .tapped(let id): return both("tapped", id)
    case .dismissed(let id): return [("reminder_dismissed", [type(of: id)])]
    case .disabled(let id):
      let name = id.map { SnakeCase.of(program.reminders.names.types[$0.index]) } ?? "all"
      return [("reminder_disabled", [("type", name)])]
    case .suppressed(let id, let reason):
      return [("reminder_suppressed", [type(of: id), ("reason", reason.analyticsName)])]
    case .app(let event): return named(event)
    case .link(let link): return [("deep_link_routed", parameters(of: link))]
    }
  }

  private func both(_ what: String, _ id: ReminderID) -> [Named] {
    let notification = program.reminders.declarations[id.index].notification
    let own = notification.event ?? SnakeCase.of(notification.type)
    return [("reminder_\(what)", [type(of: id)]), ("reminder_\(own)_\(what)", [])]
  }

  private func type(of id: ReminderID) -> (String, String) {
    ("type", SnakeCase.of(program.reminders.declarations[id.index].notification.type))
  }

  private func named(_ event: AppEvent) -> [Named] {
    let app = program.scenario.app
    switch event {
    case .primingShown(let id):
      return [("notification_priming_shown", [("trigger_context", app.primings[id.index])])]
    case .primingSkipped(let id):
      return [("notification_priming_skipped", [("trigger_context", app.primings[id.index])])]
    case .permissionRequested: return [("notification_permission_requested", [])]
    case .permissionGranted: return [("notification_permission_granted", [])]
    case .permissionDenied: return [("notification_permission_denied", [])]
    case .settingsBannerShown: return [("notification_settings_deeplink_shown", [])]
    case .surfaceShown(let id):
      return [("locked_feature_shown", [("feature_name", app.surfaces[id.index].name)])]
    case .surfaceCallToAction(let id):
      return [("locked_feature_cta_tapped", [("feature_name", app.surfaces[id.index].name)])]
    case .surfaceDismissed(let id):
      return [("locked_feature_dismissed", [("feature_name", app.surfaces[id.index].name)])]
    // These events do not appear in analytics.
    case .surfaceUnlocked, .surfaceLocked, .surfaceUnasked, .milestone, .reminderRefused, .consentChanged,
      .promptEarly, .promptStacked, .batchDone, .confirmationAsked, .confirmationDeclined:
      return []
    }
  }

  private func parameters(of link: LinkRecord) -> [(String, String)] {
    let text = program.links?.texts[link.link.index] ?? ""
    let found = program.links?.registry.resolve(text)
    let consumer = found.flatMap { program.links?.registry.consumers[Int($0.consumer)] }
    var destination = found == nil ? "unknown" : DeepLink(text)?.path.joined(separator: "/") ?? "unknown"
    if case .routed(let shown) = link.step, shown.isFallback {
      destination = consumer?.fallback ?? destination
    }
    let plain = String(text.prefix { $0 != "?" && $0 != "#" })
    let pattern = found.flatMap { consumer?.patterns[Int($0.pattern)].description }
    let outcome =
      switch link.step {
      case .routed: "succeeded"
      case .failed(.linkLost): "failed_lost"
      // The target no longer exists and has no fallback, or no view shows the target.
      case .failed where found != nil, .unconsumed: "failed_navigation"
      case .failed, .attempted, .duplicate: "failed_no_pattern_match"
      }
    return [
      ("source", SnakeCase.of(link.source.name)), ("destination", destination),
      ("url_pattern", pattern ?? (plain.isEmpty ? "none" : plain)), ("outcome", outcome),
    ]
  }
}
