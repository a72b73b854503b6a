/// The elements of a JSON array, each of which is made whenever it is asked for: so many that all together would take
/// far more memory than what they tell of.
package struct JSONRows: RandomAccessCollection, Sendable {
  package let endIndex: Int
  private let make: @Sendable (Int) -> JSONValue

  /// - Parameter make: The same value each time.
  package init(count: Int, make: @escaping @Sendable (Int) -> JSONValue) {
    endIndex = count
    self.make = make
  }

  package var startIndex: Int { 0 }
  package subscript(index: Int) -> JSONValue { make(index) }
}

extension JSONRows: Hashable {
  package static func == (a: JSONRows, b: JSONRows) -> Bool { a.elementsEqual(b) }

  package func hash(into hasher: inout Hasher) {
    for row in self { hasher.combine(row) }
  }
}
