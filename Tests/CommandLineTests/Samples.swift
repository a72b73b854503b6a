/// Scenarios that the tests write.
enum Samples {
  /// Fires once, is denied once, and is deferred once.
  static let small = """
    kind: scenario
    version: 1
    title: A small <story> & its "report"
    start: 2026-03-02T07:00
    zone: Europe/Berlin
    for: 2 days
    reminders:
      milk:
        when: unlock
        if: after 16:00
        repeat: daily
        notify: {title: Buy milk}
      bread: {when: charging starts, notify: {title: Buy bread, bucket: user}}
    timeline:
      - 08:10 unlock
      - 17:40 unlock
      - 17:45 tap milk
      - 23:10 plug in
      - next day 22:30 unlock
    expect:
      - milk fires once at 17:40 on day 1
      - milk is denied by quietHours on day 2
      - bread fires once at 07:00 on day 2
      - tapThrough >= 25 %

    """

  /// The same, with two expectations that fail.
  static let failing =
    small.replacing("milk fires once at 17:40 on day 1", with: "milk fires 2 times on day 1")
    .replacing("tapThrough >= 25 %", with: "tapThrough < 75 %")

  static let otherKind = "kind: experiment\nversion: 1\n"
}
