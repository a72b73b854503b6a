import TriggerModel

/// Checks that the figures of an account add up, and collects a problem for each figure that does not.
///
/// It runs for every reminder of every run, so it creates messages only when a check fails.
struct AccountCheck {
  private(set) var problems: [String] = []

  /// Checks that no part is negative or greater than the whole.
  mutating func parts(_ parts: KeyValuePairs<StaticString, Int>, of name: StaticString, _ whole: Int) {
    if whole < 0 { problems.append("\(name): \(whole)") }
    for (part, count) in parts where count < 0 || count > whole {
      problems.append("\(part): \(count), of \(name): \(whole)")
    }
  }

  /// Checks that the parts are not negative and add up to the whole.
  mutating func sum(_ name: StaticString, _ whole: Int, _ parts: KeyValuePairs<StaticString, Int>) {
    if whole != parts.reduce(0, { $0 + $1.value }) || parts.contains(where: { $0.value < 0 }) {
      let words = parts.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
      problems.append("\(name): \(whole), but \(words)")
    }
  }
}

extension ReminderAccount {
  /// The figures that do not add up, in words. The list is empty in a correct run.
  var problems: [String] {
    var check = AccountCheck()
    check.sum(
      "matches", matches, ["requests": requests, "replaced": replaced, "no request": noRequest.total])
    check.sum(
      "requests", requests,
      [
        "admitted": admitted, "denied": denied.total, "failed": failed, "dropped": dropped.total,
        "deferred": held,
      ])
    check.sum("due", dueRequests, ["made": requests - unfounded - early, "not made": unmade])
    check.parts(
      ["unfounded": unfounded, "early": early, "repeated": repeated], of: "requests", requests)
    check.parts(["unfounded for a reason": unfoundedBecause.values.reduce(0, +)], of: "unfounded", unfounded)
    check.sum("admitted", admitted, ["delivered": delivered, "lost": self.lost.total, "pending": pending])
    check.parts(["due after the end": ahead], of: "admitted and not delivered", admitted - delivered)
    check.parts(["exposed": exposed, "delivered and due": deliveredDue], of: "delivered", delivered)
    check.parts(["delivered and due": deliveredDue], of: "due", dueRequests)
    check.parts(["in the list only": listed, "with a known response": answerable], of: "exposed", exposed)
    check.sum(
      "with a known response", answerable,
      ["tapped": tapped, "dismissed": dismissed, "acted on": acted, "ignored": ignored])
    check.parts(["links of taps": links.attempted], of: "tapped", tapped)
    return check.problems + links.problems + negatives
  }

  private var negatives: [String] {
    let reasons = [noRequest, denied, blockedBy, dropped, lost].flatMap(\.negative)
    let causes = [notObserved, notRequested].flatMap { $0 }.filter { $0.value < 0 }.sorted { $0.key < $1.key }
    return reasons.map { "\($0.reason.name): \($0.count)" } + causes.map { "\($0.key): \($0.value)" }
  }
}

extension LinkAccount {
  var problems: [String] {
    var check = AccountCheck()
    check.sum(
      "links", attempted, ["routed": routed, "lost": lost.total, "in progress": onTheWay])
    check.parts(["fallbacks": fallbacks], of: "routed links", routed)
    return check.problems
  }
}

extension SurfaceAccount {
  var problems: [String] {
    var check = AccountCheck()
    check.sum("shown", shown, ["followed": followed, "dismissed": dismissed, "left open": leftOpen])
    check.sum(
      "guests reminded", remindedGuests,
      ["watched": watchedGuests, "not watched long enough": remindedGuests - watchedGuests])
    check.parts(["converted": converted], of: "guests watched", watchedGuests)
    return check.problems
  }
}

extension SignalAccount {
  var problems: [String] {
    var check = AccountCheck()
    check.sum("happened", truth, ["observed": matched, "never observed": missed.values.reduce(0, +)])
    check.sum("observed", observed, ["happened": matched, "did not happen": falseSigns])
    return check.problems
  }
}
