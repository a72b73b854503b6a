package import CivilTime
package import TriggerModel

/// How the rows of failing fact conditions follow what the app knows and the time that passes. What nobody
/// looks at costs nothing: the rows catch up when a bucket with such conditions is looked at.
extension Matcher {
  /// Notes the value of a fact, and since when it holds, whether it is a new one or not.
  ///
  /// - Returns: Whether the value is another; see ``FactStore/set(_:_:at:age:_:)``.
  @discardableResult
  package mutating func set(
    _ fact: FactID, _ value: FactValue, at moment: Moment, age: TimeSpan = .zero, _ zone: Zone
  ) -> Bool {
    hasChanged = true
    factSync.changed(fact)
    return facts.set(fact, value, at: moment, age: age, zone)
  }

  /// Brings the rows of failing fact conditions up to the view.
  @inline(never)
  package mutating func catchUpFacts(_ view: LocalView) {
    let factTables = tables.facts
    if factSync.isStale(at: view.moment) {
      for number in 0..<factTables.series.count { measure(number, view) }
    } else {
      for fact in factSync.changed where fact.index + 1 < factTables.firstSeries.count {
        let series = factTables.firstSeries[fact.index]..<factTables.firstSeries[fact.index + 1]
        for position in series { measure(Int(factTables.seriesOfFacts[Int(position)]), view) }
      }
      for number in 0..<factTables.timed.count {
        let series = Int(factTables.timed[number])
        if state.series[series].next <= view.moment.wall { measure(series, view) }
      }
    }
    var next = Instant.distantFuture
    for number in 0..<factTables.timed.count {
      next = min(next, state.series[Int(factTables.timed[number])].next)
    }
    factSync.caughtUp(at: view.moment, until: next)
  }

  /// Measures a quantity and looks again at the conditions whose constants it has passed.
  private mutating func measure(_ number: Int, _ view: LocalView) {
    let series = tables.facts.series[number]
    let measured = series.quantity.measured(in: facts, at: view.moment, zone: zone)
    let before = state.series[number]
    var after = SeriesState(isMeasured: true)
    if let measured {
      after.ordered = passed(series.ordered.range, measured)
      after.equal = passed(series.equal.range, measured)
      after.isKnown = true
      after.measured = measured
    }
    after.next = series.isTimed ? nextChange(of: series, after, measured, view) : .distantFuture
    state.series[number] = after
    if after.isKnown != before.isKnown || !before.isMeasured {
      settle(series.ordered.indices, around: after.ordered, isKnown: after.isKnown)
      settle(series.equal.indices, around: after.equal, isKnown: after.isKnown)
    } else if after.isKnown {
      let start = min(before.ordered.start, after.ordered.start)
      let end = max(before.ordered.end, after.ordered.end)
      settle(Int(start)..<Int(end), around: after.ordered, isKnown: after.isKnown)
      if after.equal.start != before.equal.start || after.equal.end != before.equal.end {
        settle(before.equal.indices, around: after.equal, isKnown: after.isKnown)
        settle(after.equal.indices, around: after.equal, isKnown: after.isKnown)
      }
    }
  }

  /// The terms of a series whose constants equal the quantity; empty, where they would stand, if none does.
  package func passed(_ range: Range32, _ measured: Measured) -> Range32 {
    func first(from start: UInt32, _ isBeyond: (Int) -> Bool) -> UInt32 {
      var (low, high) = (start, range.end)
      while low < high {
        let middle = (low + high) / 2
        if isBeyond(measured.order(tables.facts.terms[Int(middle)].constant)) {
          high = middle
        } else {
          low = middle + 1
        }
      }
      return low
    }
    let start = first(from: range.start) { $0 <= 0 }
    return Range32(start: start, end: first(from: start) { $0 < 0 })
  }

  /// When a quantity may come to another side of a constant, if nobody says anything.
  private func nextChange(
    of series: FactSeries, _ state: SeriesState, _ measured: Measured?, _ view: LocalView
  ) -> Instant {
    let wall = view.moment.wall
    var next = series.followsDate ? zone.nextDate(after: wall) : .distantFuture
    guard series.quantity.grows, case .bits(let bits) = measured else { return next }
    next = min(next, nextChange(past: state.ordered, in: series.ordered.range, bits, wall))
    return min(next, nextChange(past: state.equal, in: series.equal.range, bits, wall))
  }

  /// When a growing quantity comes past the next constant of a range.
  private func nextChange(
    past passed: Range32, in range: Range32, _ bits: Int64, _ wall: Instant
  ) -> Instant {
    if passed.start < passed.end { return wall + TimeSpan(milliseconds: 1) }
    guard passed.end < range.end else { return .distantFuture }
    let (span, isFar) = tables.facts.terms[Int(passed.end)].constant.subtractingReportingOverflow(bits)
    let longest = Instant.distantFuture.millisecondsSince1970 - wall.millisecondsSince1970
    return isFar || span >= longest ? .distantFuture : wall + TimeSpan(milliseconds: span)
  }

  /// Looks again at some terms of a quantity.
  ///
  /// - Parameter passed: The terms whose constants equal it; those before are less, those behind are greater.
  private mutating func settle(_ range: Range<Int>, around passed: Range32, isKnown: Bool) {
    guard isKnown else {
      for position in range { settle(tables.facts.terms[position], tables.facts.terms[position].ifUnknown) }
      return
    }
    // Of a condition with several constants the one that equals the quantity decides, so it has the last word.
    let equal = passed.indices.clamped(to: range)
    for position in range.lowerBound..<equal.lowerBound { settle(tables.facts.terms[position], 1) }
    for position in equal.upperBound..<range.upperBound { settle(tables.facts.terms[position], -1) }
    for position in equal { settle(tables.facts.terms[position], 0) }
  }

  /// - Parameter order: The sign of the difference of the quantity to the term's constant.
  @inline(__always)
  private mutating func settle(_ term: FactTerm, _ order: Int) {
    settle(term, term.comparison.holds(order) ? .holds : term.fails)
  }

  /// The first fact condition of a declaration that does not hold says why it does not match.
  @inline(__always)
  private mutating func settle(_ term: FactTerm, _ outcome: FactOutcome) {
    let declaration = Int(term.declaration)
    let before = state.failing[declaration]
    let bit: UInt16 = 1 &<< UInt16(term.place)
    var after = before
    after.places = outcome == .holds ? before.places & ~bit : before.places | bit
    let first = after.places & (~after.places &+ 1)
    if first == 0 {
      after.outcome = .holds
    } else if first == bit {
      after.outcome = outcome
    } else if before.places & (first &- 1) != 0 || before.places & first == 0 {
      after.outcome = outcomeOfPlace(first.trailingZeroBitCount, declaration)
    }
    state.failing[declaration] = after
    if after.outcome != before.outcome { turn(before, to: after.outcome) }
  }

  /// The entries of a declaration have another reason not to match than before.
  @inline(__always)
  package mutating func turn(_ before: FailingFacts, to outcome: FactOutcome) {
    if !before.hasSeveralBits { return turn(before.bit, to: outcome) }
    let list = Int(before.bit)
    for position in list + 1..<list + 1 + Int(tables.facts.severalBits[list]) {
      turn(tables.facts.severalBits[position], to: outcome)
    }
  }

  /// Why a condition that is known not to hold does not.
  @inline(never)
  private mutating func outcomeOfPlace(_ position: Int, _ declaration: Int) -> FactOutcome {
    let place = tables.facts.places[Int(tables.facts.firstPlace[declaration]) + position]
    return state.series[Int(place.series)].isKnown ? place.fails : place.ifUnknown
  }

  /// In the rows of all reasons, for which way it goes is not to be foretold.
  @inline(__always)
  private mutating func turn(_ bit: UInt32, to outcome: FactOutcome) {
    let rows = state.factRows.base + Int(bit / 64) &* FactOutcome.rows
    let mask: UInt64 = 1 &<< UInt64(bit % 64)
    (SIMD4(at: rows) & ~SIMD4(repeating: mask)).store(at: rows)
    rows[outcome.row & 3] |= outcome == .holds ? 0 : mask
  }
}
