/// The scenario that `triggerbench init` writes.
package enum ScenarioTemplate {
  /// The name of the schema file that the scenario's comment for editors refers to.
  package static let schemaFile = "triggerbench.schema.json"

  package static let text = """
    # yaml-language-server: $schema=\(schemaFile)
    kind: scenario
    version: 1
    title: Vitamins at nine
    start: 2026-03-02T07:00
    zone: Europe/Berlin
    for: 2 days
    profile: ios                        # or android, or ideal: a phone that reports everything to the app
    reminders:
      vitamins:
        when: every day 09:00 ahead 2   # the system gets two in advance, because nothing wakes the app at nine
        notify: Take your vitamins
    timeline:                           # 'triggerbench reference timeline' lists what can happen
      - 09:41 unlock
      - 09:42 tap vitamins
    expect:
      - vitamins fires once at 09:00 on day 1
      - vitamins fires once at 09:00 on day 2

    """
}
