import Statistics
package import TextFormats

extension ReportSchema {
  /// Of the whole.
  package static let json = JSONValue.object(
    [
      .init("$schema", "https://json-schema.org/draft/2020-12/schema"),
      .init("title", "TriggerBench report"),
      .init(
        "description",
        "What a run of a suite found. Keys are only ever added within a version. Times are ISO 8601."),
    ] + members(of: root) + [
      .init(
        "$defs",
        .object([
          .init("scenario", scenario), .init("account", account), .init("step", step),
          .init("metric", metric), .init("ratio", ratio), .init("counts", counts),
          .init("import", importReport), .init("diagnostic", diagnostic),
        ]))
    ])

  // MARK: The document

  private static let root = object(
    [
      ("format", ["const": "triggerbench-report"]),
      ("version", ["const": .integer(Report.formatVersion)]),
      ("command", string("Makes the same report again.")),
      (
        "versions",
        object(
          [("triggerbench", string()), ("timeZoneData", string()), ("geos", string())],
          optional: [
            ("engine", string("The command of the engine under test; without it, the one that is built in."))
          ])
      ),
      ("verdict", choice(["passed", "failed", "invalid"])),
      (
        "counts",
        object(
          [
            "scenarios", "failedScenarios", "expectations", "failedExpectations", "invalidFiles",
            "otherFiles",
          ].map { ($0, count()) })
      ),
      ("total", reference("account")),
    ] + ReportSections.schemas(ofSuite: true) + [
      ("scenarios", array(reference("scenario"))),
      ("errors", array(reference("diagnostic"))),
    ])

  private static let scenario = object(
    [
      ("file", string()), ("packs", array(string("A pack that it includes."))), ("title", string()),
      ("verdict", choice(["passed", "failed"])),
      ("profile", string("The platform profile.")), ("seed", string("An unsigned integer.")),
      ("zone", string("The phone's zone at the start.")), ("start", string()),
      ("end", string("Not part of the run any more.")),
      ("days", count("Of the run, each from its start's time of day on; a begun one counts whole.")),
      (
        "events",
        object([
          ("timeLine", count("What happened, recorded fixes included.")),
          ("truth", reference("counts")), ("observed", reference("counts")),
        ])
      ),
      ("total", reference("account")), ("metrics", array(reference("metric"))),
      ("expectations", array(expectation)),
      (
        "reminders",
        described(
          "One without an account is one to which nothing happened.",
          array(
            object(
              [("id", string())],
              optional: [("account", reference("account")), ("metrics", array(reference("metric")))])))
      ),
      ("ignored", reference("counts")),
      (
        "fires",
        array(
          object(
            [
              ("reminder", string()), ("occurrence", count()), ("at", string()),
              ("local", string("As the phone's wall clock shows it.")),
              (
                "exposure",
                described(
                  "'held': for a summary that the run did not see; 'hidden': with the app in front, say.",
                  choice(Exposure.allCases.map(\.rawValue)))
              ),
            ], optional: [("response", choice(Response.allCases.map(\.rawValue)))]))
      ),
      ("routing", choice(["modelled", "not modelled"])),
      ("imports", array(reference("import"))), ("warnings", array(reference("diagnostic"))),
      ("contradictions", array(string("Why the accounts do not close."))),
    ] + ReportSections.schemas(),
    optional: ReportSections.optionalSchemas + [
      (
        "knobs",
        ["type": "object", "description": "What it sets of its profile.", "additionalProperties": string()]
      ),
      (
        "person",
        described(
          "Who answers notifications: what rests on the model is assumed.",
          object([("model", string("The model's name.")), ("number", string("An unsigned integer."))]))
      ),
    ])

  private static let expectation = object(
    [
      ("text", string()), ("verdict", choice(["passed", "failed"])), ("line", count()), ("column", count()),
      ("got", string()),
    ], optional: [("nearest", string()), ("reasons", array(string()))])

  // MARK: Accounts

  private static let account = object(
    [
      ("matches", count("Waiting, and its trigger seen by the app.")),
      ("replaced", count("Requests whose place a later plan took: in no step of the funnel.")),
      ("noRequest", reference("counts")), ("failedConditions", reference("counts")),
      ("deferrals", count()), ("denied", reference("counts")), ("blockedBy", reference("counts")),
      ("notObserved", reference("counts")),
      ("unfounded", count("Requests that answer none that was due.")),
      (
        "early",
        count("Requests for a time that did not come: taken back, or still to come at the end.")
      ),
      ("exposedInList", count("Of the exposed, those in the list only.")),
      ("funnel", array(reference("step"))),
    ], optional: [("unfoundedBecause", reference("counts"))])

  private static let step = object(
    [
      ("step", choice(["due", "requested", "admitted", "delivered", "exposed", "tapped", "routed"])),
      ("count", count("That of the step before, without the losses and with the gains.")),
      ("losses", changes), ("evidence", evidence),
    ], optional: [("gains", changes)])

  private static let changes = array(object([("reason", string()), ("count", count())]))

  private static let metric = object([
    ("name", string()), ("numerator", count()), ("denominator", count()),
    ("unknown", count("Exposed, and the scenario does not say who responds.")), ("text", string()),
    ("evidence", evidence),
  ])

  private static let ratio = object([("numerator", count()), ("denominator", count()), ("text", string())])

  private static let counts: JSONValue = ["type": "object", "additionalProperties": count()]

  // MARK: Files

  private static let importReport = object([
    ("file", string()), ("read", count()), ("taken", count()),
    (
      "findings",
      array(
        object([("kind", string()), ("count", count()), ("firstLine", count()), ("text", string())]))
    ),
    (
      "derivations",
      array(object([("event", string()), ("rule", string()), ("counts", reference("counts"))]))
    ),
  ])

  private static let diagnostic = object(
    [("file", string()), ("severity", string()), ("message", string())],
    optional: [("line", count()), ("column", count()), ("hint", string())])
}
