extension PlatformRules {
  private static let shop = "places: {shop: {at: [52.52, 13.405], radius: 150 m}}"
  private static let daily =
    "reminders: {a: {when: every day 10:00 ahead 2, notify: {title: A, bucket: user}}}"
  private static let repeating =
    "reminders: {a: {when: every day 10:00 ahead repeating, notify: {title: A, bucket: user}}}"
  private static let atShop = "reminders: {a: {when: enter shop, notify: {title: A, bucket: user}}}"
  private static let charging =
    "reminders: {a: {when: charging starts, repeat: always, notify: {title: A, bucket: user}}}"
  /// Overrides the rule that makes alarms exact.
  private static let exact = "exactAlarms: granted"

  /// The demonstrations of the Android rules, including the rules that iOS shares.
  package static let stories: [RuleStory] =
    alarmStories + processStories + permissionStories + repeatStories

  private static let alarmStories: [RuleStory] = [
    RuleStory(
      "deliveryLatenessTo", knobs: ["deliveryLatenessFrom: 0"], daily,
      timeline: ["07:01 open", "07:02 leave"],
      ["0": "a fires once at 10:00 on day 1", "60": "a fires once between 10:01 and 11:00 on day 1"]),
    RuleStory(
      "deliveryLatenessFrom", knobs: ["deliveryLatenessTo: 54"], daily,
      timeline: ["07:01 open", "07:02 leave"],
      ["0": "a fires once between 10:00 and 10:53 on day 1", "54": "a fires once at 10:54 on day 1"]),
    RuleStory(
      "exactAlarms", daily, timeline: ["07:01 open", "07:02 leave"],
      [
        "granted": "a fires once at 10:00 on day 1",
        "denied": "a fires once between 10:01 and 11:00 on day 1",
      ]),
    RuleStory(
      "backgroundWake", knobs: [exact],
      "reminders: {a: {when: every day 10:00, notify: {title: A, bucket: user}}}",
      timeline: ["07:01 open", "07:02 leave"],
      ["alarm": "a fires once at 10:00 on day 1", "never": "a never"]),
    RuleStory(
      "dozeAfter", knobs: [exact], daily, timeline: ["07:01 open", "07:02 lock", "20:00 unlock"],
      ["0": "a fires once at 10:00 on day 1", "60": "a fires once at 11:02 on day 1"]),
    RuleStory(
      "dozeFirstWindow", knobs: [exact], daily, timeline: ["07:01 open", "07:02 lock", "20:00 unlock"],
      ["60": "a fires once at 11:02 on day 1", "30": "a fires once at 11:32 on day 1"]),
    RuleStory(
      "dozeLongestWindow", knobs: [exact],
      "reminders: {a: {when: every day 17:00 ahead 2, notify: {title: A, bucket: user}}}",
      timeline: ["07:01 open", "07:02 lock", "23:00 unlock"],
      ["360": "a fires once at 21:02 on day 1", "120": "a fires once at 17:02 on day 1"]),
    RuleStory(
      "alarmsWhileIdle", knobs: [exact], daily, timeline: ["07:01 open", "07:02 lock", "20:00 unlock"],
      ["true": "a fires once at 10:00 on day 1", "false": "a fires once at 11:02 on day 1"]),
    RuleStory(
      "idleAlarmInterval", knobs: ["alarmsWhileIdle: true", "deliveryLatenessTo: 0"],
      "reminders: {a: {when: every day 10:00 ahead 2, notify: {title: A, bucket: user}}, "
        + "b: {when: every day 10:01 ahead 2, notify: {title: B, bucket: user}}}",
      timeline: ["07:01 open", "07:02 lock", "20:00 unlock"],
      ["0": "b fires once at 10:01 on day 1", "9": "b fires once at 10:09 on day 1"]),
    RuleStory(
      "saverLateness", knobs: ["deliveryLatenessTo: 0"], daily,
      timeline: ["07:01 open", "07:02 leave", "07:03 low power mode on"],
      ["0": "a fires once at 10:00 on day 1", "120": "a fires once between 10:01 and 12:00 on day 1"]),
  ]

  private static let processStories: [RuleStory] = [
    RuleStory(
      "attachmentsLimited", on: "ios",
      "reminders: {a: {when: every day 10:00 ahead 2, notify: {title: A, attachment: image 11 MB, bucket: user}}}",
      timeline: ["07:01 open", "07:02 leave"],
      ["true": "a is lost to addFailed", "false": "a fires"]),
    RuleStory(
      "titleLimit",
      "reminders: {a: {when: every day 10:00 ahead 2, notify: {title: Water the 🌵 now, bucket: user}}}",
      timeline: ["07:01 open", "07:02 leave"],
      ["1024": "a shows \"Water the 🌵 now\"", "9": "a shows \"Water the\""]),
    RuleStory(
      "backgroundExecution", charging,
      timeline: ["07:01 open", "07:02 leave", "09:00 plug in", "12:00 open"],
      ["always": "a fires once at 09:00", "limited": "a fires once at 12:00"]),
    RuleStory(
      "backgroundTime", charging, timeline: ["07:01 open", "07:02 leave", "07:30 plug in", "12:00 open"],
      ["3600": "a fires once at 07:30", "60": "a fires once at 12:00"]),
    RuleStory(
      "chargerSeen", charging, timeline: ["07:01 open", "07:02 leave", "09:00 plug in", "12:00 open"],
      ["nextRun": "a fires once at 12:00", "never": "a never"]),
    RuleStory(
      "unlockSign", "reminders: {a: {when: unlock, notify: {title: A, bucket: user}}}",
      timeline: ["07:01 open", "07:02 leave", "07:02:20 lock", "07:02:40 unlock"],
      ["everyUnlock": "a fires once at 07:02 on day 1", "didBecomeActive": "a fires once at 07:01 on day 1"]),
    RuleStory(
      "clockChangeWakes", knobs: [exact],
      "reminders: {a: {when: every day 14:00, notify: {title: A, bucket: user}}}",
      timeline: ["07:01 open", "07:02 leave", "08:00 travel to Europe/Istanbul"],
      ["true": "a fires once at 14:00 on day 1", "false": "a fires once at 16:00 on day 1"]),
    RuleStory(
      "bootStart", knobs: [exact], daily,
      timeline: ["07:01 open", "07:02 leave", "08:00 reboot", "09:00 unlock"],
      ["atBoot": "a fires once at 10:00 on day 1", "never": "a never"]),
    RuleStory(
      "updateStarts", knobs: [exact], daily, timeline: ["07:01 open", "07:02 leave", "08:00 update app"],
      ["true": "a fires once at 10:00 on day 1", "false": "a never"]),
    RuleStory(
      "updateLosesPending", knobs: [exact, "updateStarts: false"], daily,
      timeline: ["07:01 open", "07:02 leave", "08:00 update app"],
      ["true": "a never", "false": "a fires once at 10:00 on day 1"]),
    RuleStory(
      "forceStopRemoves", knobs: [exact], daily, timeline: ["07:01 open", "07:02 leave", "08:00 force stop"],
      ["true": "a never", "false": "a fires once at 10:00 on day 1"]),
    RuleStory(
      "locationOffRemovesRegions", knobs: ["regionLatency: 0"], shop, atShop,
      timeline: [
        "07:01 open", "07:02 leave", "08:00 location services off", "08:10 location services on",
        "12:00 enter shop",
      ],
      ["true": "a never", "false": "a fires once at 12:00"]),
    RuleStory(
      "initialTrigger", knobs: ["regionLatency: 0"], shop, atShop,
      timeline: [
        "07:01 open", "07:02 leave", "08:00 location services off", "08:05 enter shop",
        "08:10 location services on", "12:00 open",
      ],
      ["enter": "a fires once at 12:00", "none": "a never"]),
    RuleStory(
      "pendingAfterReboot", knobs: [exact, "bootStart: never"], daily,
      timeline: ["07:01 open", "07:02 leave", "08:00 reboot"],
      ["loseAll": "a never", "deliverMissed": "a fires once at 10:00 on day 1"]),
    RuleStory(
      "floatingMoves", knobs: [exact],
      "reminders: {a: {when: every day 14:00 ahead 2, notify: {title: A, bucket: user}}}",
      timeline: ["07:01 open", "07:02 leave", "08:00 travel to Europe/Istanbul"],
      ["true": "a fires once at 14:00 on day 1", "false": "a fires once at 16:00 on day 1"]),
    RuleStory(
      "jumpedOverShown", knobs: [exact],
      "reminders: {a: {when: every day 10:00 ahead 2, notify: {title: A, bucket: user}}}",
      timeline: ["07:01 open", "07:02 leave", "09:30 travel to Europe/Istanbul"],
      ["true": "a fires once at 11:30 on day 1", "false": "a never on day 1"]),
    RuleStory(
      "regionLimit", knobs: ["regionLatency: 0"],
      "places: {shop: {at: [52.52, 13.405], radius: 150 m}, home: {at: [52.6, 13.405], radius: 150 m}}",
      "reminders: {a: {when: enter shop, notify: {title: A, bucket: user}}, "
        + "b: {when: enter home, notify: {title: B, bucket: user}}}",
      // If its position is unknown, the app registers the first place by name.
      timeline: ["07:01 open", "07:02 leave", "12:00 enter shop"],
      ["100": "a fires once at 12:00", "1": "a never"]),
    RuleStory(
      "forceQuitUntilOpened", on: "ios", knobs: ["usageLag: 0"], "apps: [maps]",
      "reminders: {a: {when: open app maps, notify: {title: A, bucket: user}}}",
      timeline: ["07:01 open", "07:02 force quit", "09:00 unlock", "09:01 open app maps", "09:20 lock"],
      ["true": "a never", "false": "a fires once at 09:02"]),
    RuleStory(
      "forceQuitBlocksRegions", on: "ios", knobs: ["regionLatency: 0"], shop, atShop,
      timeline: ["07:01 open", "07:02 force quit", "09:00 enter shop"],
      ["100": "a never", "0": "a fires once at 09:00"]),
  ]

  private static let repeatStories: [RuleStory] = [
    RuleStory(
      "repeatsIgnoreStart", on: "ios",
      "reminders: {a: {when: every day 10:00 from 2026-03-04 ahead repeating, notify: {title: A, bucket: user}}}",
      timeline: ["07:01 open", "07:02 leave"],
      ["true": "a fires once on day 1", "false": "a never on day 1"]),
    RuleStory(
      "missedRepeatsOnce", on: "ios", repeating,
      timeline: ["07:01 open", "07:02 power off", "day 3 09:00 power on"],
      ["true": "a fires once at 09:00 on day 3", "false": "a fires twice at 09:00 on day 3"]),
    RuleStory(
      "missedRepeatsOnce", knobs: [exact, "pendingAfterReboot: deliverMissed"], repeating,
      timeline: ["07:01 open", "07:02 power off", "day 3 09:00 power on"],
      ["true": "a fires once at 09:00 on day 3", "false": "a fires twice at 09:00 on day 3"]),
  ]

  private static let permissionStories: [RuleStory] = [
    RuleStory(
      "reinstallResetsPermission", knobs: [exact], daily,
      timeline: ["07:01 open", "07:02 leave", "08:00 reinstall"],
      ["true": "a never", "false": "a fires once at 10:00 on day 1"]),
    RuleStory(
      "reinstallResetsPermission", on: "ios", daily,
      timeline: ["07:01 open", "07:02 leave", "08:00 reinstall"],
      ["true": "a never", "false": "a fires once at 10:00 on day 1"]),
    RuleStory(
      "targetVersion", knobs: [exact], "phone: {notifications: notDetermined}", daily,
      timeline: ["07:01 open", "07:02 prompt denied", "07:03 prompt authorized", "07:04 leave"],
      ["34": "a fires once at 10:00 on day 1", "32": "a never"]),
    RuleStory(
      "channels", knobs: [exact], daily, timeline: ["07:01 open", "07:02 leave", "07:03 channel a off"],
      ["true": "a never", "false": "a fires once at 10:00 on day 1"]),
    RuleStory(
      "criticalLevel", knobs: [exact, "focusHidesList: true"],
      "reminders: {a: {when: every day 10:00 ahead 2, notify: {title: A, bucket: critical}}}",
      timeline: ["07:01 open", "07:02 leave", "07:03 do not disturb on"],
      ["active": "a never", "timeSensitive": "a fires once at 10:00 on day 1"]),
    RuleStory(
      "focusHidesList", knobs: [exact, "focusHides: false"], daily,
      timeline: ["07:01 open", "07:02 leave", "07:03 do not disturb on"],
      ["true": "a never", "false": "a fires once at 10:00 on day 1"]),
  ]
}
