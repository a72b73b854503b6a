import TriggerModel

/// How a program takes up the fact conditions of one more declaration.
extension ReminderProgram {
  /// The last of the declarations has its entries by now.
  func appendFacts(of declaration: UInt32, _ state: inout MatcherState) {
    let conditions = plans[Int(declaration)].factsInRows
    if tables.facts.firstPlace.count == 0 {
      if conditions.isEmpty { return }
      tables.facts.firstPlace.append(repeating: 0, count: Int(declaration) + 1)
    }
    for (place, condition) in conditions.enumerated() {
      let number = series(of: condition.quantity)
      tables.facts.places.append(FactPlace(condition, series: number))
      let isEquality = condition.isEquality
      for constant in condition.constants {
        let term = FactTerm(condition, constant, place: place, of: declaration)
        var series = tables.facts.series[number]
        if isEquality {
          tables.facts.insert(term, into: &series.equal)
        } else {
          tables.facts.insert(term, into: &series.ordered)
        }
        tables.facts.series[number] = series
      }
    }
    tables.facts.firstPlace.append(UInt32(tables.facts.places.count))
    if conditions.isEmpty { return }
    let places = places(of: declaration)
    for place in places where tables.buckets[Int(place.bucket)].factOffset < 0 {
      tables.buckets[Int(place.bucket)].factOffset = newFactRows(
        Int(tables.buckets[Int(place.bucket)].wordCount))
    }
    fit(&state)
    var failing = FailingFacts()
    if places.count > 1 {
      failing.hasSeveralBits = true
      failing.bit = UInt32(tables.facts.severalBits.count)
      tables.facts.severalBits.append(UInt32(places.count))
      tables.facts.severalBits.append(repeating: 0, count: places.count)
    }
    for state in [template, state] { state.failing[Int(declaration)] = failing }
    setFactBits(of: declaration, state)
  }

  /// Rows of failing fact conditions for so many words of entries.
  /// - Returns: Where they begin.
  func newFactRows(_ words: Int) -> Int32 {
    defer { factWords += FactOutcome.rows * words }
    return Int32(factWords)
  }

  /// Writes down which bits of the rows of failing fact conditions are a declaration's.
  func setFactBits(of declaration: UInt32, _ state: MatcherState) {
    let bits = places(of: declaration).map { place in
      UInt32(tables.buckets[Int(place.bucket)].factOffset) / UInt32(FactOutcome.rows) * 64 + place.entry
    }
    let failing = template.failing[Int(declaration)]
    if failing.hasSeveralBits {
      for (position, bit) in bits.enumerated() {
        tables.facts.severalBits[Int(failing.bit) + 1 + position] = bit
      }
    } else {
      for state in [template, state] { state.failing[Int(declaration)].bit = bits[0] }
    }
  }

  private func series(of quantity: CompiledFactCondition.Quantity) -> Int {
    let facts = Set(quantity.facts).sorted()
    let known = tables.facts.firstSeries[facts[0].index]..<tables.facts.firstSeries[facts[0].index + 1]
    for position in known {
      let number = Int(tables.facts.seriesOfFacts[Int(position)])
      if tables.facts.series[number].quantity == quantity { return number }
    }
    let number = tables.facts.series.count
    let series = FactSeries(quantity, names.dayEnds)
    tables.facts.series.append(series)
    if series.isTimed { tables.facts.timed.append(UInt32(number)) }
    for fact in facts {
      let end = tables.facts.seriesOfFacts.count
      tables.facts.seriesOfFacts.append(0)
      let position = Int(tables.facts.firstSeries[fact.index + 1])
      tables.facts.seriesOfFacts.insert(UInt32(number), at: position, before: end)
      for later in fact.index + 1..<tables.facts.firstSeries.count { tables.facts.firstSeries[later] += 1 }
    }
    return number
  }
}

extension FactTables {
  /// Puts a term behind those of the same constant. Its declaration is the last of all.
  fileprivate mutating func insert(_ term: FactTerm, into list: inout TermList) {
    let count = list.range.end - list.range.start
    if count == list.room {
      let first = UInt32(terms.count)
      list.room = max(4, 2 * list.room)
      terms.append(repeating: term, count: Int(list.room))
      terms.copy(Int(count), from: Int(list.range.start), to: Int(first))
      list.range = Range32(start: first, end: first + count)
    }
    var (low, high) = (Int(list.range.start), Int(list.range.end))
    while low < high {
      let middle = (low + high) / 2
      if terms[middle].constant <= term.constant { low = middle + 1 } else { high = middle }
    }
    terms.insert(term, at: low, before: Int(list.range.end))
    list.range.end += 1
  }
}
