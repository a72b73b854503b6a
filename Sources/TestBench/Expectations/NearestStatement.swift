import CivilTime
import ScenarioModel
import Simulation
import Statistics
import TextFormats
import TriggerModel

extension ExpectationEvaluator {
  /// Returns the nearest true claim that can replace a false one, or `nil` if there is none. Only the author
  /// may change bounds of metrics and the reminders of `only`, because they are goals.
  func nearestTruth(to claim: Expectation.Claim) -> Expectation.Claim? {
    candidates(for: claim).first { candidate in
      let statement = Expectation(claim: candidate, text: "", position: .start)
      return candidate != claim && judge(statement).passed
    }
  }

  private func candidates(for claim: Expectation.Claim) -> [Expectation.Claim] {
    switch claim {
    case .fires(let reminder, let count, let occasion):
      let moments = appeared(reminder, occasion).map(\.moment)
      return statements(count, occasion, moments).map { .fires(reminder, $0.count, $0.occasion) }
    case .shows(let reminder, let title, let count, let occasion):
      let all = appeared(reminder, occasion)
      // Prefer a different title at the stated time to the same title at a different time.
      let others = all.filter { words.isIn(occasion, $0.moment) }.map { self.title(of: $0) }.distinct
      return ([title] + others + [title]).enumerated().flatMap { place, shown in
        let moments = all.filter { self.title(of: $0) == shown }.map(\.moment)
        let isThen = moments.contains { words.isIn(occasion, $0) }
        guard place > others.count || isThen || count == .exactly(0) else { return [Expectation.Claim]() }
        return statements(count, occasion, moments).map {
          .shows(reminder, title: shown, $0.count, $0.occasion)
        }
      }
    case .ends(let reminder, .doubled(let cause), let count, let occasion):
      return statements(count, occasion, doubled(reminder, cause, occasion)).map {
        .ends(reminder, .doubled(cause), $0.count, $0.occasion)
      }
    case .ends(let reminder, let ending, let count, let occasion):
      return others(reminder, ending, count, occasion)
    case .app(let claim):
      let moments = accounts.app.entries.filter { $0.event == claim.event }.map(\.moment)
      return statements(claim.count, claim.occasion, moments).map {
        .app(AppClaim(event: claim.event, words: claim.words, count: $0.count, occasion: $0.occasion))
      }
    case .gate(let name, _):
      return gates.filter { $0.gate.name == name }.map { .gate(name, $0.verdict) }
    case .exact(let fires):
      // In a run of one day, a fire is identified without a date.
      let days = words.localDays > 1 ? [true, false] : [false, true]
      return days.map { .exact(exact(fires, withDates: $0)) }
    case .view(let claim): return [.view(verdict(of: claim).truth)]
    case .metric, .only: return []
    }
  }

  private typealias Statement = (count: Expectation.Count, occasion: Occasion)

  /// Returns true pairs of count and occasion, nearest first. If there was no event on the occasion, the
  /// first pairs keep the count and change the time.
  private func statements(
    _ count: Expectation.Count, _ occasion: Occasion, _ moments: [Moment]
  ) -> [Statement] {
    let inside = moments.count { words.isIn(occasion, $0) }
    var statements: [Statement] = []
    if inside > 0 {
      statements.append((count.with(inside), occasion))
    } else if count != .exactly(0) {
      for moved in moved(occasion, among: moments) {
        statements.append((count, moved))
        statements.append((count.with(moments.count { words.isIn(moved, $0) }), moved))
      }
    }
    return statements + [(.exactly(inside), occasion)]
  }

  /// Returns the occasion moved to the nearest event.
  private func moved(_ occasion: Occasion, among moments: [Moment]) -> [Occasion] {
    guard let nearest = nearest(to: occasion, in: moments, \.self), occasion != .always else { return [] }
    let local = words.local(nearest)
    var moved = Occasion(time: nil, date: occasion.date == nil ? nil : local.date, device: occasion.device)
    if let time = occasion.time {
      let step: Int32 = (time.to - time.from + 86_400_000) % 86_400_000 == 1_000 ? 1_000 : 60_000
      let from = local.millisecondOfDay / step * step
      moved.time = Occasion.Range(from: from, to: (from + step) % 86_400_000)
    }
    // An offset distinguishes the two occurrences of a repeated local time.
    var exact = moved
    exact.offset = program.scenario.zones[nearest.zone].offset(at: nearest.wall)
    return moved.time == nil ? [moved] : occasion.offset == nil ? [moved, exact] : [exact, moved]
  }

  private func others(
    _ reminder: ReminderID, _ ending: Expectation.Ending, _ count: Expectation.Count, _ occasion: Occasion
  ) -> [Expectation.Claim] {
    let all = accounts.endings.filter { $0.reminder == reminder && isOn(occasion, $0.device) }
    func moments(_ ending: Expectation.Ending) -> [Moment] {
      all.filter { matches($0, ending) }.map(\.moment)
    }
    let inside = moments(ending).contains { words.isIn(occasion, $0) }
    var claims: [Expectation.Claim] = []
    // Try the same ending with another reason or release time.
    if !inside, count != .exactly(0) {
      let endings = all.filter { words.isIn(occasion, $0.moment) }
        .compactMap { ending.like($0, in: program.scenario.zones[$0.moment.zone]) }
      for ending in endings.distinct {
        let number = moments(ending).count { words.isIn(occasion, $0) }
        claims.append(.ends(reminder, ending, count, occasion))
        claims.append(.ends(reminder, ending, count.with(number), occasion))
      }
    }
    return claims
      + statements(count, occasion, moments(ending)).map { .ends(reminder, ending, $0.count, $0.occasion) }
  }

  /// Returns the actual fires in the order of the list. Replaces a missing fire by an unexpected fire of the
  /// same reminder, and appends the remaining fires.
  private func exact(_ wanted: [Expectation.ExactFire], withDates: Bool) -> [Expectation.ExactFire] {
    let appeared = accounts.appeared
    let pairs = pairs(wanted, appeared)
    func fire(_ happened: RunAccounts.Fire) -> Expectation.ExactFire {
      let local = words.local(happened.moment)
      let from = local.millisecondOfDay / 60_000 * 60_000
      let time = Occasion.Range(from: from, to: (from + 60_000) % 86_400_000)
      return Expectation.ExactFire(
        reminder: happened.request.reminder,
        occasion: Occasion(time: time, date: withDates ? local.date : nil))
    }
    // Reverse the unexpected fires of each reminder so that `popLast` returns the earliest one.
    var others = Dictionary(grouping: pairs.unexpected.reversed()) { appeared[$0].request.reminder }
    var fires: [Expectation.ExactFire?] = wanted
    for index in pairs.missing {
      fires[index] = others[wanted[index].reminder]?.popLast().map { fire(appeared[$0]) }
    }
    return fires.compactMap(\.self) + others.values.flatMap(\.self).sorted().map { fire(appeared[$0]) }
  }
}

extension Expectation.Count {
  /// Returns the same bound with another number. A bound of 0 becomes "never".
  fileprivate func with(_ number: Int) -> Expectation.Count {
    switch self {
    case .atLeast: number == 0 ? .exactly(0) : .atLeast(number)
    case .atMost: number == 0 ? .exactly(0) : .atMost(number)
    case .exactly: .exactly(number)
    }
  }
}

extension Expectation.Ending {
  /// Returns a claim about an ending of the same kind, or `nil` if the kind differs.
  fileprivate func like(_ ending: RunAccounts.Ending, in zone: Zone) -> Expectation.Ending? {
    switch (self, ending.kind) {
    case (.denied, .denied): .denied(ending.reason)
    case (.deferred(let reason, let until), .deferred):
      .deferred(
        reason == nil ? nil : ending.reason,
        until: until == nil ? nil : ending.until.map { zone.local(at: $0).millisecondOfDay })
    case (.notRequested, .notRequested): .notRequested(ending.reason)
    case (.lost, .lost), (.lost, .failed): .lost(ending.reason)
    default: nil
    }
  }
}
