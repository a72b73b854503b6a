import TextFormats

/// Everyday words for the sentences of the grammar, such as `leave gym` for `exit gym`.
///
/// Authors who do not know the grammar use everyday words. A sentence that cannot be parsed is divided into ideas and
/// values. An idea is a concept that several words can express. The error message suggests the form with the same
/// ideas and values, in any order. It never suggests a form that the grammar cannot parse.
enum Wordings {
  /// The sections of a file that contain sentences.
  enum Section {
    case timeline, triggers, conditions
  }

  /// A form of the grammar, and the combinations of ideas and values that express it.
  struct Form {
    /// The form, or advice if the grammar has no such form. Slots such as `PLACE` are replaced by values.
    let text: String
    let isAdvice: Bool
    /// The alternative meanings. Each is a list of ideas and slots. A `/` separates alternative ideas.
    let meanings: [[String]]

    init(_ text: String, _ meanings: String...) {
      self.init(text, isAdvice: false, meanings.map { $0.split(separator: " ").map(String.init) })
    }

    init(advice: String, _ meanings: String...) {
      self.init(advice, isAdvice: true, meanings.map { $0.split(separator: " ").map(String.init) })
    }

    init(_ text: String, isAdvice: Bool = false, _ meanings: [[String]]) {
      self.text = text
      self.isAdvice = isAdvice
      self.meanings = meanings
    }
  }

  static func forms(_ section: Section) -> [Form] {
    switch section {
    case .timeline: timeline
    case .triggers: triggers
    case .conditions: conditions
    }
  }

  /// Forms for actions of a person, which the time line and the triggers share. Triggers use other words for
  /// charging.
  private static let plugIn = Form(
    "plug in", "connect", "connect charger", "charge", "charge begin", "on charger", "charger in")
  private static let unplug = Form(
    "unplug", "disconnect", "disconnect charger", "delete charger", "charge stop", "off charger",
    "out charger",
    "not charge")
  private static let unlock = Form("unlock", "unlock", "unlock screen", "on screen", "open phone")
  private static let open = Form("open", "open app", "open", "begin app")
  private static let enter = Form(
    "enter PLACE", "enter PLACE", "in PLACE", "go PLACE", "travel PLACE")
  private static let exit = Form(
    "exit PLACE", "exit PLACE", "out PLACE", "go out PLACE", "enter out PLACE")

  private static let timeline = [
    enter, exit, plugIn, unplug, unlock, open,
    Form("lock", "lock", "off screen"),
    Form("open app APP", "open APP", "begin APP", "enter APP"),
    Form(
      "leave", "close app", "close", "background", "exit app", "home", "go home", "go background"),
    Form("force quit", "kill app", "kill", "swipe app", "close swipe", "swipe out app"),
    Form("terminate", "crash", "system kill app", "system close app", "system stop app"),
    Form("force stop", "kill stop"),
    Form("reboot", "restart"),
    Form("power off", "off phone", "shut", "die phone", "stop phone"),
    Form("power on", "on phone", "begin phone"),
    Form("press done on REMINDER", "tap complete REMINDER"),
    Form("tap REMINDER", "tap REMINDER", "open REMINDER", "tap notification"),
    Form("dismiss REMINDER", "dismiss/clear/close/swipe REMINDER", "dismiss/swipe notification"),
    Form("ignore REMINDER", "ignore REMINDER", "ignore notification"),
    Form("clear notifications", "clear notification", "dismiss/clear/delete all notification"),
    Form("snooze REMINDER for DURATION", "snooze REMINDER DURATION"),
    Form("snooze REMINDER until TIME", "snooze REMINDER TIME"),
    Form("complete REMINDER", "complete REMINDER"),
    Form("cancel REMINDER", "cancel/stop REMINDER"),
    Form("delete REMINDER", "delete REMINDER"),
    Form("create REMINDER", "create REMINDER"),
    Form("battery PERCENT", "battery PERCENT", "charge PERCENT"),
    Form("airplane mode off", "airplane off", "airplane stop"),
    Form("airplane mode on", "airplane on", "airplane", "airplane begin"),
    Form("focus off", "focus off", "focus stop"),
    Form("focus on", "focus on", "focus", "focus begin"),
    Form("low power mode off", "lowPower off"),
    Form("low power mode on", "lowPower on", "lowPower"),
    Form("background refresh off", "refresh off"), Form("background refresh on", "refresh on"),
    Form("location services off", "location off"), Form("location services on", "location on"),
    Form("location denied", "deny location"), Form("location always", "grant location"),
    Form("travel to ZONE", "travel/go/enter ZONE", "zone ZONE", "zone"),
    Form("deny notifications", "deny", "deny notification", "off permission", "off notification"),
    Form("grant notifications", "grant", "grant notification", "on permission", "on notification"),
    Form("reinstall", "reinstall", "install again", "delete install"),
    Form("update app", "update", "install update"),
    Form("set clock +DURATION", "clock ahead DURATION", "clock DURATION"),
    Form("set clock -DURATION", "clock back DURATION"),
    Form(
      advice: "write the difference from the real time, such as 'set clock +1 h'", "clock TIME",
      "clock"),
    Form("set FACT = NUMBER", "FACT NUMBER"), Form("set FACT = true", "FACT true"),
    Form("set FACT = false", "FACT false"), Form("forget FACT", "forget FACT"),
  ]

  private static let triggers = [
    enter, exit, unlock, open,
    Form("stay in PLACE for DURATION", "stay PLACE DURATION", "stay in PLACE DURATION", "in PLACE DURATION"),
    Form("charging starts", plugIn.meanings), Form("charging stops", unplug.meanings),
    Form("open app APP", "open APP", "begin APP", "APP"),
    Form("fact FACT changes", "FACT", "update FACT"),
    Form("closed for NUMBER days at TIME", "close NUMBER day TIME", "not open NUMBER day TIME"),
    Form("every NUMBER weeks on DAYS at TIME from START", "NUMBER week DAYS TIME"),
    Form("every NUMBER weeks at TIME from START", "NUMBER week TIME"),
    Form("every NUMBER days at TIME from START", "NUMBER day TIME", "every NUMBER day TIME"),
    Form("ORDINAL DAYS of the month at TIME", "ORDINAL DAYS TIME", "ORDINAL DAYS month TIME"),
    Form("monthly on NUMBER at TIME", "month NUMBER TIME", "month day NUMBER TIME"),
    Form("monthly on 1 at TIME", "month TIME"),
    Form("on DATE at TIME", "DATE TIME"),
    Form("every weekday at TIME", "weekday TIME", "every weekday TIME", "weekday"),
    Form("every weekend at TIME", "weekend TIME", "every weekend TIME", "weekend"),
    Form(
      "every DAYS at TIME", "DAYS TIME", "every DAYS TIME", "week DAYS TIME", "DAYS", "every DAYS"),
    Form("every week at TIME", "week TIME", "every week TIME"),
    Form(
      "every day at TIME", "TIME", "day TIME", "every TIME", "every day TIME", "every day", "day"),
  ]

  private static let conditions = [
    Form("charging", "charge", "connect", "connect charger", "on charger", "charger"),
    Form(
      "not charging", "not charge", "not connect", "not charger", "not on charger", "disconnect"),
    Form("inside PLACE", "PLACE", "in PLACE", "enter PLACE"),
    Form("outside PLACE", "out PLACE", "not PLACE", "not in PLACE", "exit PLACE", "exit"),
    Form("between TIME and TIME", "between TIME TIME", "TIME TIME", "after TIME before TIME"),
    Form("after TIME", "after TIME", "out TIME"), Form("before TIME", "before TIME"),
    Form("weekdays", "weekday", "not weekend"), Form("weekend", "weekend", "not weekday"),
    Form("on DAYS", "DAYS", "on DAYS", "every DAYS"),
    Form(advice: "write 'repeat: daily' in the reminder", "once day", "not today", "once today"),
    Form(advice: "write 'repeat: weekly' in the reminder", "once week"),
    Form(advice: "write 'repeat: monthly' in the reminder", "once month"),
    Form(advice: "write 'repeat: once' in the reminder", "once"),
    Form(
      advice:
        "no condition is about the battery level; declare a fact, and set it in the time line",
      "battery PERCENT", "battery less PERCENT", "battery more PERCENT"),
    Form("FACT < NUMBER", "less FACT NUMBER"), Form("FACT > NUMBER", "more FACT NUMBER"),
    Form("FACT = NUMBER", "FACT NUMBER"),
    Form("FACT is true", "FACT", "FACT true"), Form("FACT is false", "not FACT", "FACT false"),
  ]

  /// The ideas, each with its words. Inflected forms of the words, such as `opened`, are recognised too.
  static let words: [(idea: String, words: String)] = [
    ("open", "open|launch|use|foreground|tap icon"), ("begin", "begin|start"), ("stop", "stop|end"),
    ("close", "close|quit|minimise|minimize|dismiss app"), ("background", "background"),
    ("home", "home"),
    ("kill", "kill|force quit|force close|force"), ("swipe", "swipe"), ("crash", "crash"),
    ("system", "system"),
    ("enter", "enter|arrive|reach|come|came|get|drive|drove|walk|cycle|visit"), ("go", "go|went"),
    ("stay", "stay|dwell|remain|linger"),
    ("exit", "exit|leave|left|depart"), ("in", "in|inside|near|within|into"),
    ("out", "out|outside|away|from"), ("on", "on|enable|activate"),
    ("off", "off|disable|deactivate|down"), ("connect", "connect|plug|plug in|attach|insert"),
    ("disconnect", "disconnect|unplug|detach|plug out"), ("charge", "charge"),
    ("charger", "charger|cable|power cable|power cord|dock|outlet|socket|mains|power"),
    ("unlock", "unlock|wake"), ("lock", "lock"), ("screen", "screen|display"),
    ("restart", "restart|reboot|boot"), ("shut", "shut|shut down|shutdown|power down"),
    ("die", "die"),
    ("phone", "phone|iphone|device|handset"), ("app", "app|application"),
    ("notification", "notification|alert|banner|push|reminder|message"),
    ("tap", "tap|click|press|touch"),
    ("dismiss", "dismiss"), ("ignore", "ignore"), ("snooze", "snooze|postpone|delay"),
    ("clear", "clear"),
    ("all", "all"), ("battery", "battery"), ("airplane", "airplane|aeroplane|flight|plane"),
    ("focus", "focus|do not disturb|dnd"),
    ("lowPower", "low power|battery saver|power saving|power saver"),
    ("refresh", "refresh|background refresh|background app refresh"), ("location", "location|gps"),
    ("permission", "permission|access|authorization|authorisation"),
    ("deny", "deny|revoke|refuse|block|reject|decline|disallow"),
    ("grant", "grant|allow|accept|approve|permit|give"), ("travel", "travel|fly|move|land"),
    ("zone", "zone|timezone|time zone"), ("clock", "clock|time"),
    ("set", "set|change|adjust|becomes"),
    ("reinstall", "reinstall"), ("install", "install"), ("again", "again"),
    ("update", "update|upgrade"),
    ("delete", "delete|remove|uninstall"), ("create", "create|add"), ("cancel", "cancel"),
    ("complete", "complete|done|finish|mark"), ("forget", "forget"), ("ahead", "ahead|forward"),
    ("back", "back"),
    ("once", "once|one time"), ("most", "most|max|maximum|only|just"), ("today", "today|already"),
    ("not", "not|no|never|without|yet"), ("every", "every|each|daily"), ("day", "day"),
    ("week", "week|weekly"),
    ("month", "month|monthly"), ("weekday", "weekday|workday|working day"), ("weekend", "weekend"),
    ("after", "after|past|later|since"), ("before", "before|until|till|by"), ("between", "between"),
    ("less", "<|<=|less|under|below|fewer"), ("more", ">|>=|more|over|above|greater"),
    ("equal", "=|==|equal"),
    ("true", "true|yes"), ("false", "false"),
  ]

  /// The ideas of a sentence that a form need not contain.
  static let light: Set<String> = [
    "phone", "app", "in", "notification", "most", "set", "equal", "permission",
  ]
  /// The words that express no idea.
  static let noise = Set(
    "a an the my their his her i user person it is was are am be been gets got has have to as at of for by while when if during and turn switch put via with than mode service icon"
      .split(separator: " ").map(String.init))
}

extension Reader {
  /// Parses a sentence. If this fails and a form with the same meaning exists, replaces the errors with a single
  /// error that suggests the form.
  ///
  /// - Parameter meaning: The meaning of the sentence, such as "an action".
  func read<Value>(
    _ words: Words, as meaning: String, in section: Wordings.Section, _ read: (Words) -> Value?
  ) -> Value? {
    let before = mark
    if let value = read(words) { return value }
    // After 20 errors, do not search for hints.
    guard mark.errors > before.errors, before.errors < 20 else { return nil }
    // An error inside the sentence is more precise than a hint that ignores an unknown word.
    let isAtStart = firstError(since: before).map { $0.position == words.position } ?? true
    let hint = Wordings.hint(for: words.texts, in: section, allowsUnknown: isAtStart, self) { form in
      let node = Node(content: .scalar(form), position: words.position)
      let failed = mark
      defer { takeBack(to: failed) }
      return read(Words(form, of: node)) != nil && mark.errors == failed.errors
    }
    guard let hint else { return nil }
    takeBack(to: before)
    error("'\(words.joined.text)' is not \(meaning)", at: words.position, hint: hint)
    return nil
  }
}
