package import CivilTime
package import TriggerModel

/// Updates the rows of failing fact conditions when facts change or time passes.
///
/// The update is lazy: it is made when a bucket with fact conditions is evaluated.
extension Matcher {
  /// Sets the value of a fact and the instant from which it holds, even if the value is unchanged.
  ///
  /// - Returns: Whether the value changed. See ``FactStore/set(_:_:at:age:_:)``.
  @discardableResult
  package mutating func set(
    _ fact: FactID, _ value: FactValue, at moment: Moment, age: TimeSpan = .zero, _ zone: Zone
  ) -> Bool {
    hasChanged = true
    factSync.changed(fact)
    return facts.set(fact, value, at: moment, age: age, zone)
  }

  /// Updates the rows of failing fact conditions for the view.
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
    factSync.markUpToDate(at: view.moment, until: next)
  }

  /// Measures a quantity, and updates the conditions whose constants are between its old and its new value.
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
      updateTerms(series.ordered.indices, around: after.ordered, isKnown: after.isKnown)
      updateTerms(series.equal.indices, around: after.equal, isKnown: after.isKnown)
    } else if after.isKnown {
      let start = min(before.ordered.start, after.ordered.start)
      let end = max(before.ordered.end, after.ordered.end)
      updateTerms(Int(start)..<Int(end), around: after.ordered, isKnown: after.isKnown)
      if after.equal.start != before.equal.start || after.equal.end != before.equal.end {
        updateTerms(before.equal.indices, around: after.equal, isKnown: after.isKnown)
        updateTerms(after.equal.indices, around: after.equal, isKnown: after.isKnown)
      }
    }
  }

  /// Returns the range of terms whose constant equals the quantity. If there are none, the range is empty and
  /// at the quantity's position among the constants.
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

  /// Returns the earliest instant at which a quantity may pass a constant without an event.
  private func nextChange(
    of series: FactSeries, _ state: SeriesState, _ measured: Measured?, _ view: LocalView
  ) -> Instant {
    let wall = view.moment.wall
    var next = series.followsDate ? zone.nextDate(after: wall) : .distantFuture
    guard series.quantity.grows, case .bits(let bits) = measured else { return next }
    next = min(next, nextChange(past: state.ordered, in: series.ordered.range, bits, wall))
    return min(next, nextChange(past: state.equal, in: series.equal.range, bits, wall))
  }

  /// Returns the instant at which a growing quantity passes the next constant of a range.
  private func nextChange(
    past passed: Range32, in range: Range32, _ bits: Int64, _ wall: Instant
  ) -> Instant {
    if passed.start < passed.end { return wall + TimeSpan(milliseconds: 1) }
    guard passed.end < range.end else { return .distantFuture }
    let (span, isFar) = tables.facts.terms[Int(passed.end)].constant.subtractingReportingOverflow(bits)
    let longest = Instant.distantFuture.millisecondsSince1970 - wall.millisecondsSince1970
    return isFar || span >= longest ? .distantFuture : wall + TimeSpan(milliseconds: span)
  }

  /// Updates terms of a quantity.
  ///
  /// - Parameter passed: The terms whose constants equal the quantity. Earlier constants are less than the
  ///   quantity, and later ones are greater.
  private mutating func updateTerms(_ range: Range<Int>, around passed: Range32, isKnown: Bool) {
    guard isKnown else {
      for position in range {
        updateTerm(tables.facts.terms[position], tables.facts.terms[position].ifUnknown)
      }
      return
    }
    // If a condition has several constants, the one that equals the quantity decides, so update it last.
    let equal = passed.indices.clamped(to: range)
    for position in range.lowerBound..<equal.lowerBound { updateTerm(tables.facts.terms[position], 1) }
    for position in equal.upperBound..<range.upperBound { updateTerm(tables.facts.terms[position], -1) }
    for position in equal { updateTerm(tables.facts.terms[position], 0) }
  }

  /// - Parameter order: The sign of the quantity minus the term's constant.
  @inline(__always)
  private mutating func updateTerm(_ term: FactTerm, _ order: Int) {
    updateTerm(term, term.comparison.holds(order) ? .holds : term.fails)
  }

  /// Updates the outcome of a declaration. The first fact condition that fails determines the reason.
  @inline(__always)
  private mutating func updateTerm(_ term: FactTerm, _ outcome: FactOutcome) {
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
    if after.outcome != before.outcome { moveEntries(before, to: after.outcome) }
  }

  /// Moves the entries of a declaration to the row of another outcome.
  @inline(__always)
  package mutating func moveEntries(_ before: FailingFacts, to outcome: FactOutcome) {
    if !before.hasSeveralBits { return moveEntry(before.bit, to: outcome) }
    let list = Int(before.bit)
    for position in list + 1..<list + 1 + Int(tables.facts.severalBits[list]) {
      moveEntry(tables.facts.severalBits[position], to: outcome)
    }
  }

  /// Returns the outcome of a condition that is known to fail.
  @inline(never)
  private mutating func outcomeOfPlace(_ position: Int, _ declaration: Int) -> FactOutcome {
    let place = tables.facts.places[Int(tables.facts.firstPlace[declaration]) + position]
    return state.series[Int(place.series)].isKnown ? place.fails : place.ifUnknown
  }

  /// Moves a bit to the row of its outcome. Writes the rows of all reasons without branches, because the
  /// outcome is unpredictable.
  @inline(__always)
  private mutating func moveEntry(_ bit: UInt32, to outcome: FactOutcome) {
    let rows = state.factRows.base + Int(bit / 64) &* FactOutcome.rows
    let mask: UInt64 = 1 &<< UInt64(bit % 64)
    (SIMD4(at: rows) & ~SIMD4(repeating: mask)).store(at: rows)
    rows[outcome.row & 3] |= outcome == .holds ? 0 : mask
  }
}
