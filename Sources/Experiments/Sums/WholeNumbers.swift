/// Sums that are a fixed row of whole numbers: parts of a population add up, and go through files, number by number.
package protocol WholeNumbers {
  /// Visits every number, always in the same order.
  mutating func forEachNumber(_ body: (inout Int64) -> Void)
}

extension WholeNumbers {
  package static func += (total: inout Self, part: Self) { total.addNumbers(of: part) }

  mutating func addNumbers(of part: Self) {
    let numbers = part.numbers
    var index = 0
    forEachNumber { number in
      number &+= numbers[index]
      index += 1
    }
  }

  package var numbers: [Int64] {
    var (copy, numbers) = (self, [Int64]())
    copy.forEachNumber { numbers.append($0) }
    return numbers
  }

  /// Takes numbers in the place of its own.
  ///
  /// - Returns: False where it has another count of them; it is as it was then.
  package mutating func replace(with numbers: [Int64]) -> Bool {
    guard self.numbers.count == numbers.count else { return false }
    var rest = numbers[...]
    forEachNumber { number in
      if let next = rest.popFirst() { number = next }
    }
    return true
  }
}
