import SimulationKernel
public import TriggerModel

extension SimulatedPerson {
  /// When the person turns notifications off if nothing more is shown; nil: not by what was shown so far.
  public var optOut: Instant? { meter.end }

  /// The probability that the person taps a notification shown now.
  public func tapProbability(of shown: Shown) -> Double {
    model.probability(of: shown.kind, situation(of: shown))
  }

  /// Shows a notification. Where the phone is in use, that is the first look at it.
  ///
  /// - Precondition: shown in the order of time.
  public mutating func show(_ shown: Shown, into responses: inout [Response]) {
    defer { note(shown) }
    guard let action = action(on: shown) else { return }
    intentions.append(
      Intention(
        request: shown.request, action: action, looksLeft: looks(at: shown), deadline: deadline(of: shown)))
    if shown.isInUse { look(from: intentions.count - 1, at: shown.at, into: &responses) }
  }

  /// Shows a notification on a phone whose unlocks nobody states: the time to an answer is drawn.
  public mutating func showWithoutUnlocks(_ shown: Shown) -> Response? {
    defer { note(shown) }
    guard let action = action(on: shown) else { return nil }
    let median = Double(model.medianLatency(platform).milliseconds)
    let latency = delays.named(shown.reminder)
      .logNormal(median: median, sigma: model[.latencySigma], occurrence(shown.at))
    let at = shown.at + TimeSpan(milliseconds: Int64(min(latency, 1e15)))
    return at < deadline(of: shown) ? Response(request: shown.request, action: action, at: at) : nil
  }

  /// Shows a notification that somebody else answers: it tires the person as any other.
  public mutating func showAnsweredElsewhere(_ shown: Shown) { note(shown) }

  /// Whether anything waits for the person's next look at the phone: otherwise nothing comes of an unlock.
  public var isAboutToLook: Bool { !intentions.isEmpty }

  /// The phone was unlocked: a look at everything that waits for an answer.
  public mutating func unlock(at now: Instant, into responses: inout [Response]) {
    look(from: 0, at: now, into: &responses)
  }

  /// The notification is gone: taken back, replaced, or answered by something else.
  public mutating func forget(_ request: RequestID) {
    intentions.removeAll { $0.request == request }
  }

  // MARK: What follows from whom, what and when

  private func occurrence(_ instant: Instant) -> UInt64 {
    UInt64(bitPattern: (instant - start).milliseconds)
  }

  /// Nil: the person ignores it. One draw decides: what becomes likelier to be tapped is never dismissed or
  /// ignored instead by other luck.
  private func action(on shown: Shown) -> Action? {
    let luck = responses.named(shown.reminder).unit(occurrence(shown.at))
    let tapped = tapProbability(of: shown)
    if luck < tapped { return .tap }
    return luck < 1 - min(model[.ignoredShare], 1 - tapped) ? .dismiss : nil
  }

  /// The how-manieth look at the phone answers it: geometric, from 1.
  private func looks(at shown: Shown) -> UInt32 {
    let share = model.chanceTaken(platform)
    if share >= 1 { return 1 }
    if share <= 0 { return .max }
    let luck = delays.named(shown.reminder).unit(occurrence(shown.at))
    let misses = DeterministicMath.log(1 - luck) / DeterministicMath.log(1 - share)
    return 1 + UInt32(min(misses, 1e9))
  }

  private func deadline(of shown: Shown) -> Instant {
    min(shown.expiresAt, shown.at + model.tapWindow)
  }

  private func situation(of shown: Shown) -> TapModel.Situation {
    var situation = TapModel.Situation()
    situation.eagerness = traits.eagerness
    situation.hour = shown.hour
    situation.fatigue = fatigue(at: shown.at)
    situation.sinceSameType = last.first { $0.type == shown.type }.map { shown.at - $0.at }
    situation.isInUse = shown.isInUse
    return situation
  }

  private func fatigue(at instant: Instant) -> Double {
    fatigue == 0 ? 0 : fatigue * TapModel.decay(instant - fatigueAt, halfLife: model.fatigueHalfLife)
  }

  // MARK: What the person remembers

  private mutating func note(_ shown: Shown) {
    fatigue = fatigue(at: shown.at) + 1
    fatigueAt = shown.at
    meter.show(at: shown.at)
    if let index = last.firstIndex(where: { $0.type == shown.type }) {
      last[index].at = shown.at
    } else {
      last.append(LastShown(type: shown.type, at: shown.at))
    }
  }

  private mutating func look(from first: Int, at now: Instant, into responses: inout [Response]) {
    var kept = first
    for index in first..<intentions.count {
      var intention = intentions[index]
      if now >= intention.deadline { continue }
      intention.looksLeft -= 1
      if intention.looksLeft == 0 {
        // Seen in time, and answered while it is there.
        responses.append(
          Response(request: intention.request, action: intention.action, at: now + model.reaction))
      } else {
        intentions[kept] = intention
        kept += 1
      }
    }
    intentions.removeLast(intentions.count - kept)
  }
}
