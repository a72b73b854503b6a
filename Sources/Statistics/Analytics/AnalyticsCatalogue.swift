import NotificationGateway
package import TextFormats
import TriggerModel

/// The analytics events that a run can emit. (From seeds 000 and 001, and the product's metrics.)
package enum AnalyticsCatalogue {
  /// One event, or a family of events whose names differ only in the name of the reminder.
  package struct Entry: Sendable {
    /// The name, with `*` for the name of the reminder.
    package var name: String
    package var summary: String
    package var parameters: [Parameter] = []
  }

  package struct Parameter: Sendable {
    package var name: String
    package var summary: String
    /// The possible values, or `nil` for any text.
    package var values: [String]?
  }

  package static let entries = reminders + features + permissions + links

  private static let reminders = [
    Entry(name: "reminder_scheduled", summary: "The system accepted a reminder.", parameters: [type]),
    Entry(name: "reminder_shown", summary: "A reminder was shown.", parameters: [type]),
    Entry(name: "reminder_tapped", summary: "A reminder was tapped.", parameters: [type]),
    Entry(
      name: "reminder_dismissed", summary: "A reminder was dismissed, and the app observed it.",
      parameters: [type]),
    Entry(
      name: "reminder_disabled", summary: "The person disabled a type of reminders, or all of them.",
      parameters: [type]),
    Entry(
      name: "reminder_suppressed", summary: "A reminder was not shown, and why.", parameters: [type, reason]),
    Entry(name: "reminder_*_shown", summary: "As reminder_shown, under the reminder's own name."),
    Entry(name: "reminder_*_tapped", summary: "As reminder_tapped, under the reminder's own name."),
  ]

  private static let features = [
    Entry(
      name: "locked_feature_shown", summary: "The cover of a locked feature was shown.", parameters: [feature]
    ),
    Entry(
      name: "locked_feature_cta_tapped", summary: "The call to action on the cover was followed.",
      parameters: [feature]),
    Entry(
      name: "locked_feature_dismissed", summary: "The cover was closed: maybe later.", parameters: [feature]),
  ]

  private static let permissions = [
    Entry(
      name: "notification_priming_shown",
      summary: "The app explained what notifications are for, before the prompt.", parameters: [context]),
    Entry(
      name: "notification_priming_skipped", summary: "The person skipped the priming.", parameters: [context]),
    Entry(name: "notification_permission_requested", summary: "The system showed its prompt."),
    Entry(name: "notification_permission_granted", summary: "The person granted the permission."),
    Entry(name: "notification_permission_denied", summary: "The person denied the permission."),
    Entry(
      name: "notification_settings_deeplink_shown",
      summary: "After a denial, once: where the person can change their mind."),
  ]

  private static let links = [
    Entry(
      name: "deep_link_routed", summary: "A link was routed, or failed.",
      parameters: [source, destination, pattern, outcome])
  ]

  // MARK: Parameters

  private static let type = Parameter(name: "type", summary: "The notification type, or all, in snake case.")
  private static let feature = Parameter(name: "feature_name", summary: "The surface.")
  private static let context = Parameter(name: "trigger_context", summary: "The cause of the priming.")
  private static let reason = Parameter(
    name: "reason", summary: "Why it was not shown.", values: Reason.allCases.map(\.analyticsName))
  private static let source = Parameter(
    name: "source", summary: "The source of the link.",
    values: DeepLinkRouter.Source.allCases.map { SnakeCase.of($0.name) })
  private static let destination = Parameter(
    name: "destination", summary: "The path of the destination, or unknown.")
  private static let pattern = Parameter(
    name: "url_pattern",
    summary: "The matching pattern, or the link without query and fragment if none matches.")
  private static let outcome = Parameter(
    name: "outcome",
    summary:
      "Whether the destination was shown. failed_navigation: a pattern matches, but nothing shows the destination.",
    values: ["succeeded", "failed_no_pattern_match", "failed_navigation", "failed_lost"])
}

extension AnalyticsCatalogue {
  /// The JSON Schema of one line of `events.ndjson`.
  package static var schema: JSONValue {
    [
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "title": "TriggerBench analytics event",
      "description": "One line of events.ndjson.",
      "anyOf": .array(entries.map(schema)),
    ]
  }

  private static func schema(_ entry: Entry) -> JSONValue {
    func text(_ summary: String) -> JSONValue { ["type": "string", "description": .string(summary)] }
    func number(_ summary: String) -> JSONValue {
      ["type": "integer", "minimum": 0, "description": .string(summary)]
    }
    let name: JSONValue =
      entry.name.contains("*")
      ? ["type": "string", "pattern": .string("^" + entry.name.replacing("*", with: "[^ ]+") + "$")]
      : ["const": .string(entry.name)]
    let members: [JSONValue.Member] =
      [
        .init("event", name), .init("scenario", text("The scenario's file.")),
        .init("time", text("The time on the phone's clock, with its zone.")),
        .init("person", number("Counted from 0.")), .init("device", number("Counted from 0.")),
      ]
      + entry.parameters.map { parameter in
        let summary = JSONValue.string(parameter.summary)
        guard let values = parameter.values else { return .init(parameter.name, text(parameter.summary)) }
        return .init(
          parameter.name, ["enum": .array(values.map { .string($0) }), "description": summary])
      }
    return [
      "type": "object", "description": .string(entry.summary),
      "required": .array(members.map { .string($0.key) }), "properties": .object(members),
      "additionalProperties": false,
    ]
  }
}

extension Reason {
  /// The name in the product's analytics, or the reason's own name in snake case if analytics do not define
  /// one.
  var analyticsName: String {
    switch self {
    case .typeDailyCap: "per_type_daily_cap"
    case .minimumInterval: "min_interval"
    case .dailyCap: "global_daily_cap"
    case .criticalDailyCap: "critical_cap"
    case .permission: "system_unauthorized"
    case .addFailed: "system_add_failed"
    default: SnakeCase.of(name)
    }
  }
}
