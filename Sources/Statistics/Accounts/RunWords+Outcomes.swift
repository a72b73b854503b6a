package import TriggerModel

extension RunWords {
  /// What became of a reminder at a time, in words: what ended then, what the app did not know, and what came of that
  /// which was due then, however late, or had been planned for it.
  ///
  /// - Parameters:
  ///   - isThen: Whether a time is the one that is asked about.
  ///   - isTold: Whether an ending is to be told.
  package func outcomes(
    of reminder: ReminderID, in accounts: RunAccounts, at isThen: (DueTime) -> Bool,
    isTold: (RunAccounts.Ending) -> Bool = { _ in true }
  ) -> [String] {
    let endings = accounts.endings.filter { $0.reminder == reminder && isTold($0) }
    func happenedThen(_ ending: RunAccounts.Ending) -> Bool {
      isThen(DueTime(instant: ending.instant, moment: ending.moment))
    }
    let own = accounts.appeared.filter { $0.request.reminder == reminder }
    let fires = own.filter { fire in
      let hasFiredThen = isThen(DueTime(instant: fire.instant, moment: fire.moment))
      return hasFiredThen || (fire.due.map(isThen) ?? false)
    }
    let lateFires = fires.filter { !isThen(DueTime(instant: $0.instant, moment: $0.moment)) }
    let elsewhere = endings.compactMap { ending -> (ending: RunAccounts.Ending, due: Moment)? in
      guard let due = ending.due, isThen(due), !happenedThen(ending) else { return nil }
      return (ending, due.moment)
    }
    let isLate = { (ending: RunAccounts.Ending, due: Moment) in due.elapsed(since: ending.moment) == .zero }
    let untold = accounts.untold(reminder).filter { isThen($0.due) }
    let late = elsewhere.filter(isLate).map {
      (how($0.ending), "due at \(time($0.due)), and \(describe($0.ending))")
    }
    return summarise(endings.filter(happenedThen)) + grouped(untold.map { ($0.cause.name, describe($0)) })
      + grouped(
        lateFires.map { fire in
          ("", "due at \(time(fire.due?.moment ?? fire.moment)), and fired at \(time(fire.moment))")
        }) + grouped(late)
      + (fires.isEmpty ? plans(elsewhere.filter { !isLate($0.ending, $0.due) }) : [])
  }

  /// Of plans that were made and taken back again and again, the latest for each time.
  private func plans(_ endings: [(ending: RunAccounts.Ending, due: Moment)]) -> [String] {
    var latest: [Instant: Int] = [:]
    for (index, ending) in endings.enumerated() { latest[ending.due.wall] = index }
    return grouped(
      latest.values.sorted().map { index in
        let (ending, due) = endings[index]
        // That its place was taken says nothing of what else came then.
        let way = ending.kind == .replaced ? "lost: \(ending.reason.name)" : how(ending)
        return (way, "planned for \(time(due)), and \(way) at \(time(ending.moment))")
      })
  }

  /// Of those alike the first, with how many more there are.
  private func grouped(_ lines: [(kind: String, words: String)]) -> [String] {
    var kinds: [String] = []
    var groups: [String: (words: String, count: Int)] = [:]
    for line in lines {
      if groups[line.kind] == nil { kinds.append(line.kind) }
      groups[line.kind, default: (line.words, 0)].count += 1
    }
    return kinds.compactMap { groups[$0] }.map {
      $0.count == 1 ? $0.words : "\($0.words), and \($0.count - 1) more"
    }
  }

  /// "due, and the app slept through it: notWoken at 2026-03-02 20:00"
  package func describe(_ untold: Untold) -> String {
    let words =
      switch untold.cause {
      case .notWoken: "the app slept through it"
      case .fallen: "the request that the system was to repeat is gone"
      case _ where untold.cause.isLocationPermission:
        "the location permission does not let the app know of it"
      case _ where untold.cause.isScreenTime: "the person does not let the app know of the other app"
      case .notTold, .declined: "the app did not know"
      }
    return "due, and \(words): \(untold.cause.name) at \(time(untold.due.moment))"
  }
}
